// Which rejections cannot be cured by sparing more pods.
#pragma once

#include "reprieve/engine/filters/verdict.h"

namespace reprieve::engine {

/// A filter is downward-closed when a set of pods that it lets the preemptor stand beside may lose any
/// of its pods. If such a filter rejects the preemptor beside the pods that are spared so far, it does
/// so beside every larger set.
///
/// Resources, host ports and disks are held by pods; anti-affinity counts pods, and a skew compares the
/// count of the node's own domain with others that evictions here do not change, or with itself. What
/// looks at the node alone says the same whoever is spared. Two filters are different: affinity wants
/// pods (those of the node among them), and an attached volume that the preemptor shares with a pod
/// counts once while that pod stays, but may count twice once it has gone.
constexpr bool is_downward_closed(const Verdict& verdict) {
  switch (verdict.plugin) {
    case Plugin::kNodeVolumeLimits: return false;
    case Plugin::kInterPodAffinity: return verdict.code == Code::kUnschedulable;  // affinity: unresolvable
    default: return true;
  }
}

}  // namespace reprieve::engine
