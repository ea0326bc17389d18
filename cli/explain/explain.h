// `reprieve explain`: why the scheduler decided as it did, as data. text.h and json.h print it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/explain/facts.h"
#include "reprieve/cli/explain/rivals.h"
#include "reprieve/cli/explain/victim.h"
#include "reprieve/cli/explain/warnings.h"
#include "reprieve/cli/explain/what_if.h"

namespace reprieve::cli::explain {

/// The tried node that is short of the least with every lower-priority pod gone.
struct NearestMiss {
  std::string node;
  std::vector<Shortfall> shortfalls;

  bool operator==(const NearestMiss&) const = default;
};

struct Explanation {
  std::string preemptor;
  std::int32_t priority = 0;
  std::string policy;
  Release release = Release::k1_37;  // whose rules the policy follows
  Facts facts;
  bool own_policy = false;  // another than Kubernetes'
  bool walk = true;         // victims were found by the greedy walk, so pods have turns
  Decision decision;
  std::vector<std::string> summary;     // one to five sentences
  std::vector<std::size_t> ranking;     // candidates, best first: indices into decision.nodes
  std::vector<std::size_t> node_order;  // every node, those that matter first
  std::map<std::string, std::int64_t, std::less<>> real_violations;  // by candidate: of exactly its victims
  /// By potential victim: budgets that select it and were not charged, because 1.37 stops charging a
  /// pod at the first budget that it exceeds.
  std::map<std::string, std::vector<std::string>, std::less<>> not_charged;
  bool stops_charging = false;
  bool ended_by_extender = false;        // an Outcome::kError that is none without the extenders: a decision
  std::vector<std::string> terminating;  // potential victims that are already on their way out
  std::optional<Rivalry> rivalry;
  std::optional<NearestMiss> nearest_miss;  // with kNoCandidate
  std::vector<Warning> warnings;
  std::optional<VictimAnswer> victim;
  std::int64_t decisions = 0;  // made in all, counterfactual ones included
};

struct Options {
  std::string victim;  // "namespace/name"; empty: nobody asks
  /// Bounds the search for warnings and changes: nodes and pods looked at, over all decisions.
  std::int64_t work_limit = 3'000'000;
};

/// Some sentences into told.summary.
void summarise(const Case& question, Explanation& told);

/// Decides and explains. A decision of Outcome::kError comes back as it is, with a summary.
Explanation tell(const Case& question, const Decider& decide, const Options& options);

}  // namespace reprieve::cli::explain
