#include "reprieve/engine/nominated.h"

namespace reprieve::engine {

bool is_known_nominated(const Cycle& cycle, PodId pod) {
  const PodRecord& record = cycle.index->pods[pod];
  if (record.scheduler != cycle.record().scheduler) return false;
  return !record.gated || cycle.index->release != Release::k1_36;
}

void counted_nominated(const Cycle& cycle, NodeId node, std::vector<PodId>& pods) {
  pods.clear();
  const Index& index = *cycle.index;
  if (index.nominated.empty()) return;
  const auto found = index.nominated.find(cycle.node(node).name_id);
  if (found == index.nominated.end()) return;
  for (const PodId pod : found->second) {
    if (pod != cycle.pod && index.pod_priority[pod] >= index.pod_priority[cycle.pod] &&
        is_known_nominated(cycle, pod)) {
      pods.push_back(pod);
    }
  }
}

void lower_nominated(const Cycle& cycle, NodeId node, std::vector<PodId>& pods) {
  pods.clear();
  const Index& index = *cycle.index;
  const auto found = index.nominated.find(cycle.node(node).name_id);
  if (found == index.nominated.end()) return;
  for (const PodId pod : found->second) {
    if (index.pod_priority[pod] < index.pod_priority[cycle.pod] && is_known_nominated(cycle, pod))
      pods.push_back(pod);
  }
}

}  // namespace reprieve::engine
