// Step 1: may the pod preempt at all?
// Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go
// (PodEligibleToPreemptOthers), pkg/scheduler/framework/preemption/util.go (PodTerminatingByPreemption).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reprieve/reference/situation.h"
#include "reprieve/reference/status.h"

namespace reprieve::reference {

/// Why not, in the kube-scheduler's words; nothing when it may. `statuses` are those of the filters,
/// node by node.
std::optional<std::string> why_ineligible(const Situation& situation, const std::vector<Status>& statuses);

}  // namespace reprieve::reference
