// For one row (or a sum of rows) of a problem: the most that the pods from each place on can free.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/bounds.h"
#include "reprieve/engine/exact/problem.h"

namespace reprieve::engine::exact {

class CoverTable {
 public:
  /// `values`: what each pod frees; a negative one counts as a pod that had better stay. Only pods that
  /// are `allowed` to go count. `count` and `violations`: as many as will ever be asked for, kUnlimited:
  /// no limit.
  void build(const Problem& problem, std::span<const std::int64_t> values,
             std::span<const std::uint8_t> allowed, std::int64_t count, std::int64_t violations);

  /// The most that pods from `place` on can free, with at most so many victims and violations.
  std::int64_t most(std::size_t place, std::int64_t count, std::int64_t violations) const {
    const std::span<const std::int64_t> costly(costly_.data() + place * costly_width_, costly_width_);
    if (count >= counted_) {
      return all_free_[place] +
             costly[static_cast<std::size_t>(std::min<std::int64_t>(violations, std::ssize(costly) - 1))];
    }
    return most_freed<std::int64_t>({free_.data() + place * free_width_, free_width_}, costly,
                                    static_cast<std::size_t>(count), static_cast<std::size_t>(violations));
  }

 private:
  void add(const Problem& problem, std::size_t pod, std::int64_t value);

  std::size_t free_width_ = 1;
  std::size_t costly_width_ = 1;
  std::int64_t counted_ = 0;  // from this count on it is no limit
  std::vector<std::int64_t> free_, costly_, all_free_;
  // While building: sorted, largest first.
  bool every_pod_is_free_ = false;
  std::vector<std::int64_t> free_values_, costly_values_;
  std::vector<std::vector<std::int64_t>> of_budget_;  // the largest of each, as many as it allows
};

}  // namespace reprieve::engine::exact
