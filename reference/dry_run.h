// Step 3 on one node: what would have to go for the preemptor to fit there?
// Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (SelectVictimsOnNode).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/decision.h"
#include "reprieve/reference/filtering.h"

namespace reprieve::reference {

/// A node and the pods to evict there. `victims` is in the order in which the kube-scheduler lists
/// them; an extender may have chosen others.
struct Candidate {
  std::size_t node = 0;  // index into Situation::nodes
  std::vector<const Pod*> victims;
  std::int64_t violations = 0;
};

/// What a dry run ends in. Without a candidate and with nothing else set: eviction does not help.
struct DryRun {
  std::optional<Candidate> candidate;
  bool refused_for_budgets = false;        // it would be a candidate if budgets might be violated
  std::optional<std::string> failed;       // a plugin failed
  std::optional<std::string> undecidable;  // `exact` with more potential victims than are enumerated
};

/// Dry-runs preemption on a node whose filters said "unschedulable", and tells the story in `story`
/// (status, reasons, victims and everything below them).
DryRun dry_run_preemption(const Situation& situation, const CycleState& state, std::size_t node,
                          NodeDecision& story);

}  // namespace reprieve::reference
