// Step 3 on one node: what would have to go for the preemptor to fit there?
// Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (SelectVictimsOnNode).
#pragma once

#include <optional>
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

/// Dry-runs preemption on a node whose filters said "unschedulable", and tells the story in `story`
/// (status, reasons, victims and everything below them). A candidate, or nothing when eviction does
/// not help. `failed` is set instead when a plugin failed.
std::optional<Candidate> dry_run_preemption(const Situation& situation, const CycleState& state,
                                            std::size_t node, NodeDecision& story,
                                            std::optional<std::string>& failed);

}  // namespace reprieve::reference
