#include "reprieve/cli/apply.h"

#include <algorithm>
#include <string_view>

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

Consequences consequences(const Decision& decision, const Pod& preemptor, const PodIndex& pods) {
  Consequences result;
  Pod after = preemptor;
  for (const std::string& name : decision.cleared) {
    if (name == full_name(preemptor)) {
      after.nominated_node_name.clear();
    } else if (const Pod* pod = pods.find(name)) {
      result.changed.push_back(*pod);
      result.changed.back().nominated_node_name.clear();
    }
  }
  if (decision.outcome == Outcome::kFits) {
    result.node = after.node_name = fitting_node(decision, preemptor);
    after.nominated_node_name.clear();
  } else if (decision.outcome == Outcome::kNominated && !decision.nominated.empty()) {
    result.node = after.nominated_node_name = decision.nominated.front();
    if (const NodeDecision* chosen = find_node(decision, result.node)) result.gone = chosen->victims;
  }
  if (after != preemptor) result.changed.push_back(std::move(after));
  return result;
}

}  // namespace reprieve::cli
