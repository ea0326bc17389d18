// nodeOrder: budgetsTouched. Fewer budgets that select a victim are better, whatever they allow; one that
// lists the victim in disruptedPods is not touched by it.
#pragma once

#include <algorithm>

#include "reprieve/reference/budgets.h"
#include "reprieve/reference/criteria/ranking_key.h"

namespace reprieve::reference::budgets_touched {

inline void measure(const Situation& situation, const Candidate& candidate, CandidateKey& key) {
  key.budgets_touched = 0;
  for (const DisruptionBudget& budget : situation.cluster.budgets) {
    const auto touches = [&budget](const Pod* pod) {
      return selects(budget, *pod) && !budget.disrupted_pods.contains(pod->name);
    };
    if (std::ranges::any_of(candidate.victims, touches)) ++*key.budgets_touched;
  }
}

template <class Int>
auto is_better(const RankingKey<Int>& a, const RankingKey<Int>& b) {
  return a.budgets_touched < b.budgets_touched;
}

}  // namespace reprieve::reference::budgets_touched
