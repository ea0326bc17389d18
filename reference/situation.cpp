#include "reprieve/reference/situation.h"

namespace reprieve::reference {

Situation::Situation(const Case& question, const Pod& pending)
    : cluster(question.cluster),
      policy(question.policy),
      preemptor(pending),
      release(question.policy.release) {
  for (const Node& node : cluster.nodes) nodes.emplace_back(node);
  for (NodeInfo& info : nodes) {
    for (const Pod& pod : cluster.pods) {
      if (pod.node_name == info.node->name) info.add(pod, release);
    }
  }
}

std::vector<const Pod*> nominated_pods(const Situation& situation, const std::string& node) {
  std::vector<const Pod*> pods;
  for (const Pod& pod : situation.cluster.pods) {
    if (!pod.node_name.empty() || pod.nominated_node_name != node) continue;
    if (pod.scheduler_name != "default-scheduler") continue;
    if (situation.release == Release::k1_36 && !pod.scheduling_gates.empty()) continue;
    pods.push_back(&pod);
  }
  return pods;
}

}  // namespace reprieve::reference
