// What a decision does to the cluster, for `decide --apply`.
#pragma once

#include <string>
#include <vector>

#include "reprieve/cli/pod_index.h"
#include "reprieve/model/decision.h"
#include "reprieve/model/pod.h"

namespace reprieve::cli {

struct Consequences {
  std::vector<std::string> gone;  // victims, "namespace/name"
  std::vector<Pod> changed;       // as they are afterwards
  std::string node;               // that the preemptor is now nominated to or bound to; may be empty
};

/// What the next pod of the queue sees, once the victims' grace period is over:
/// - nominated: the victims are gone, the nominations that the decision clears are cleared, and
///   the preemptor is nominated to the chosen node. It stays pending: binding it is a later
///   attempt of the scheduler, and until then other pods see it as a nominated pod.
/// - fits: the pod is bound to the first node that fits, its own nominated node if that is one.
///   Upstream takes the one that scores best; scores are not modelled.
/// - no candidate: its nomination is cleared, as the decision says.
/// - ineligible, error: nothing changes.
/// `pods` are those of the cluster that was decided about; the decision must tell of every node.
/// Source: pkg/scheduler/framework/preemption/preemption.go Preempt, schedule_one.go.
Consequences consequences(const Decision& decision, const Pod& preemptor, const PodIndex& pods);

}  // namespace reprieve::cli
