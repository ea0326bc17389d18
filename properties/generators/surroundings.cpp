// Scripted extenders and sampling.
#include <algorithm>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

ExtenderVictims scripted_victims(Draft& draft, const std::string& node) {
  ExtenderVictims answer;
  for (const Pod& pod : draft.cluster().pods) {
    // Answers need not be subsets of what was asked, but mostly are lower-priority pods of the node.
    const bool plausible = pod.node_name == node && pod.priority < draft.preemptor_priority;
    if (plausible ? draft.random.percent(70) : !pod.node_name.empty() && draft.random.percent(2)) {
      answer.victims.push_back(full_name(pod));
    }
  }
  if (draft.random.percent(20)) draft.random.shuffle(answer.victims);
  if (draft.random.percent(30)) answer.violations = draft.random.below(3);
  return answer;
}

}  // namespace

void add_extenders(Draft& draft) {
  if (!draft.has(Feature::kExtenders)) return;
  const int count = draft.random.between(1, 2);
  for (int i = 1; i <= count; ++i) {
    Extender extender;
    extender.name = draft.numbered("e", i);
    extender.ignorable = draft.random.coin();
    extender.supports_preemption = draft.random.percent(90);
    extender.node_cache_capable = draft.random.percent(30);
    if (draft.random.percent(25)) extender.managed_resources.emplace_back("example.com/gpu");
    if (draft.random.percent(15)) {
      extender.error = "the extender failed";
    } else {
      auto& answer = extender.answer.emplace();
      for (const Node& node : draft.cluster().nodes) {
        if (draft.random.percent(75)) answer[node.name] = scripted_victims(draft, node.name);
      }
    }
    draft.result.extenders.push_back(std::move(extender));
  }
}

void add_sampling(Draft& draft) {
  if (!draft.has(Feature::kSampling) || draft.settings.policy) return;
  draft.result.policy.name = "sampled";
  draft.result.policy.sampling =
      Sampling{.min_percentage = draft.random.below(3) * 50,
               .min_absolute = draft.random.between(1, 3),
               .offset = draft.random.below(std::max(1, draft.settings.max_nodes))};
}

}  // namespace reprieve::generators
