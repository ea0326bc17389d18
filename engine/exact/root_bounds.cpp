#include "reprieve/engine/exact/root_bounds.h"

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

void RootBounds::read(const Problem& problem, std::span<const std::uint8_t> allowed) {
  rows_ = problem.rows;
  size_ = static_cast<std::int64_t>(problem.size);
  if (sums_.size() < rows_) sums_.resize(rows_);
  sorted_.clear();
  for (std::uint32_t i = 0; i < problem.size; ++i) {
    if (allowed[i] != 0) sorted_.push_back(i);
  }
  for (std::size_t r = 0; r < rows_; ++r) {
    const auto weights = problem.weights_of(r);
    std::ranges::sort(sorted_, [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
    Sums& sums = sums_[r];
    sums.need = problem.need[r];
    sums.free.assign(1, 0);
    sums.costly.assign(1, 0);
    taken_.assign(problem.allowed.size(), 0);
    for (const std::uint32_t i : sorted_) {
      const std::uint32_t budget = problem.assigned[i];
      const bool free = budget == Problem::kNoBudget || taken_[budget] < problem.allowed[budget];
      if (budget != Problem::kNoBudget) ++taken_[budget];
      std::vector<std::int64_t>& to = free ? sums.free : sums.costly;
      to.push_back(to.back() + weights[i]);
    }
  }
}

bool RootBounds::meets(std::int64_t count, std::int64_t violations) const {
  for (const Sums& sums : std::span(sums_).first(rows_)) {
    const std::int64_t most =
        most_freed<std::int64_t>(sums.free, sums.costly, static_cast<std::size_t>(std::min(count, size_)),
                                 static_cast<std::size_t>(std::min(violations, size_)));
    if (falls_short<std::int64_t>(sums.need, 0, most)) return false;
  }
  return true;
}

std::int64_t RootBounds::least_violations() const {
  for (std::int64_t violations = 0; violations <= size_; ++violations) {
    if (meets(2 * size_, violations))
      return REPRIEVE_MUTANT("exact-root-violations-one-more", violations, violations + 1);
  }
  return kUnlimited;
}

std::int64_t RootBounds::least_count(std::int64_t violations) const {
  for (std::int64_t count = 0; count <= size_; ++count) {
    if (meets(count, violations)) return REPRIEVE_MUTANT("exact-root-count-one-more", count, count + 1);
  }
  return kUnlimited;
}

}  // namespace reprieve::engine::exact
