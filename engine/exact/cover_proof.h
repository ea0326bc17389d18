// Short proofs that no victims within given limits make the room that is needed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

// As templates over the numbers that are added up and over whole ones, so that the rules can be executed
// on symbolic integers too (smt/theorems/skip_theorems.cpp).

/// The pods of a node that may be evicted, the least important first, and what is missing there.
template <class Number, class Whole>
struct BasicEvictable {
  std::size_t size = 0;
  std::size_t rows = 0;  // one for each resource that the preemptor asks for
  std::size_t stride = 0;
  std::vector<Number> need;            // by row, in parts of what it asks for; not negative
  std::vector<Number> weight;          // of pod i in row r at [r * stride + i]
  std::vector<Number> priority;        // never falls
  std::vector<Whole> start_us;         // read only where an allowance names a start
  std::vector<std::uint8_t> violates;  // a budget, whoever else goes
};
using Evictable = BasicEvictable<double, std::int64_t>;

/// More than any number: infinity, or what no sum comes to.
template <class Number>
inline constexpr std::int64_t kInfinite = std::int64_t{1} << 60;
template <>
inline constexpr double kInfinite<double> = std::numeric_limits<double>::infinity();

/// What a set of victims may come to at most. All numbers are whole; unlimited: infinite.
template <class Number, class Whole>
struct BasicAllowance {
  Number violations = kInfinite<Number>;
  Number priority = kInfinite<Number>;
  static constexpr std::int64_t kAnyStart = std::numeric_limits<std::int64_t>::min();
  Whole start_us = kAnyStart;  // at least, for those of that priority
  Number count = kInfinite<Number>;
  /// Of the sum over the victims of what each has in priority above `least`.
  Number extra = kInfinite<Number>;
  Number least = 0;

  /// Whether a pod may go when nobody else does.
  bool admits(const BasicEvictable<Number, Whole>& pods, std::size_t pod) const {
    return (violations > 0 || pods.violates[pod] == 0) && pods.priority[pod] - least <= extra &&
           (start_us == kAnyStart || pods.priority[pod] < priority || pods.start_us[pod] >= start_us);
  }
};
using Allowance = BasicAllowance<double, std::int64_t>;

/// Prices: of a unit of each row; and for each victim, each violation, and each unit of extra priority.
///
/// With any prices that are not negative: a set of victims that makes room is worth at least
/// sum(price * need); of that, `count * per_victim + ...` goes on what the limits allow; the rest is at
/// most what each pod brings beyond its own price, added up over all that bring anything. If that
/// does not make up the need, there is no such set.
template <class Number, class Whole>
struct BasicPrices {
  std::vector<Number> row;
  Number victim = 0;
  Number violation = 0;
  Number extra = 0;

  /// Whether these prices prove that no set within the allowance makes room. In floating point with a
  /// margin that is larger than all the rounding can be.
  bool prove(const BasicEvictable<Number, Whole>& pods, const BasicAllowance<Number, Whole>& allowance) const;

 private:
  /// A price times a limit; an unlimited one costs nothing where the price is nothing.
  static Number times(const Number& price, const Number& limit) {
    return price == 0 ? Number(0) : price * limit;
  }
};
using Prices = BasicPrices<double, std::int64_t>;

/// What rounding can come to in sums of so many terms that add up to `gross`: each of the terms is rounded a
/// few times, and a sum of n at most n times.
inline double rounding_margin(double gross, std::size_t terms) {
  return gross * std::numeric_limits<double>::epsilon() * 4 * static_cast<double>(terms);
}

/// Looks for prices that prove it.
class PriceFinder {
 public:
  /// The same prices do for many nodes of a cluster, so those that did are tried first. `kind`: which of
  /// the lists of such.
  bool proved_before(const Evictable& pods, const Allowance& allowance, std::size_t kind);
  /// Searches for new ones, and keeps them.
  bool find(const Evictable& pods, const Allowance& allowance, std::size_t kind);

  void begin(std::size_t rows);

  static constexpr std::size_t kKinds = 4;

 private:
  double choose(const Evictable& pods, const Allowance& allowance);
  void price_limits(const Allowance& allowance);

  std::vector<Prices> known_[kKinds];  // the last that did first
  Prices prices_;
  std::vector<double> slope_;
  double extra_slope_ = 0;
  struct Valued {
    double value = 0;
    std::uint32_t pod = 0;
  };
  std::vector<Valued> free_, violating_;
};

template <class Number, class Whole>
bool BasicPrices<Number, Whole>::prove(const BasicEvictable<Number, Whole>& pods,
                                       const BasicAllowance<Number, Whole>& allowance) const {
  Number need = 0;
  for (std::size_t r = 0; r < pods.rows; ++r) need += row[r] * pods.need[r];
  const Number on_victims = times(victim, allowance.count);
  const Number on_violations = times(violation, allowance.violations);
  const Number spent = REPRIEVE_MUTANT("exact-prices-forget-victims", on_victims, 0) +
                       REPRIEVE_MUTANT("exact-prices-forget-violations", on_violations, 0) +
                       times(extra, allowance.extra);
  Number missing = need - spent;
  if (!(missing > 0)) return false;
  Number gross = need + spent;
  for (std::size_t i = 0; i < pods.size && pods.priority[i] <= allowance.priority; ++i) {
    if (!allowance.admits(pods, i)) continue;
    Number value = 0;
    for (std::size_t r = 0; r < pods.rows; ++r) value += row[r] * pods.weight[r * pods.stride + i];
    gross += value;
    value -= victim + (pods.violates[i] != 0 ? violation : 0) + extra * (pods.priority[i] - allowance.least);
    if (value > 0) missing -= value;
    if (missing <= 0) return false;
  }
  return static_cast<bool>(missing > rounding_margin(gross, pods.size + pods.rows + 8));
}

}  // namespace reprieve::engine::exact
