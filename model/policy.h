// A preemption policy as data: what a PreemptionPolicy manifest says. Engine, reference, laws and
// theorems all read this one struct, so a policy change can be tried without touching code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprieve {

/// The kube-scheduler release whose filters, requests, order of plugins and missing start times
/// are followed. These are part of the release, not knobs of a policy.
enum class Release { k1_36, k1_37 };

enum class VictimSearch { kGreedy, kExact };

/// kEveryBudget: a pod is charged to every budget that selects it (1.36 and before).
/// kUntilViolated: charging stops at the first budget that goes below zero (1.37).
enum class Charging { kEveryBudget, kUntilViolated };

/// kClassified: victims that were classed violating before the reprieve (upstream).
/// kActual: violations counted over the victims really evicted.
enum class ViolationCount { kClassified, kActual };

enum class ImportanceCriterion { kPriority, kStartTime, kRequestedShare, kTerminationGracePeriod };

enum class NodeCriterion {
  kPdbViolations,    // fewer is better
  kHighestPriority,  // lower is better
  kPrioritySum,      // lower is better; each priority shifted by 2^31
  kVictimCount,      // fewer is better
  kLatestStart,      // later is better
  kRequestedShare,
  kBudgetsTouched,
};

/// spec.budgets: best effort, or a guarantee that no budget is violated (KEP-3280).
struct BudgetGuarantee {
  bool guaranteed = false;
  std::optional<std::int32_t> below_priority;  // only for preemptors below it; absent: for all

  bool operator==(const BudgetGuarantee&) const = default;
};

/// spec.sampling: how many candidates are enough, and where the walk over the nodes begins.
struct Sampling {
  std::int32_t min_percentage = 10;
  std::int32_t min_absolute = 100;
  std::int32_t offset = 0;

  bool operator==(const Sampling&) const = default;
};

struct Policy {
  std::string name = "kubernetes";
  Release release = Release::k1_37;
  VictimSearch victims = VictimSearch::kGreedy;
  BudgetGuarantee budgets;
  Charging charging = Charging::kUntilViolated;
  ViolationCount violations = ViolationCount::kClassified;
  std::vector<ImportanceCriterion> importance = {ImportanceCriterion::kPriority,
                                                 ImportanceCriterion::kStartTime};
  std::vector<NodeCriterion> node_order = {NodeCriterion::kPdbViolations, NodeCriterion::kHighestPriority,
                                           NodeCriterion::kPrioritySum, NodeCriterion::kVictimCount,
                                           NodeCriterion::kLatestStart};
  std::optional<Sampling> sampling;  // absent: look at every node

  bool operator==(const Policy&) const = default;
};

/// What `kubernetes-1.36` and `kubernetes-1.37` say, without reading a file.
Policy kubernetes_policy(Release release);

/// The spelling used in manifests and output: "pdbViolations", "highestPriority", ...
std::string_view to_string(NodeCriterion criterion);
std::string_view to_string(ImportanceCriterion criterion);
std::string_view to_string(Release release);  // "1.36", "1.37"

}  // namespace reprieve
