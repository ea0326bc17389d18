// For one row (or a sum of rows) of a problem: the most that the pods from each place on can free.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/bounds.h"
#include "reprieve/engine/exact/problem.h"

namespace reprieve::engine::exact {

/// Above so many victims a limit on their number is not looked at, for the sake of the tables' size.
inline constexpr std::int64_t kMostCounted = 256;

template <class Int>
class BasicCoverTable {
 public:
  /// `values`: what each pod frees; a negative one counts as a pod that had better stay. Only pods that
  /// are `allowed` to go count. `count` and `violations`: as many as will ever be asked for, kUnlimited:
  /// no limit.
  void build(const BasicProblem<Int>& problem, std::span<const Int> values,
             std::span<const std::uint8_t> allowed, const Int& count, const Int& violations);

  /// The most that pods from `place` on can free, with at most so many victims and violations.
  Int most(std::size_t place, const Int& count, const Int& violations) const {
    const std::span<const Int> costly(costly_.data() + place * costly_width_, costly_width_);
    if (count >= counted_) {
      return all_free_[place] + costly[to_size(std::min<Int>(violations, std::ssize(costly) - 1))];
    }
    return most_freed<Int>({free_.data() + place * free_width_, free_width_}, costly, to_size(count),
                           to_size(violations));
  }

 private:
  void add(const BasicProblem<Int>& problem, std::size_t pod, const Int& value);
  static void insert_sorted(std::vector<Int>& values, const Int& value) {
    const auto is_larger = [](const Int& a, const Int& b) { return static_cast<bool>(a > b); };
    values.insert(std::upper_bound(values.begin(), values.end(), value, is_larger), value);
  }
  static void write_sums(std::span<const Int> values, std::span<Int> sums) {
    sums[0] = 0;
    for (std::size_t k = 1; k < sums.size(); ++k) {
      sums[k] = sums[k - 1] + (k <= values.size() ? values[k - 1] : Int(0));
    }
  }

  std::size_t free_width_ = 1;
  std::size_t costly_width_ = 1;
  std::int64_t counted_ = 0;  // from this count on it is no limit
  std::vector<Int> free_, costly_, all_free_;
  // While building: sorted, largest first.
  bool every_pod_is_free_ = false;
  std::vector<Int> free_values_, costly_values_;
  std::vector<std::vector<Int>> of_budget_;  // the largest of each, as many as it allows
};
using CoverTable = BasicCoverTable<std::int64_t>;

// Largest of a budget first: as many as it allows are free, and a larger one takes the place of the
// smallest of them.
template <class Int>
void BasicCoverTable<Int>::add(const BasicProblem<Int>& problem, std::size_t pod, const Int& value) {
  const std::uint32_t budget = problem.assigned[pod];
  if (every_pod_is_free_ || budget == BasicProblem<Int>::kNoBudget) return insert_sorted(free_values_, value);
  std::vector<Int>& largest = of_budget_[budget];
  if (std::ssize(largest) < problem.allowed[budget]) {
    insert_sorted(largest, value);
    return insert_sorted(free_values_, value);
  }
  if (largest.empty() || value <= largest.back()) return insert_sorted(costly_values_, value);
  const Int displaced = largest.back();
  largest.pop_back();
  insert_sorted(largest, value);
  free_values_.erase(std::find_if(free_values_.begin(), free_values_.end(),
                                  [&](const Int& one) { return static_cast<bool>(one == displaced); }));
  insert_sorted(free_values_, value);
  insert_sorted(costly_values_, displaced);
}

template <class Int>
void BasicCoverTable<Int>::build(const BasicProblem<Int>& problem, std::span<const Int> values,
                                 std::span<const std::uint8_t> allowed, const Int& count,
                                 const Int& violations) {
  const auto size = static_cast<std::int64_t>(problem.size);
  // As many as there are pods are no limit either.
  const bool counts = static_cast<bool>(count <= kMostCounted);
  const std::size_t counted = counts ? to_size(std::min<Int>(count, size)) : 0;
  counted_ = counts ? static_cast<std::int64_t>(counted) + 1 : 0;
  free_width_ = counted + 1;
  every_pod_is_free_ = static_cast<bool>(violations >= size);
  costly_width_ = (every_pod_is_free_ ? 0 : to_size(violations)) + 1;
  free_.resize((problem.size + 1) * free_width_);
  costly_.resize((problem.size + 1) * costly_width_);
  all_free_.resize(problem.size + 1);
  free_values_.clear();
  costly_values_.clear();
  if (of_budget_.size() < problem.allowed.size()) of_budget_.resize(problem.allowed.size());
  for (std::size_t budget = 0; budget < problem.allowed.size(); ++budget) of_budget_[budget].clear();

  for (std::size_t place = problem.size + 1; place-- > 0;) {
    if (place < problem.size && allowed[place] != 0 && values[place] > 0) add(problem, place, values[place]);
    write_sums(free_values_, std::span(free_).subspan(place * free_width_, free_width_));
    write_sums(costly_values_, std::span(costly_).subspan(place * costly_width_, costly_width_));
    Int all = 0;
    for (const Int& value : free_values_) all += value;
    all_free_[place] = all;
  }
}

}  // namespace reprieve::engine::exact
