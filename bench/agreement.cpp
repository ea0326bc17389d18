#include "reprieve/bench/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

}  // namespace reprieve::bench
