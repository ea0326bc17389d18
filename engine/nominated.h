// Pods nominated to a node: those that the preemptor must make room for, and those that lose their
// nomination to it.
//
// Source: pkg/scheduler/backend/queue/{nominator,scheduling_queue}.go; framework/runtime/framework.go
// (addGENominatedPods); framework/preemption/executor.go (getLowerPriorityNominatedPods).
#pragma once

#include <vector>

#include "reprieve/engine/filters/cycle.h"

namespace reprieve::engine {

/// Whether the nominator of the preemptor's scheduler knows the pod: a pending pod of that scheduler.
/// 1.36 records a nomination only when the pod enters the active queue, so a gated pod has none.
bool is_known_nominated(const Cycle& cycle, PodId pod);

/// The pods that filters count in on the node: known, not the preemptor, of at least its priority.
void counted_nominated(const Cycle& cycle, NodeId node, std::vector<PodId>& pods);

/// The known pods of lower priority that are nominated to the node.
void lower_nominated(const Cycle& cycle, NodeId node, std::vector<PodId>& pods);

}  // namespace reprieve::engine
