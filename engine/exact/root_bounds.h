// Bounds for a whole problem, before any search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/bounds.h"
#include "reprieve/engine/exact/problem.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

template <class Int>
class BasicRootBounds {
 public:
  /// Of sets of the `allowed` pods.
  void read(const BasicProblem<Int>& problem, std::span<const std::uint8_t> allowed);

  /// The fewest violations, and the fewest victims with at most so many violations, with which each row
  /// by itself can be met; kUnlimited: not at all.
  Int least_violations() const;
  Int least_count(const Int& violations) const;

 private:
  bool meets(const Int& count, const Int& violations) const;

  struct Sums {
    Int need = 0;
    std::vector<Int> free, costly;  // as most_freed() wants them
  };
  std::size_t rows_ = 0;
  std::int64_t size_ = 0;
  std::vector<Sums> sums_;
  std::vector<std::uint32_t> sorted_;
  std::vector<std::int64_t> taken_;  // by budget
};
using RootBounds = BasicRootBounds<std::int64_t>;

template <class Int>
void BasicRootBounds<Int>::read(const BasicProblem<Int>& problem, std::span<const std::uint8_t> allowed) {
  rows_ = problem.rows;
  size_ = static_cast<std::int64_t>(problem.size);
  if (sums_.size() < rows_) sums_.resize(rows_);
  sorted_.clear();
  for (std::uint32_t i = 0; i < problem.size; ++i) {
    if (allowed[i] != 0) sorted_.push_back(i);
  }
  for (std::size_t r = 0; r < rows_; ++r) {
    const auto weights = problem.weights_of(r);
    std::ranges::sort(sorted_, [&](std::uint32_t a, std::uint32_t b) {
      return static_cast<bool>(weights[a] > weights[b]);
    });
    Sums& sums = sums_[r];
    sums.need = problem.need[r];
    sums.free.assign(1, 0);
    sums.costly.assign(1, 0);
    taken_.assign(problem.allowed.size(), 0);
    for (const std::uint32_t i : sorted_) {
      const std::uint32_t budget = problem.assigned[i];
      const bool free = budget == BasicProblem<Int>::kNoBudget || taken_[budget] < problem.allowed[budget];
      if (budget != BasicProblem<Int>::kNoBudget) ++taken_[budget];
      std::vector<Int>& to = free ? sums.free : sums.costly;
      to.push_back(to.back() + weights[i]);
    }
  }
}

template <class Int>
bool BasicRootBounds<Int>::meets(const Int& count, const Int& violations) const {
  for (const Sums& sums : std::span(sums_).first(rows_)) {
    const Int most = most_freed<Int>(sums.free, sums.costly, to_size(std::min<Int>(count, size_)),
                                     to_size(std::min<Int>(violations, size_)));
    if (falls_short<Int>(sums.need, 0, most)) return false;
  }
  return true;
}

template <class Int>
Int BasicRootBounds<Int>::least_violations() const {
  for (std::int64_t violations = 0; violations <= size_; ++violations) {
    if (meets(2 * size_, violations))
      return REPRIEVE_MUTANT("exact-root-violations-one-more", violations, violations + 1);
  }
  return kUnlimited;
}

template <class Int>
Int BasicRootBounds<Int>::least_count(const Int& violations) const {
  for (std::int64_t count = 0; count <= size_; ++count) {
    if (meets(count, violations)) return REPRIEVE_MUTANT("exact-root-count-one-more", count, count + 1);
  }
  return kUnlimited;
}

}  // namespace reprieve::engine::exact
