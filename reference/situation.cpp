#include "reprieve/reference/situation.h"

#include <map>
#include <string>

#include "reprieve/marks/mark.h"
namespace reprieve::reference {

Situation::Situation(const Case& question, const Pod& pod_to_place)
    : cluster(question.cluster),
      policy(question.policy),
      preemptor(pod_to_place),
      release(question.policy.release) {
  std::map<std::string, std::size_t> place;
  for (const Node& node : cluster.nodes) {
    place[node.name] = nodes.size();
    nodes.emplace_back(node);
  }
  for (const Pod& pod : cluster.pods) {
    held_.push_back(reference::held_by(pod, release));
    if (pod.node_name.empty()) {
      pending.push_back(&pod);
    } else if (const auto node = place.find(pod.node_name); node != place.end()) {
      nodes[node->second].add(pod, held_.back());
    } else {
      REPRIEVE_MARK("reference/seen/pod-on-an-absent-node");
    }
  }
}

const Amounts& Situation::held_by(const Pod& pod) const {
  return held_[static_cast<std::size_t>(&pod - cluster.pods.data())];
}

std::vector<const Pod*> nominated_pods(const Situation& situation, const std::string& node) {
  std::vector<const Pod*> pods;
  for (const Pod* pod : situation.pending) {
    if (pod->nominated_node_name != node) continue;
    if (pod->scheduler_name != "default-scheduler") {
      REPRIEVE_MARK("reference/nominated/of-another-scheduler");
      continue;
    }
    if (!pod->scheduling_gates.empty()) {
      if (situation.release == Release::k1_36) {
        REPRIEVE_MARK("reference/nominated/gated-1.36");
        continue;
      }
      REPRIEVE_MARK("reference/nominated/gated-1.37");
    }
    pods.push_back(pod);
  }
  return pods;
}

}  // namespace reprieve::reference
