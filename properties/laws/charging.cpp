#include "reprieve/properties/laws/charging.h"

#include <algorithm>

#include "reprieve/reference/selectors.h"

namespace reprieve::laws {

bool selects(const DisruptionBudget& budget, const Pod& pod) {
  if (budget.namespace_ != pod.namespace_ || pod.labels.empty() || !budget.selector) return false;
  const LabelSelector& selector = *budget.selector;
  return !reference::is_empty(selector) && reference::is_valid(selector) &&
         reference::matches(selector, pod.labels);
}

std::vector<ChargedPod> charge(const Cluster& cluster, Charging rule, std::span<const Pod* const> pods) {
  std::vector<std::int64_t> left;
  for (const DisruptionBudget& budget : cluster.budgets) left.push_back(budget.disruptions_allowed);
  std::vector<ChargedPod> charged;
  charged.reserve(pods.size());
  for (const Pod* pod : pods) {
    ChargedPod& entry = charged.emplace_back(ChargedPod{.pod = pod, .charges = {}});
    for (std::size_t i = 0; i < cluster.budgets.size(); ++i) {
      if (!selects(cluster.budgets[i], *pod)) continue;
      const bool disrupted = cluster.budgets[i].disrupted_pods.contains(pod->name);
      if (!disrupted) --left[i];
      entry.charges.push_back({.budget = i, .left = left[i], .disrupted = disrupted});
      if (disrupted || left[i] >= 0) continue;
      entry.violating = true;
      if (rule == Charging::kUntilViolated) break;
    }
  }
  return charged;
}

std::int64_t count_violating(const std::vector<ChargedPod>& pods) {
  return std::ranges::count(pods, true, &ChargedPod::violating);
}

}  // namespace reprieve::laws
