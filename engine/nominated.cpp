#include "reprieve/engine/nominated.h"

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

bool is_known_nominated(const Cycle& cycle, PodId pod) {
  const PodRecord& record = cycle.index->pods[pod];
  if (REPRIEVE_MUTANT("any-schedulers-nomination", record.scheduler != cycle.record().scheduler, false)) {
    REPRIEVE_MARK("engine/nominated/of-another-scheduler");
    return false;
  }
  if (record.gated && cycle.index->release == Release::k1_36) REPRIEVE_MARK("engine/nominated/gated-1.36");
  if (record.gated && cycle.index->release == Release::k1_37) REPRIEVE_MARK("engine/nominated/gated-1.37");
  return REPRIEVE_MUTANT("gated-nomination-counts", !record.gated, true) ||
         cycle.index->release != Release::k1_36;
}

void counted_nominated(const Cycle& cycle, NodeId node, std::vector<PodId>& pods) {
  pods.clear();
  const Index& index = *cycle.index;
  if (index.nominated.empty()) return;
  const auto found = index.nominated.find(cycle.node(node).name_id);
  if (found == index.nominated.end()) return;
  for (const PodId pod : found->second) {
    if (pod == cycle.pod) REPRIEVE_MARK("engine/nominated/the-preemptor-itself");
    if (index.pod_priority[pod] < index.pod_priority[cycle.pod])
      REPRIEVE_MARK("engine/nominated/less-important");
    if (pod != cycle.pod && index.pod_priority[pod] == index.pod_priority[cycle.pod]) {
      REPRIEVE_MARK("engine/nominated/equally-important");
    }
    const bool counts = REPRIEVE_MUTANT("equal-nominations-not-counted",
                                        index.pod_priority[pod] >= index.pod_priority[cycle.pod],
                                        index.pod_priority[pod] > index.pod_priority[cycle.pod]);
    if (REPRIEVE_MUTANT("own-nomination-counted", pod != cycle.pod, true) && counts &&
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
    const bool lower =
        REPRIEVE_MUTANT("equal-nominations-cleared", index.pod_priority[pod] < index.pod_priority[cycle.pod],
                        index.pod_priority[pod] <= index.pod_priority[cycle.pod]);
    if (!is_known_nominated(cycle, pod)) continue;
    if (lower) {
      REPRIEVE_MARK("engine/clear/less-important-nomination");
      pods.push_back(pod);
    } else {
      REPRIEVE_MARK("engine/clear/keeps-a-nomination");
    }
  }
}

}  // namespace reprieve::engine
