// Short proofs that no victims within given limits make the room that is needed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace reprieve::engine::exact {

/// The pods of a node that may be evicted, the least important first, and what is missing there.
struct Evictable {
  std::size_t size = 0;
  std::size_t rows = 0;  // one for each resource that the preemptor asks for
  std::size_t stride = 0;
  std::vector<double> need;            // by row, in parts of what it asks for; not negative
  std::vector<double> weight;          // of pod i in row r at [r * stride + i]
  std::vector<double> priority;        // never falls
  std::vector<std::int64_t> start_us;  // read only where an allowance names a start
  std::vector<std::uint8_t> violates;  // a budget, whoever else goes
};

/// What a set of victims may come to at most. All numbers are whole; unlimited: infinite.
struct Allowance {
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  double violations = kInfinite;
  double priority = kInfinite;
  static constexpr std::int64_t kAnyStart = std::numeric_limits<std::int64_t>::min();
  std::int64_t start_us = kAnyStart;  // at least, for those of that priority
  double count = kInfinite;
  /// Of the sum over the victims of what each has in priority above `least`.
  double extra = kInfinite;
  double least = 0;

  /// Whether a pod may go when nobody else does.
  bool admits(const Evictable& pods, std::size_t pod) const {
    return (violations > 0 || pods.violates[pod] == 0) && pods.priority[pod] - least <= extra &&
           (start_us == kAnyStart || pods.priority[pod] < priority || pods.start_us[pod] >= start_us);
  }
};

/// Prices: of a unit of each row; and for each victim, each violation, and each unit of extra priority.
///
/// With any prices that are not negative: a set of victims that makes room is worth at least
/// sum(price * need); of that, `count * per_victim + ...` goes on what the limits allow; the rest is at
/// most what each pod brings beyond its own price, added up over all that bring anything. If that
/// does not make up the need, there is no such set.
struct Prices {
  std::vector<double> row;
  double victim = 0;
  double violation = 0;
  double extra = 0;

  /// Whether these prices prove that no set within the allowance makes room. Computed in floating point,
  /// with a margin that is larger than all the rounding can be.
  bool prove(const Evictable& pods, const Allowance& allowance) const;
};

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

}  // namespace reprieve::engine::exact
