// Apart from the other comparisons: what only counts instructions need not be built with the reference.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/bench/agreement.h"
#include "reprieve/reference/decide.h"

namespace reprieve::bench {

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
