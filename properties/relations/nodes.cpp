#include "reprieve/properties/relations/nodes.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "reprieve/properties/relations/fresh.h"

namespace reprieve::relations {
namespace {

using generators::Random;

constexpr std::string_view kCordoned = "node.kubernetes.io/unschedulable";

Pod* find_preemptor(Case& question) {
  const auto at = std::ranges::find(question.cluster.pods, question.preemptor, full_name);
  return at == question.cluster.pods.end() ? nullptr : &*at;
}
const Pod* find_preemptor(const Case& question) {
  const auto at = std::ranges::find(question.cluster.pods, question.preemptor, full_name);
  return at == question.cluster.pods.end() ? nullptr : &*at;
}

}  // namespace

std::optional<std::string> losing_candidate(const Decision& decision, Random& random) {
  std::vector<std::string> losers;
  for (const NodeDecision& node : decision.nodes) {
    const bool tied = std::ranges::find(decision.nominated, node.node) != decision.nominated.end();
    if (node.status == NodeStatus::kCandidate && !tied) losers.push_back(node.node);
  }
  if (losers.empty()) return std::nullopt;
  return random.pick(losers);
}

Case with_node_cordoned(Case question, std::string_view node) {
  const auto at = std::ranges::find(question.cluster.nodes, node, &Node::name);
  if (at != question.cluster.nodes.end()) at->unschedulable = true;
  return question;
}

bool may_tolerate_cordon(const Case& question) {
  const Pod* preemptor = find_preemptor(question);
  return preemptor == nullptr ||
         std::ranges::any_of(preemptor->tolerations, [](const Toleration& toleration) {
           return toleration.key.empty() || toleration.key == kCordoned;
         });
}

Case without_node(Case question, std::string_view node) {
  std::erase_if(question.cluster.nodes, [&](const Node& other) { return other.name == node; });
  std::erase_if(question.cluster.pods, [&](const Pod& pod) { return pod.node_name == node; });
  return question;
}

Duplicated with_node_duplicated(Case question, std::string_view node, Random& random) {
  Cluster& cluster = question.cluster;
  const std::string copy = fresh_name(random);
  const auto at = std::ranges::find(cluster.nodes, node, &Node::name);
  if (at == cluster.nodes.end()) return {.question = std::move(question), .copy = {}};
  Node twin = *at;
  twin.name = copy;
  cluster.nodes.insert(cluster.nodes.begin() + random.below(static_cast<int>(cluster.nodes.size()) + 1),
                       twin);

  // What may be attached there, and what is attached of no pod's.
  for (std::size_t i = 0, count = cluster.csi_nodes.size(); i < count; ++i) {
    if (cluster.csi_nodes[i].name != node) continue;
    cluster.csi_nodes.push_back(CsiNode(cluster.csi_nodes[i]));
    cluster.csi_nodes.back().name = copy;
  }
  for (std::size_t i = 0, count = cluster.volume_attachments.size(); i < count; ++i) {
    if (cluster.volume_attachments[i].node_name != node) continue;
    cluster.volume_attachments.push_back(VolumeAttachment(cluster.volume_attachments[i]));
    cluster.volume_attachments.back().name = fresh_name(random);
    cluster.volume_attachments.back().node_name = copy;
  }

  NameMap copies;  // full name to full name
  std::vector<Pod> added;
  for (const Pod& pod : cluster.pods) {
    const bool runs = pod.node_name == node;
    const bool nominated = pod.node_name.empty() && pod.nominated_node_name == node;
    if ((!runs && !nominated) || full_name(pod) == question.preemptor) continue;
    Pod& other = added.emplace_back(pod);
    other.name = fresh_name(random);
    other.uid.clear();
    (runs ? other.node_name : other.nominated_node_name) = copy;
    copies.emplace(full_name(pod), full_name(other));
    for (DisruptionBudget& budget : cluster.budgets) {
      if (budget.namespace_ == pod.namespace_ && budget.disrupted_pods.contains(pod.name)) {
        budget.disrupted_pods.insert(other.name);
      }
    }
  }
  cluster.pods.insert(cluster.pods.end(), added.begin(), added.end());
  for (Extender& extender : question.extenders) {
    if (!extender.answer) continue;
    const auto answer = extender.answer->find(node);
    if (answer == extender.answer->end()) continue;
    ExtenderVictims victims = answer->second;
    for (std::string& victim : victims.victims) {
      const auto found = copies.find(victim);
      if (found != copies.end()) victim = found->second;
    }
    extender.answer->emplace(copy, std::move(victims));
  }
  return {.question = std::move(question), .copy = copy};
}

Case with_more_room(Case question, Random& random) {
  for (Node& node : question.cluster.nodes) {
    for (auto& [name, quantity] : node.allocatable) quantity.units += random.below(3);
    if (random.percent(10)) node.allocatable["example.com/more"] = {.units = 1, .milli = 0};
  }
  return question;
}

std::optional<Case> with_higher_priority(Case question, Random& random) {
  Pod* preemptor = find_preemptor(question);
  constexpr std::int64_t kTop = std::numeric_limits<std::int32_t>::max();
  if (preemptor == nullptr || preemptor->priority == kTop) return std::nullopt;
  // Just above another pod, or by a little.
  std::int64_t priority = preemptor->priority + std::int64_t{1};
  const Pod& other = random.pick(question.cluster.pods);
  if (random.coin()) priority = std::max(priority, other.priority + std::int64_t{1});
  preemptor->priority = static_cast<std::int32_t>(std::min(priority, kTop));
  return question;
}

}  // namespace reprieve::relations
