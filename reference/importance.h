// Step 3, the order of importance: which potential victim is to be spared first.
// Source: pkg/scheduler/util/utils.go (MoreImportantPod, 1.36), pkg/scheduler/framework/preemption
// (MoreImportantVictim in util.go, NewVictim in types.go, 1.37).
#pragma once

#include <cstddef>
#include <vector>

#include "reprieve/model/pod.h"
#include "reprieve/model/policy.h"

namespace reprieve::reference {

/// A pod, and its place in the node's list of pods.
struct Listed {
  const Pod* pod;
  std::size_t place;
};

/// Whether `a` must be spared before `b`: by default the higher priority, then the earlier start.
///
/// A pod without start time starts "now", later than all others. Between two of them 1.36 reads the
/// clock for `a` and then for `b`, so `a` comes out earlier whichever it is; 1.37 has read the clock
/// once for each, in the order of the list.
bool more_important(const Policy& policy, const Listed& a, const Listed& b);

/// Sorts as Go's sort.Slice does up to 12 elements, and as we agree that it does beyond: by
/// insertion. It matters, because in 1.36 the order above contradicts itself.
void sort_by_importance(const Policy& policy, std::vector<Listed>& pods);

}  // namespace reprieve::reference
