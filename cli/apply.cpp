#include "reprieve/cli/apply.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace reprieve::cli {

namespace {

const NodeDecision* find_node(const Decision& decision, std::string_view name) {
  const auto at = std::ranges::find(decision.nodes, name, &NodeDecision::node);
  return at == decision.nodes.end() ? nullptr : &*at;
}

/// The node to bind to when no eviction is needed.
std::string fitting_node(const Decision& decision, const Pod& pod) {
  const NodeDecision* nominated = find_node(decision, pod.nominated_node_name);
  if (nominated != nullptr && nominated->status == NodeStatus::kFits) return nominated->node;
  const auto first = std::ranges::find(decision.nodes, NodeStatus::kFits, &NodeDecision::status);
  return first == decision.nodes.end() ? std::string() : first->node;
}

}  // namespace

std::string apply(const Decision& decision, std::string_view preemptor, Cluster& cluster) {
  const std::unordered_set<std::string_view> cleared(decision.cleared.begin(), decision.cleared.end());
  if (!cleared.empty()) {
    for (Pod& pod : cluster.pods) {
      if (!pod.nominated_node_name.empty() && cleared.contains(full_name(pod)))
        pod.nominated_node_name.clear();
    }
  }
  const auto is_preemptor = [&](const Pod& pod) { return full_name(pod) == preemptor; };
  const auto pod = std::ranges::find_if(cluster.pods, is_preemptor);
  if (pod == cluster.pods.end()) return {};

  if (decision.outcome == Outcome::kFits) {
    pod->node_name = fitting_node(decision, *pod);
    pod->nominated_node_name.clear();
    return pod->node_name;
  }
  if (decision.outcome != Outcome::kNominated || decision.nominated.empty()) return {};

  pod->nominated_node_name = decision.nominated.front();
  if (const NodeDecision* chosen = find_node(decision, decision.nominated.front())) {
    const std::unordered_set<std::string_view> victims(chosen->victims.begin(), chosen->victims.end());
    std::erase_if(cluster.pods, [&](const Pod& other) {
      return other.node_name == chosen->node && victims.contains(full_name(other));
    });
  }
  return decision.nominated.front();
}

}  // namespace reprieve::cli
