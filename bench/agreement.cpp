#include "reprieve/bench/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reprieve/reference/decide.h"

namespace reprieve::bench {
namespace {

const NodeDecision* find(const Decision& decision, const std::string& node) {
  const auto at = std::ranges::find(decision.nodes, node, &NodeDecision::node);
  return at == decision.nodes.end() ? nullptr : &*at;
}

}  // namespace

std::string answer_difference(const Decision& one, const Decision& other) {
  if (one.outcome != other.outcome) {
    return fmt::format("{} ({}) against {} ({})", to_string(one.outcome), one.reason,
                       to_string(other.outcome), other.reason);
  }
  if (one.nominated != other.nominated) {
    const auto shown = [](const Decision& decision) {
      const auto& all = decision.nominated;
      return fmt::format("{} nodes from {}", all.size(), all.empty() ? "" : all.front());
    };
    return fmt::format("the tie is {} against {}", shown(one), shown(other));
  }
  if (one.cleared != other.cleared) return "other nominations are cleared";
  for (const std::string& name : one.nominated) {
    const NodeDecision* left = find(one, name);
    const NodeDecision* right = find(other, name);
    if (left == nullptr || right == nullptr) continue;  // depth answer need not tell of the whole tie
    if (left->victims != right->victims) {
      return fmt::format("on {} the victims are {} against {}", name, fmt::join(left->victims, " "),
                         fmt::join(right->victims, " "));
    }
    if (left->violations != right->violations) return fmt::format("on {} other violations", name);
    if (left->key != right->key) return fmt::format("on {} another key", name);
  }
  return {};
}

std::string disagreement(const Setup& setup, int nodes, std::size_t preemptors) {
  Setup small = setup;
  if (!setup.trace) small.settings.nodes = std::min(nodes, setup.settings.nodes);
  auto scene = make_scene(small);
  if (!scene) return scene.error();
  const engine::Snapshot snapshot(scene->cluster, scene->policy.release);
  engine::Workspace workspace;
  Case question{.name = setup.name,
                .cluster = std::move(scene->cluster),
                .preemptor = {},
                .policy = scene->policy,
                .extenders = {}};
  for (const std::vector<std::string>& askers : scene->askers) {
    for (std::size_t k = 0; k < std::min(askers.size(), preemptors); ++k) {
      question.preemptor = askers[k];
      const Decision answer =
          decide(snapshot, question.preemptor, question.policy, {}, engine::Depth::kAnswer, workspace);
      const std::string difference = answer_difference(answer, reference::decide(question));
      if (!difference.empty()) return fmt::format("{}, {}: {}", setup.name, question.preemptor, difference);
    }
  }
  return {};
}

}  // namespace reprieve::bench
