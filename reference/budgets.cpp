#include "reprieve/reference/budgets.h"

#include "reprieve/reference/selectors.h"

namespace reprieve::reference {

bool selects(const DisruptionBudget& budget, const Pod& pod) {
  return budget.namespace_ == pod.namespace_ && !pod.labels.empty() && budget.selector &&
         !is_empty(*budget.selector) && is_valid(*budget.selector) && matches(*budget.selector, pod.labels);
}

Selectable<std::int64_t> resolve_budgets(const Situation& situation, const std::vector<Listed>& pods) {
  Selectable<std::int64_t> question;
  question.charging = situation.policy.charging;
  for (const DisruptionBudget& budget : situation.cluster.budgets) {
    question.allowed.push_back(budget.disruptions_allowed);
  }
  for (const Listed& listed : pods) {
    std::vector<bool>& selected = question.selects.emplace_back();
    std::vector<bool>& disrupted = question.disrupted.emplace_back();
    for (const DisruptionBudget& budget : situation.cluster.budgets) {
      selected.push_back(selects(budget, *listed.pod));
      disrupted.push_back(budget.disrupted_pods.contains(listed.pod->name));
    }
  }
  return question;
}

bool guarantee_binds(const Situation& situation) {
  const BudgetGuarantee& budgets = situation.policy.budgets;
  return budgets.guaranteed &&
         (!budgets.below_priority || situation.preemptor.priority < *budgets.below_priority);
}

}  // namespace reprieve::reference
