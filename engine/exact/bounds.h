// The bounds of the search, each a statement about every choice of victims that keeps within what is
// still allowed. Nothing is rounded: where weights of several rows are added up, the multipliers are
// whole numbers, and any of them make a true statement.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

/// The most that victims can free in one row, when at most `count` go and at most `violations` of them
/// violate a budget.
///
/// `free_sums[k]`: the sum of the k largest weights among pods that may go without a violation: those
/// without a budget and, of each budget, as many of the largest as it allows. `costly_sums[e]`: of the e
/// largest among the others. Both start with 0, for none, and stay level after the last.
///
/// True, because of the victims that one budget selects those beyond what it allows violate, and the
/// t-th largest of these is not larger than the t-th of the others there. With several budgets over one
/// pod it is counted for one of them only; that budget's share of the violations is at least as large.
template <class Int>
Int most_freed(std::span<const Int> free_sums, std::span<const Int> costly_sums, std::size_t count,
               std::size_t violations) {
  const std::size_t most_costly = REPRIEVE_MUTANT("exact-freed-by-the-free-alone",
                                                  std::min({violations, count, costly_sums.size() - 1}), 0);
  Int most = free_sums[std::min(count, free_sums.size() - 1)];
  for (std::size_t costly = 1; costly <= most_costly; ++costly) {
    const Int freed = free_sums[std::min(count - costly, free_sums.size() - 1)] + costly_sums[costly];
    // The steps of both sums become smaller: once it falls it does not rise again.
    if (freed < most) break;
    most = freed;
  }
  return most;
}

/// Whether what was freed and what can still be freed do not make up the need. Sound for a sum of rows
/// with multipliers that are not negative: a set that meets every need meets their sum.
template <class Int>
bool falls_short(const Int& need, const Int& freed, const Int& most) {
  return static_cast<bool>(freed + most < need);
}

/// The lesser of a limit and a quotient; symbolic integers ask no further than to the limit.
inline std::int64_t quotient_up_to(std::int64_t limit, std::int64_t dividend, std::int64_t divisor) {
  return std::min(limit, dividend / divisor);
}

/// How many more victims a limit on the sum of shifted priorities allows, when none of them adds less
/// than `least`; not more than `count`.
template <class Int>
Int more_victims(const Int& count, const Int& limit, const Int& sum, const Int& least) {
  return quotient_up_to(count, limit - sum,
                        REPRIEVE_MUTANT("exact-one-victim-less-for-the-sum", least, least + 1));
}

}  // namespace reprieve::engine::exact
