// What a decision does to the cluster, for `decide --apply`.
#pragma once

#include <string>

#include "reprieve/model/cluster.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli {

/// The cluster as the next pod of the queue sees it, once the victims' grace period is over:
/// - nominated: the victims are gone, the nominations that the decision clears are cleared, and
///   the preemptor is nominated to the chosen node. It stays pending: binding it is a later
///   attempt of the scheduler, and until then other pods see it as a nominated pod.
/// - fits: the pod is bound to the first node that fits, its own nominated node if that is one.
///   Upstream takes the one that scores best; scores are not modelled.
/// - no candidate: its nomination is cleared, as the decision says.
/// - ineligible, error: nothing changes.
/// Returns the node that the pod is now nominated to or bound to; empty for none.
/// Source: pkg/scheduler/framework/preemption/preemption.go Preempt, schedule_one.go.
std::string apply(const Decision& decision, std::string_view preemptor, Cluster& cluster);

}  // namespace reprieve::cli
