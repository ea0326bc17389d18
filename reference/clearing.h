// Step 8: whose nomination is cleared. Source: pkg/scheduler/framework/preemption/executor.go
// (prepareCandidateAsync, getLowerPriorityNominatedPods).
#pragma once

#include <string>
#include <vector>

#include "reprieve/reference/dry_run.h"

namespace reprieve::reference {

/// Pods of lower priority that are nominated to the chosen node: they may no longer fit. None when
/// every victim is already terminating, for then upstream has nothing to do and stops before it.
std::vector<std::string> cleared_by(const Situation& situation, const Candidate& chosen);

/// Without a candidate the preemptor's own nomination is cleared.
std::vector<std::string> cleared_without_candidate(const Pod& preemptor);

}  // namespace reprieve::reference
