// Multipliers with which the rows of a problem are added up to one that says more than each alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/problem.h"

namespace reprieve::engine::exact {

/// A sum of rows, less a fine for what victims cost: `values[i]` is what pod i brings. Every set of
/// victims that makes room and whose costs add up to at most C brings at least `need - fine * C`.
///
/// True for any multipliers that are whole numbers and not negative, so how they were found does not
/// matter: a set that meets every need meets their sum, and the fine for all its costs is at most
/// `fine * C`.
template <class Int>
struct BasicSummedRow {
  std::vector<Int> values;
  Int need = 0;
  Int fine = 0;
};
using SummedRow = BasicSummedRow<std::int64_t>;

/// What is asked of the multipliers: that the sets within these limits bring as little as possible.
template <class Int>
struct BasicMultiplierLimits {
  std::span<const std::uint8_t> allowed;
  Int count = kUnlimited;
  Int violations = kUnlimited;
  std::span<const Int> costs;  // by pod, not negative; empty: none
  Int most_cost = 0;           // what all victims may cost together; positive
};
using MultiplierLimits = BasicMultiplierLimits<std::int64_t>;

/// Finds multipliers by a subgradient method in floating point and rounds them to whole numbers.
class Multipliers {
 public:
  /// Most searches are short, and not worth the search for multipliers: those of so many search nodes.
  static constexpr std::uint64_t kShortSearch = 100;
  /// How far rows lean() towards each of the problem's.
  static constexpr double kLeanings[] = {0.1, 0.3};

  /// False when numbers would become too large.
  bool find(const Problem& problem, const MultiplierLimits& limits, SummedRow& row);

  /// A row near the one that was found last: with more weight on row `towards`. Deeper in a search, where
  /// some of the rows are met more than others, such a row says more.
  bool lean(const Problem& problem, const MultiplierLimits& limits, std::size_t towards, double by,
            SummedRow& row);

 private:
  void scale(const Problem& problem, const MultiplierLimits& limits);
  double choose_best(const Problem& problem, const MultiplierLimits& limits);
  bool round(const Problem& problem, const MultiplierLimits& limits, std::span<const double> multipliers,
             SummedRow& row) const;

  // One line for each row, then one for the costs: in parts of the need, and of the most that is allowed.
  std::size_t lines_ = 0;
  std::vector<double> parts_;
  std::vector<double> multipliers_, best_, slope_;
  std::vector<double> values_;
  std::vector<std::uint32_t> free_, costly_;
};

}  // namespace reprieve::engine::exact
