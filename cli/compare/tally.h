// Counts over many pairings: how often two policies differ, in what, by how much, and who is better.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/compare/choice.h"

namespace reprieve::cli::comparison {

/// Gains of a level, for a chart: how often in each range. Ranges are single numbers up to 8, then powers of
/// two, on either side of 0.
class Histogram {
 public:
  struct Range {
    std::int64_t from;
    std::int64_t to;
    auto operator<=>(const Range&) const = default;
  };

  void add(std::int64_t gain) { ++counts_[range_of(gain)]; }
  void merge(const Histogram& other);
  const std::map<Range, std::uint64_t>& counts() const { return counts_; }

  static Range range_of(std::int64_t gain);

 private:
  std::map<Range, std::uint64_t> counts_;
};

/// One level over all cases in which both policies nominate.
struct LevelTally {
  std::uint64_t new_better = 0;
  std::uint64_t old_better = 0;
  std::uint64_t equal = 0;
  std::uint64_t decides_for_new = 0;  // it is the first level at which the two choices differ
  std::uint64_t decides_for_old = 0;
  std::uint64_t measured = 0;  // of those that have an amount
  double sum = 0;              // of the gains of the new policy
  std::int64_t most = 0;
  std::int64_t least = 0;
  Histogram gains;  // where they differ

  void add(NodeCriterion level, const Pairing& pairing);
  void merge(const LevelTally& other);
};

/// The smallest case that shows a kind of difference: its number, and how large it is.
struct Example {
  std::size_t size = 0;
  std::uint64_t index = 0;
  auto operator<=>(const Example&) const = default;  // the smaller case, then the earlier
};

struct Tally {
  std::uint64_t cases = 0;
  std::map<std::pair<Outcome, Outcome>, std::uint64_t> outcomes;  // old, new
  std::uint64_t both_nominate = 0;
  std::uint64_t other_node = 0;
  std::uint64_t other_victims = 0;   // another node's or, on the same, not the same
  std::uint64_t other_reported = 0;  // counts of violations, as reported
  std::uint64_t old_miscounts = 0;   // reported, and not what evicting its victims causes
  std::uint64_t new_miscounts = 0;
  std::uint64_t not_proved = 0;  // a search ran into its limit
  std::uint64_t claims = 0;      // pairings about which never_worse says something
  std::uint64_t broken = 0;      // and which break it
  std::optional<Example> first_broken;
  std::array<std::uint64_t, 3> better{};  // among both_nominate: new, neither, old
  std::map<NodeCriterion, LevelTally> levels;
  struct Kind {
    std::uint64_t count = 0;
    Example smallest;
  };
  std::map<std::string, Kind> differences;  // by Pairing::difference, which is not empty

  /// `size` is how large the case is, `index` its number.
  void add(const Pairing& pairing, const Policy& judge, std::optional<Side> never_worse, std::uint64_t index,
           std::size_t size);
  void merge(const Tally& other);
};

}  // namespace reprieve::cli::comparison
