// One node's choice of victims as numbers: which of its potential victims may go, what each frees, and
// what it costs. Everything that the search reads; nothing here refers to the cluster.
//
// Problem, search and bounds are templates over the integer and use of it nothing but its operators, so
// that what ships can also be executed on symbolic integers (smt/theorems/exact_theorems.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reprieve/engine/filters/chain.h"
#include "reprieve/engine/index.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

/// A missing start time: later than every other.
inline constexpr std::int64_t kNow = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kPriorityShift = std::int64_t{1} << 31;

/// Pods are numbered in order of importance, the most important first.
///
/// A set of victims makes room when in every row the weights of its pods add up to the need. A row is a
/// resource of which the preemptor asks for more than is free, or the number of pods; needs are
/// positive, weights never negative. With `checked` making room is not enough: the filters must be
/// asked as well.
template <class Int>
struct BasicProblem {
  std::size_t size = 0;
  std::size_t rows = 0;
  std::vector<Int> need;
  std::vector<Int> weight;  // of pod i in row r at [r * size + i]
  std::vector<Int> priority;
  std::vector<Int> start_us;
  bool checked = false;
  // All that the pods request, for their share of the node; empty unless a level asks for it.
  std::vector<Int> allocatable;  // by resource
  std::vector<Int> requested;    // of pod i of resource c at [c * size + i]

  // Budgets that a pod is charged to, by numbers of their own, in order; not those that already count
  // it as disrupted.
  Charging charging = Charging::kEveryBudget;
  std::vector<std::uint32_t> budgets_at;  // of pod i: budgets[budgets_at[i]] to budgets[budgets_at[i + 1]]
  std::vector<Membership> budgets;
  std::vector<Int> allowed;  // by budget
  bool overlapping = false;  // some pod is charged to more than one
  /// One of the budgets of each pod, the one that allows least; kNoBudget: none.
  std::vector<std::uint32_t> assigned;
  static constexpr std::uint32_t kNoBudget = 0xffffffffU;

  std::span<const Membership> budgets_of(std::size_t pod) const {
    return {budgets.data() + budgets_at[pod], budgets.data() + budgets_at[pod + 1]};
  }
  std::span<const Int> weights_of(std::size_t row) const { return {weight.data() + row * size, size}; }

  /// Pods get their budgets in turn: begin, then for each pod its budgets and the end of them.
  void begin_budgets() {
    budgets_at.assign(1, 0);
    budgets.clear();
    assigned.assign(size, kNoBudget);
    overlapping = false;
  }
  void charge_to(std::size_t pod, std::uint32_t budget) {
    budgets.push_back({budget, false});
    if (assigned[pod] == kNoBudget || allowed[budget] < allowed[assigned[pod]]) assigned[pod] = budget;
  }
  void end_budgets_of(std::size_t pod) {
    budgets_at.push_back(static_cast<std::uint32_t>(budgets.size()));
    if (budgets_of(pod).size() > 1) overlapping = true;
  }
};
using Problem = BasicProblem<std::int64_t>;

/// A row in a coarser unit, one that divides all its weights: the need is rounded up. No sum of weights lies
/// between it and that multiple, so nothing is lost.
template <class Int>
Int need_in_units(const Int& need, std::int64_t unit) {
  const Int whole = need / Int(unit);
  const bool is_more = static_cast<bool>(whole * Int(unit) < need);
  return whole + (REPRIEVE_MUTANT("exact-rounds-needs-down", is_more, false) ? 1 : 0);
}

/// A number that is not negative, to count or to index with.
inline std::size_t to_size(std::int64_t number) { return static_cast<std::size_t>(number); }

/// Fills problems; keeps its memory.
class ProblemReader {
 public:
  /// `node` was entered into the chain and stands as the cluster does; `potential` are its potential
  /// victims, the most important first.
  void read(const Index& index, const FilterChain& chain, const Policy& policy,
            std::span<const PodId> potential, Problem& problem);

 private:
  std::uint32_t number_of(const Index& index, BudgetId budget, Problem& problem);

  std::vector<std::uint32_t> numbers_;  // by budget; valid when stamped
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
};

}  // namespace reprieve::engine::exact
