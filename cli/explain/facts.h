// What an explanation says of pods and nodes beyond the Decision: requests, who else is on a node,
// who is nominated to it, who holds a host port, and what extenders made of the victims.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli::explain {

/// By resource name: CPU in millicores, all else in whole units.
using Requests = std::map<std::string, std::int64_t, std::less<>>;

struct PodFacts {
  std::string pod;  // "namespace/name"
  std::int32_t priority = 0;
  std::optional<TimeUs> start_time_us;
  Requests requests;
  std::vector<std::string> ports;  // "8080/TCP": host ports it holds and the preemptor wants

  bool operator==(const PodFacts&) const = default;
};

struct NodeFacts {
  std::vector<PodFacts> pods;       // on the node, in input order
  std::vector<PodFacts> nominated;  // counted by the filters: nominated here and not of lower priority

  bool operator==(const NodeFacts&) const = default;
};

struct Facts {
  std::string preemptor;
  std::int32_t priority = 0;
  Requests requests;
  std::map<std::string, NodeFacts, std::less<>> nodes;  // those that were tried
  std::vector<std::string> extenders;                   // that were asked about victims

  bool operator==(const Facts&) const = default;
};

Facts facts_of(const Case& question, const Decision& decision);

/// Null for a node that was not tried, or a pod that is not there.
const NodeFacts* find(const Facts& facts, std::string_view node);
const PodFacts* find(const Facts& facts, std::string_view node, std::string_view pod);

/// The pods on the node that are not of lower priority than the preemptor.
std::vector<const PodFacts*> not_lower(const Facts& facts, std::string_view node);

/// What extenders made of the victims that the dry run found.
struct ExtenderEffect {
  bool dropped = false;             // eviction makes room, but the node is no candidate any more
  bool reordered = false;           // the same victims, listed otherwise
  std::vector<std::string> spared;  // found by the dry run, not evicted
  std::vector<std::string> added;   // evicted, though the dry run spared or never considered them

  bool any() const { return dropped || reordered || !spared.empty() || !added.empty(); }
};
ExtenderEffect effect_of_extenders(const NodeDecision& node);

/// The victims that the dry run found, most important first.
std::vector<std::string> found_by_dry_run(const NodeDecision& node);

/// The victim of the highest priority, the first of them as listed; null without victims.
const PodFacts* highest_victim(const Facts& facts, const NodeDecision& node);

/// Level 2 reads the first victim listed, and an extender listed one that is not of the highest
/// priority. Source: framework/preemption/preemption.go (pickOneNodeForPreemption, "the first").
bool lists_another_first(const Facts& facts, const NodeDecision& node);

/// The order in which the potential victims had their chance to be put back, from 1: violating ones
/// first, each group by importance. Parallel to node.potential_victims.
std::vector<std::size_t> turns(const NodeDecision& node);

/// The pods that had been put back and stayed when this potential victim's turn came.
std::vector<std::string> back_before(const NodeDecision& node, std::size_t victim);

/// "1 of n1's 4 cpu is free and default/high needs 2".
std::string in_words(const Shortfall& shortfall, const Facts& facts, std::string_view node);

/// The same for every shortfall, or who holds the port that is wanted, or the scheduler's own
/// reasons; then the plugin's name and the nominated pods that were counted. `gone` are the pods
/// that are off the node.
std::string in_words(const FilterFailure& failure, const Facts& facts, std::string_view node,
                     const std::vector<std::string>& gone);

}  // namespace reprieve::cli::explain
