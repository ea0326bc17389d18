// The answer to a Case, as data: printable, comparable, and with each node's story, so that
// `explain` and a comparison need nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/pod.h"
#include "reprieve/model/policy.h"

namespace reprieve {

enum class Outcome {
  kFits,         // some node needs no eviction; comes before all else
  kIneligible,   // the pod may not preempt; see reason
  kNominated,    // a node was chosen
  kNoCandidate,  // eviction helps nowhere
  kError,        // the question could not be decided; see reason
};

enum class NodeStatus {
  kFits,
  kCandidate,
  kUnschedulable,  // tried, or would be tried, and eviction does not help (or, with kFits, a filter failed)
  kUnresolvable,   // not tried: no eviction can help
};

/// How far a resource falls short on a node: requested + used > allocatable.
/// CPU in millicores, all else in whole units.
struct Shortfall {
  std::string resource;
  std::int64_t requested = 0;
  std::int64_t used = 0;
  std::int64_t allocatable = 0;

  bool operator==(const Shortfall&) const = default;
};

/// A failed filter. `plugin` is the kube-scheduler's plugin name, `reasons` its own strings.
struct FilterFailure {
  std::string plugin;
  std::vector<std::string> reasons;
  std::vector<Shortfall> shortfalls;  // NodeResourcesFit only
  bool with_nominated = false;        // failed only with the nominated pods counted in

  bool operator==(const FilterFailure&) const = default;
};

/// One budget charged for one potential victim, in the order of charging.
struct Charge {
  std::string budget;      // "namespace/name"
  std::int32_t left = 0;   // what the budget allows after this charge
  bool disrupted = false;  // already in disruptedPods: not charged, `left` unchanged

  bool operator==(const Charge&) const = default;
};

/// A pod with lower priority than the preemptor on a node that was tried.
struct PotentialVictim {
  std::string pod;  // "namespace/name"
  std::int32_t priority = 0;
  std::optional<TimeUs> start_time_us;
  std::vector<Charge> charges;
  bool violating = false;
  bool evicted = false;                        // otherwise it was reprieved
  std::optional<FilterFailure> not_reprieved;  // why putting it back failed, when evicted

  bool operator==(const PotentialVictim&) const = default;
};

/// A part of a node's allocatable, as a fraction in lowest terms; both parts are never negative.
/// Nothing requested is 0/1. A request of a resource of which the node has none is 1/0, which is more
/// than every other share. Compared by cross-multiplication in 128 bits.
struct Share {
  std::int64_t requested = 0;
  std::int64_t allocatable = 1;

  bool operator==(const Share&) const = default;
};

/// The levels of a candidate, in plain units. See docs/SEMANTICS.md, "Criteria".
struct CandidateKey {
  std::int64_t violations = 0;
  std::int32_t highest_priority = 0;
  std::int64_t priority_sum = 0;  // each victim's priority + 2^31 (as upstream)
  std::int64_t victim_count = 0;
  std::optional<TimeUs> earliest_start_us;      // earliest start among victims of the highest priority;
                                                // absent: "now" (a missing start time)
  std::optional<Share> requested_share;         // filled when the policy's nodeOrder names it
  std::optional<std::int64_t> budgets_touched;  // filled when the policy's nodeOrder names it

  bool operator==(const CandidateKey&) const = default;
};

struct NodeDecision {
  std::string node;
  NodeStatus status = NodeStatus::kFits;
  /// The kube-scheduler's strings. For a node that was tried: those that remain with every
  /// potential victim gone, or "No preemption victims found for incoming pod".
  std::vector<std::string> reasons;
  std::vector<std::string> victims;  // "namespace/name", most important first; extenders may reorder
  std::int64_t violations = 0;

  // The story; filled at depth full by engine and always by reference.
  bool tried = false;                              // the dry run looked at it
  std::optional<FilterFailure> filter_failure;     // the first failing filter as the cluster stands
  std::optional<FilterFailure> emptied_failure;    // the one that remains with all potential victims gone
  std::vector<PotentialVictim> potential_victims;  // in order of importance
  std::optional<CandidateKey> key;                 // candidates only

  bool operator==(const NodeDecision&) const = default;
};

/// What an exact search that ran into its limit has proved of one level of the nodeOrder: no choice is
/// better than `at_least` there, given that the levels before it are as found. Where `found` equals
/// `at_least` the level is proved. Units: those of CandidateKey; a share in parts per million, rounded
/// down in `at_least` and up in `found`; a start time in microseconds, where `at_least` is the latest
/// that is possible.
struct Bound {
  NodeCriterion level = NodeCriterion::kPdbViolations;
  std::int64_t found = 0;
  std::int64_t at_least = 0;

  bool operator==(const Bound&) const = default;
};

struct Decision {
  Outcome outcome = Outcome::kNoCandidate;
  /// kIneligible, kError; kNoCandidate when there would be one if budgets might be violated; else empty.
  std::string reason;
  std::vector<std::string> nominated;  // the whole final tie, the chosen node first
  /// Pods whose nomination is to be cleared: lower-priority ones nominated to the chosen node, or
  /// the preemptor itself when there is no candidate. In input order.
  std::vector<std::string> cleared;
  /// What separated the winner from the runner-up (the best candidate outside the tie). Absent
  /// with a single candidate, a total tie, or no nomination.
  std::optional<NodeCriterion> decided_by;
  /// The proven gap, one entry for each level of the nodeOrder, when an exact search ran into its
  /// limit; empty: the decision is proved, or nothing was searched.
  std::vector<Bound> bounded;
  std::vector<NodeDecision> nodes;  // one for each node, in input order; empty with kError

  bool operator==(const Decision&) const = default;
};

std::string_view to_string(Outcome outcome);    // "fits", "ineligible", "nominated", "no-candidate", "error"
std::string_view to_string(NodeStatus status);  // "fits", "candidate", "unschedulable", "unresolvable"

}  // namespace reprieve
