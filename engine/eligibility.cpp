#include "reprieve/engine/eligibility.h"

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

NodeId nominated_node(const Cycle& cycle) {
  const StringId name = cycle.record().nominated_node;
  return name == kNoString ? kNone : cycle.index->find_node(name);
}

std::string_view ineligible_reason(const Cycle& cycle, Code nominated_code) {
  if (REPRIEVE_MUTANT("never-ignored", cycle.preemptor().preemption_policy == PreemptionPolicy::kNever,
                      false)) {
    return "not eligible due to preemptionPolicy=Never.";
  }
  // A nominated node that is absent or unresolvable is given up: the pod may preempt elsewhere.
  const NodeId node = nominated_node(cycle);
  if (node == kNone ||
      REPRIEVE_MUTANT("unresolvable-nomination-holds", nominated_code == Code::kUnresolvable, false)) {
    return {};
  }
  const Index& index = *cycle.index;
  for (const PodId pod : cycle.node(node).pods) {
    const bool lower = REPRIEVE_MUTANT("equal-terminating-pod-waited-for",
                                       index.pod_priority[pod] < index.pod_priority[cycle.pod],
                                       index.pod_priority[pod] <= index.pod_priority[cycle.pod]);
    if (lower && REPRIEVE_MUTANT("terminating-victim-not-waited-for",
                                 index.has(pod, kTerminatingByPreemption), false)) {
      return "not eligible due to a terminating pod on the nominated node.";
    }
  }
  return {};
}

}  // namespace reprieve::engine
