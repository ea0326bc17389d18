// What a set of victims may cost, level by level of the nodeOrder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/problem.h"

namespace reprieve::engine::exact {

/// A level that is not limited is unlimited.
struct Limits {
  std::int64_t violations = kUnlimited;
  std::size_t first = 0;                     // pods before this one stay
  std::int64_t first_priority = kUnlimited;  // of the first victim
  std::int64_t sum = kUnlimited;             // of shifted priorities
  std::int64_t count = kUnlimited;
  std::int64_t start_us = -kUnlimited;  // the earliest start of the victims of the highest priority, at least
  std::int64_t touched = kUnlimited;    // budgets
  Fraction<std::int64_t> share{1, 0};
  bool below_share = false;  // less than `share`, not just at most
  /// Not a limit but what is known: no set within the limits has fewer victims.
  std::int64_t least_count = 0;
};

/// What sets within the limits have in common.
struct Scope {
  std::vector<std::uint8_t> allowed;  // by pod: whether it may go at all
  std::int64_t least = kUnlimited;    // shifted priority of those, the least and the most
  std::int64_t most = 0;

  /// What a set may cost beyond the least that its number of victims does: its sum is at least
  /// `least_count * least`. kUnlimited when nothing is known, or when no set is within the limits.
  std::int64_t most_extra(const Limits& limits) const {
    if (limits.sum == kUnlimited || least == kUnlimited || limits.least_count == kUnlimited)
      return kUnlimited;
    return limits.sum - limits.least_count * least;
  }
};

/// A pod that is charged to a budget which allows nothing violates it, or one before it.
void read_scope(const Problem& problem, const Limits& limits, Scope& scope);

}  // namespace reprieve::engine::exact
