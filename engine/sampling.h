// How many candidates are enough, and where the walk over the potential nodes begins.
// Source: default_preemption.go (calculateNumCandidates), preemption.go (DryRunPreemption).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "reprieve/marks/mark.h"
#include "reprieve/model/policy.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

/// The rule of one worker: upstream's workers race for the same counters.
class Sample {
 public:
  Sample(const std::optional<Sampling>& sampling, std::size_t potential_nodes) : nodes_(potential_nodes) {
    if (!sampling || nodes_ == 0) return;
    const auto count = static_cast<std::int64_t>(nodes_);
    const std::int64_t share = count * sampling->min_percentage / 100;
    const std::int64_t absolute = sampling->min_absolute;
    wanted_ = std::clamp<std::int64_t>(
        REPRIEVE_MUTANT("sample-of-the-smaller-number", std::max(share, absolute), std::min(share, absolute)),
        0, count);
    limited_ = true;
    first_ = static_cast<std::size_t>(((sampling->offset % count) + count) % count);
  }

  /// Which of the potential nodes is looked at in step `i`.
  std::size_t node(std::size_t i) const { return (first_ + i) % nodes_; }

  /// How many of them are looked at, if that is not enough earlier: all.
  std::size_t steps() const { return REPRIEVE_MUTANT("offset-changes-full-scan", nodes_, nodes_ - first_); }

  /// Takes a candidate; false when its list is full and drops it. Each of the two lists, without
  /// and with violations, has room for the wanted number alone.
  bool take(bool violating) {
    std::int64_t& list = violating ? violating_ : clean_;
    if (limited_ && list >= wanted_) {
      REPRIEVE_MARK("engine/sampling/list-is-full");
      return false;
    }
    ++list;
    return true;
  }

  /// Enough: both lists together hold the wanted number, and one candidate violates nothing.
  bool full() const {
    if (!limited_ || clean_ + violating_ < wanted_) return false;
    if (REPRIEVE_MUTANT("sample-ends-without-a-clean-one", clean_ == 0, false)) {
      REPRIEVE_MARK("engine/sampling/goes-on-for-one-without-violations");
      return false;
    }
    REPRIEVE_MARK("engine/sampling/is-enough");
    return true;
  }

 private:
  std::size_t nodes_ = 0;
  bool limited_ = false;
  std::size_t first_ = 0;
  std::int64_t wanted_ = 0;
  std::int64_t clean_ = 0;
  std::int64_t violating_ = 0;
};

}  // namespace reprieve::engine
