// When a candidate without violations, of the best's highest priority, is worse all the same: by its sum, or
// by its start where the sums may tie. A template over the integer, like selection.h.
#pragma once

#include <cstdint>

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::bounded {

template <class Int>
class BehindSums {
 public:
  BehindSums() = default;
  /// The best's victims and the sum of their shifted priorities; `first`: the highest priority, shifted;
  /// `each`: no victim anywhere adds less.
  BehindSums(std::int64_t count, const Int& sum, const Int& first, const Int& each)
      : count_(count),
        more_lose_(REPRIEVE_MUTANT("more-victims-always-lose", first + Int(count) * each > sum, true)),
        fewer_tie_(REPRIEVE_MUTANT("start-decides-first", first + Int(count - 1) * each >= sum, true)) {}

  /// `frees(n)`: whether n victims may free what is lacking. `starts_earlier()`: whether the victims of the
  /// highest priority start earlier than the best's for sure.
  template <class Frees, class StartsEarlier>
  bool is_behind(Frees&& frees, StartsEarlier&& starts_earlier) const {
    const bool same_count = frees(count_);
    if (!same_count) return more_lose_;
    return fewer_tie_ && starts_earlier() && !frees(count_ - 1);
  }

 private:
  std::int64_t count_ = 0;
  bool more_lose_ = false;  // with more victims than the best, its sum is greater
  bool fewer_tie_ = false;  // with as many, it is not less
};

}  // namespace reprieve::engine::bounded
