// Step 3, the order of importance: which potential victim is to be spared first.
// Source: pkg/scheduler/util/utils.go (MoreImportantPod, 1.36), pkg/scheduler/framework/preemption
// (MoreImportantVictim in util.go, NewVictim in types.go, 1.37).
#pragma once

#include <cstddef>
#include <vector>

#include "reprieve/model/pod.h"
#include "reprieve/model/policy.h"
#include "reprieve/reference/node_info.h"

namespace reprieve::reference {

/// A pod, and its place in the node's list of pods.
struct Listed {
  const Pod* pod;
  std::size_t place;
};

/// Whether `a` must be spared before `b` on this node: by the policy's criteria in turn, each a file of
/// criteria/importance/; by default the higher priority, then the earlier start.
bool more_important(const Policy& policy, const NodeInfo& node, const Listed& a, const Listed& b);

/// Sorts as Go's sort.Slice does up to 12 elements, and as we agree that it does beyond: by
/// insertion. It matters, because in 1.36 startTime contradicts itself.
void sort_by_importance(const Policy& policy, const NodeInfo& node, std::vector<Listed>& pods);

}  // namespace reprieve::reference
