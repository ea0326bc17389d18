// PodDisruptionBudgets, at the edge: what they allow is about what is going to be charged.
#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

std::optional<LabelSelector> budget_selector(Draft& draft) {
  if (draft.now(Feature::kBudgetSelectors)) {
    const int dice = draft.random.below(6);
    if (dice == 0) return std::nullopt;     // absent: selects nothing
    if (dice == 1) return LabelSelector{};  // empty: the scheduler skips it
  }
  LabelSelector selector;
  if (draft.has(Feature::kBudgetSelectors)) {
    selector = pod_selector(draft);
  } else {
    selector.match_labels["app"] = label_value(draft, "app");
  }
  if (draft.now(Feature::kInvalidSelectors)) spoil(draft, selector);
  return selector;
}

/// One for each value of a label in each namespace, so that victims differ in how many they touch and in
/// nothing else.
void add_generous_budgets(Draft& draft) {
  int number = 0;
  for (const std::string& ns : draft.namespaces) {
    for (const char* app : {"a", "b"}) {
      draft.cluster().budgets.push_back({.namespace_ = ns,
                                         .name = draft.numbered("g", ++number),
                                         .selector = LabelSelector{.match_labels = {{"app", app}}},
                                         .disruptions_allowed = 100});
    }
  }
}

}  // namespace

void add_budgets(Draft& draft) {
  if (draft.generous_budgets) {
    add_generous_budgets(draft);
    if (draft.random.percent(70)) return;
  }
  if (!draft.has(Feature::kBudgets) || draft.settings.max_budgets <= 0) return;
  static constexpr std::array kAllowed = {0, 0, 0, 1, 1, 2, 3};
  const int count = draft.random.between(1, draft.settings.max_budgets);
  for (int i = 1; i <= count; ++i) {
    DisruptionBudget budget;
    budget.namespace_ = draft.a_namespace();
    budget.name = draft.numbered("b", i);
    budget.selector = budget_selector(draft);
    budget.disruptions_allowed = draft.random.pick(kAllowed);
    while (draft.now(Feature::kDisruptedPods) && !draft.cluster().pods.empty() &&
           budget.disrupted_pods.size() < 3) {
      budget.disrupted_pods.insert(draft.random.pick(draft.cluster().pods).name);
    }
    draft.cluster().budgets.push_back(std::move(budget));
  }
  // Charging may stop at the first budget that is exhausted, so which one comes first has to vary.
  if (draft.random.percent(30)) draft.random.shuffle(draft.cluster().budgets);
}

}  // namespace reprieve::generators
