// What every step is given: the cluster as it stands, the preemptor, and the release followed.
#pragma once

#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/reference/node_info.h"

namespace reprieve::reference {

/// Refers into the case; the case outlives it.
struct Situation {
  Situation(const Case& question, const Pod& pod_to_place);

  const Cluster& cluster;
  const Policy& policy;
  const Pod& preemptor;
  Release release;
  std::vector<NodeInfo> nodes;      // in input order, each with its running pods in input order
  std::vector<const Pod*> pending;  // pods on no node, in input order

  /// What a pod of the cluster holds, added up once, as framework/types.go PodInfo does (cachedResource).
  const Amounts& held_by(const Pod& pod) const;

 private:
  std::vector<Amounts> held_;  // by the pod's place in the cluster
};

/// Pods nominated to the node, in input order, as the scheduling queue's nominator holds them: not
/// yet on a node, of the default scheduler, and in 1.36 not gated. The preemptor is among them.
/// Source: pkg/scheduler/backend/queue (nominator.go; scheduling_queue.go: 1.36 nominates only what
/// enters the active queue, 1.37 everything that is added), pkg/scheduler/eventhandlers.go.
std::vector<const Pod*> nominated_pods(const Situation& situation, const std::string& node);

}  // namespace reprieve::reference
