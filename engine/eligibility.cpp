#include "reprieve/engine/eligibility.h"

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

NodeId nominated_node(const Cycle& cycle) {
  const StringId name = cycle.record().nominated_node;
  return name == kNoString ? kNone : cycle.index->find_node(name);
}

std::string_view ineligible_reason(const Cycle& cycle, Code nominated_code) {
  if (REPRIEVE_MUTANT("never-ignored", cycle.preemptor().preemption_policy == PreemptionPolicy::kNever,
                      false)) {
    REPRIEVE_MARK("engine/eligible/never-preempts");
    return "not eligible due to preemptionPolicy=Never.";
  }
  // A nominated node that is absent or unresolvable is given up: the pod may preempt elsewhere.
  const NodeId node = nominated_node(cycle);
  if (node == kNone) return {};
  if (REPRIEVE_MUTANT("unresolvable-nomination-holds", nominated_code == Code::kUnresolvable, false)) {
    REPRIEVE_MARK("engine/eligible/nominated-node-is-unresolvable");
    return {};
  }
  const Index& index = *cycle.index;
  for (const PodId pod : cycle.node(node).pods) {
    const bool lower = REPRIEVE_MUTANT("equal-terminating-pod-waited-for",
                                       index.pod_priority[pod] < index.pod_priority[cycle.pod],
                                       index.pod_priority[pod] <= index.pod_priority[cycle.pod]);
    if (!REPRIEVE_MUTANT("terminating-victim-not-waited-for", index.has(pod, kTerminatingByPreemption),
                         false)) {
      continue;
    }
    if (lower) {
      REPRIEVE_MARK("engine/eligible/waits-for-a-terminating-victim");
      return "not eligible due to a terminating pod on the nominated node.";
    }
    REPRIEVE_MARK("engine/eligible/terminating-pod-is-no-victim");
  }
  return {};
}

}  // namespace reprieve::engine
