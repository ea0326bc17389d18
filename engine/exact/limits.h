// What a set of victims may cost, level by level of the nodeOrder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/problem.h"

namespace reprieve::engine::exact {

/// A level that is not limited is unlimited.
template <class Int>
struct BasicLimits {
  Int violations = kUnlimited;
  std::size_t first = 0;            // pods before this one stay
  Int first_priority = kUnlimited;  // of the first victim
  Int sum = kUnlimited;             // of shifted priorities
  Int count = kUnlimited;
  Int start_us = -kUnlimited;  // the earliest start of the victims of the highest priority, at least
  Int touched = kUnlimited;    // budgets
  Fraction<Int> share{1, 0};
  bool below_share = false;  // less than `share`, not just at most
  /// Not a limit but what is known: no set within the limits has fewer victims.
  Int least_count = 0;
};
using Limits = BasicLimits<std::int64_t>;

/// What sets within the limits have in common.
template <class Int>
struct BasicScope {
  std::vector<std::uint8_t> allowed;  // by pod: whether it may go at all
  Int least = kUnlimited;             // shifted priority of those, the least and the most
  Int most = 0;

  /// What a set may cost beyond the least that its number of victims does: its sum is at least
  /// `least_count * least`. kUnlimited when nothing is known, or when no set is within the limits.
  Int most_extra(const BasicLimits<Int>& limits) const {
    if (limits.sum == kUnlimited || least == kUnlimited || limits.least_count == kUnlimited)
      return kUnlimited;
    return limits.sum - limits.least_count * least;
  }
};
using Scope = BasicScope<std::int64_t>;

/// A pod that is charged to a budget which allows nothing violates it, or one before it.
template <class Int>
void read_scope(const BasicProblem<Int>& problem, const BasicLimits<Int>& limits, BasicScope<Int>& scope) {
  scope.allowed.assign(problem.size, 0);
  scope.least = kUnlimited;
  scope.most = 0;
  for (std::size_t i = limits.first; i < problem.size; ++i) {
    const bool violates = std::ranges::any_of(problem.budgets_of(i), [&](const Membership& budget) {
      return static_cast<bool>(problem.allowed[budget.budget] <= 0);
    });
    if (violates && limits.violations <= 0) continue;
    scope.allowed[i] = 1;
    scope.least = std::min(scope.least, problem.priority[i] + kPriorityShift);
    scope.most = std::max(scope.most, problem.priority[i] + kPriorityShift);
  }
  const Int extra = scope.most_extra(limits);
  if (extra == kUnlimited) return;
  // One pod alone may cost too much.
  for (std::size_t i = limits.first; i < problem.size; ++i) {
    if (problem.priority[i] + kPriorityShift - scope.least > extra) scope.allowed[i] = 0;
  }
}

}  // namespace reprieve::engine::exact
