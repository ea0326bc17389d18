#include "reprieve/engine/eligibility.h"

namespace reprieve::engine {

NodeId nominated_node(const Cycle& cycle) {
  const StringId name = cycle.record().nominated_node;
  return name == kNoString ? kNone : cycle.index->find_node(name);
}

std::string_view ineligible_reason(const Cycle& cycle, Code nominated_code) {
  if (cycle.preemptor().preemption_policy == PreemptionPolicy::kNever) {
    return "not eligible due to preemptionPolicy=Never.";
  }
  // A nominated node that is absent or unresolvable is given up: the pod may preempt elsewhere.
  const NodeId node = nominated_node(cycle);
  if (node == kNone || nominated_code == Code::kUnresolvable) return {};
  const Index& index = *cycle.index;
  for (const PodId pod : cycle.node(node).pods) {
    if (index.pod_priority[pod] < index.pod_priority[cycle.pod] && index.has(pod, kTerminatingByPreemption)) {
      return "not eligible due to a terminating pod on the nominated node.";
    }
  }
  return {};
}

}  // namespace reprieve::engine
