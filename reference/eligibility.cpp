#include "reprieve/reference/eligibility.h"

#include "reprieve/marks/mark.h"
namespace reprieve::reference {
namespace {

// Only the first DisruptionTarget condition counts.
bool is_terminating_by_preemption(const Pod& pod) {
  if (!pod.deletion_time_us) return false;
  for (const PodCondition& condition : pod.conditions) {
    if (condition.type == "DisruptionTarget") {
      const bool by_preemption = condition.status == "True" && condition.reason == "PreemptionByScheduler";
      if (!by_preemption) REPRIEVE_MARK("reference/eligible/terminating-for-another-reason");
      return by_preemption;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> why_ineligible(const Situation& situation, const std::vector<Status>& statuses) {
  const Pod& preemptor = situation.preemptor;
  if (preemptor.preemption_policy == PreemptionPolicy::kNever) {
    REPRIEVE_MARK("reference/eligible/never-preempts");
    return "not eligible due to preemptionPolicy=Never.";
  }
  // Its earlier victims may still be on their way out. A nominated node that is gone, or where no
  // eviction can help any more, does not hold the pod back.
  for (std::size_t i = 0; i < situation.nodes.size(); ++i) {
    const NodeInfo& node = situation.nodes[i];
    if (node.node->name != preemptor.nominated_node_name) continue;
    if (statuses[i].code == Code::kUnresolvable) {
      REPRIEVE_MARK("reference/eligible/nominated-node-is-unresolvable");
      continue;
    }
    for (const Pod* pod : node.pods) {
      if (!is_terminating_by_preemption(*pod)) continue;
      if (pod->priority < preemptor.priority) {
        REPRIEVE_MARK("reference/eligible/waits-for-a-terminating-victim");
        return "not eligible due to a terminating pod on the nominated node.";
      }
      REPRIEVE_MARK("reference/eligible/terminating-pod-is-no-victim");
    }
  }
  return std::nullopt;
}

}  // namespace reprieve::reference
