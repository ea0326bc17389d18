// Bounds for a whole problem, before any search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/bounds.h"
#include "reprieve/engine/exact/problem.h"

namespace reprieve::engine::exact {

class RootBounds {
 public:
  /// Of sets of the `allowed` pods.
  void read(const Problem& problem, std::span<const std::uint8_t> allowed);

  /// The fewest violations, and the fewest victims with at most so many violations, with which each row
  /// by itself can be met; kUnlimited: not at all.
  std::int64_t least_violations() const;
  std::int64_t least_count(std::int64_t violations) const;

 private:
  bool meets(std::int64_t count, std::int64_t violations) const;

  struct Sums {
    std::int64_t need = 0;
    std::vector<std::int64_t> free, costly;  // as most_freed() wants them
  };
  std::size_t rows_ = 0;
  std::int64_t size_ = 0;
  std::vector<Sums> sums_;
  std::vector<std::uint32_t> sorted_;
  std::vector<std::int64_t> taken_;  // by budget
};

}  // namespace reprieve::engine::exact
