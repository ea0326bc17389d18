#include "reprieve/reference/budgets.h"

#include "reprieve/marks/mark.h"
#include "reprieve/reference/selectors.h"

namespace reprieve::reference {

bool selects(const DisruptionBudget& budget, const Pod& pod) {
  if (budget.namespace_ != pod.namespace_) return false;
  if (!budget.selector) {
    REPRIEVE_MARK("reference/budget/without-a-selector");
    return false;
  }
  if (is_empty(*budget.selector)) {
    REPRIEVE_MARK("reference/budget/empty-selector");
    return false;
  }
  if (!is_valid(*budget.selector)) {
    REPRIEVE_MARK("reference/budget/invalid-selector");
    return false;
  }
  if (!matches(*budget.selector, pod.labels)) return false;
  if (pod.labels.empty()) {
    REPRIEVE_MARK("reference/budget/pod-without-labels");
    return false;
  }
  return true;
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
