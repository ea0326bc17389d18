#include "reprieve/smt/policy/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/engine/decide.h"
#include "reprieve/reference/decide.h"

namespace reprieve::smt {

std::string contradiction(const Case& question, const std::vector<Foreseen>& foreseen) {
  const Decision decisions[] = {engine::decide(question, engine::Depth::kFull), reference::decide(question)};
  for (std::size_t side = 0; side < 2; ++side) {
    const Decision& decision = decisions[side];
    const char* who = side == 0 ? "the engine" : "the reference";
    if (decision.nodes.size() != foreseen.size())
      return fmt::format("{} says: {} {}", who, to_string(decision.outcome), decision.reason);
    for (std::size_t n = 0; n < foreseen.size(); ++n) {
      const NodeDecision& node = decision.nodes[n];
      std::vector<std::string> victims;
      for (std::size_t i = 0; i < foreseen[n].evicted.size(); ++i) {
        if (foreseen[n].candidate && foreseen[n].evicted[i])
          victims.push_back(fmt::format("default/{}{}", n == 0 ? "a" : "b", i + 1));
      }
      // Pods that are equal in importance may be listed either way.
      std::vector<std::string> listed = node.victims;
      std::ranges::sort(listed);
      if ((node.status == NodeStatus::kCandidate) != foreseen[n].candidate || listed != victims ||
          (foreseen[n].candidate && node.violations != foreseen[n].violations))
        return fmt::format("{} decides otherwise on {}", who, node.node);
    }
  }
  return "";
}

}  // namespace reprieve::smt
