// budgetsTouched: how many budgets select at least one victim, whatever they still allow. A budget that
// lists the pod in its disruptedPods does not count for that pod, as in charging.
#include <algorithm>

#include "reprieve/engine/criteria/criteria.h"

namespace reprieve::engine::criteria {

Fraction<std::int64_t> budgets_touched(const Index& index, std::span<const PodId> victims, Scratch& scratch) {
  std::vector<BudgetId>& touched = scratch.budgets;
  touched.clear();
  for (const PodId pod : victims) {
    for (const BudgetId budget : index.group_of(pod).budgets) {
      if (!index.budgets[budget].disrupted_pods.contains(index.pods[pod].name())) touched.push_back(budget);
    }
  }
  std::ranges::sort(touched);
  const auto repeated = std::ranges::unique(touched);
  return {static_cast<std::int64_t>(touched.size() - repeated.size()), 1};
}

}  // namespace reprieve::engine::criteria
