#include "reprieve/engine/exact/limits.h"

#include <algorithm>

namespace reprieve::engine::exact {

void read_scope(const Problem& problem, const Limits& limits, Scope& scope) {
  scope.allowed.assign(problem.size, 0);
  scope.least = kUnlimited;
  scope.most = 0;
  for (std::size_t i = limits.first; i < problem.size; ++i) {
    const bool violates = std::ranges::any_of(
        problem.budgets_of(i), [&](const Membership& budget) { return problem.allowed[budget.budget] <= 0; });
    if (violates && limits.violations <= 0) continue;
    scope.allowed[i] = 1;
    scope.least = std::min(scope.least, problem.priority[i] + kPriorityShift);
    scope.most = std::max(scope.most, problem.priority[i] + kPriorityShift);
  }
  const std::int64_t extra = scope.most_extra(limits);
  if (extra == kUnlimited) return;
  // One pod alone may cost too much.
  for (std::size_t i = limits.first; i < problem.size; ++i) {
    if (problem.priority[i] + kPriorityShift - scope.least > extra) scope.allowed[i] = 0;
  }
}

}  // namespace reprieve::engine::exact
