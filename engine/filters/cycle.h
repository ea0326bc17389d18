// One scheduling attempt: a preemptor against a snapshot, and what several filters ask about it.
#pragma once

#include <span>

#include "reprieve/engine/index.h"

namespace reprieve::engine {

struct Cycle {
  const Index* index = nullptr;
  PodId pod = kNone;

  const PodRecord& record() const { return index->pods[pod]; }
  const Preemptor& preemptor() const { return *index->pods[pod].preemptor; }
  const LabelGroup& group() const { return index->group_of(pod); }
  const NodeRecord& node(NodeId id) const { return index->nodes[id]; }
};

/// Whether some toleration tolerates a taint (core/v1 toleration.go, ToleratesTaint). The comparison
/// operators Gt and Lt are behind a gate that is off, so they tolerate nothing.
bool tolerated(const Taint& taint, std::span<const Toleration> tolerations);

/// Whether the node has no taint that keeps the preemptor away (NoSchedule and NoExecute).
bool tolerates_taints(const Cycle& cycle, NodeId node);

/// RequiredNodeAffinity.Match: nodeSelector and required node affinity.
bool matches_node_affinity(const Cycle& cycle, NodeId node);

}  // namespace reprieve::engine
