#include "reprieve/reference/clearing.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
namespace reprieve::reference {

std::vector<std::string> cleared_by(const Situation& situation, const Candidate& chosen) {
  const bool all_terminating = std::ranges::all_of(
      chosen.victims, [](const Pod* victim) { return victim->deletion_time_us.has_value(); });
  if (all_terminating) {
    REPRIEVE_MARK("reference/clear/nothing-as-all-terminate");
    return {};
  }
  std::vector<std::string> cleared;
  for (const Pod* pod : nominated_pods(situation, situation.nodes[chosen.node].node->name)) {
    if (pod->priority < situation.preemptor.priority) {
      REPRIEVE_MARK("reference/clear/less-important-nomination");
      cleared.push_back(full_name(*pod));
    } else {
      REPRIEVE_MARK("reference/clear/keeps-a-nomination");
    }
  }
  return cleared;
}

std::vector<std::string> cleared_without_candidate(const Pod& preemptor) {
  if (preemptor.nominated_node_name.empty()) return {};
  REPRIEVE_MARK("reference/clear/own-nomination");
  return {full_name(preemptor)};
}

}  // namespace reprieve::reference
