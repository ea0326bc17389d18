// What is kept about each node for preemptors of one priority: a cache line that tells how far evictions
// must go there, and the potential victims side by side, so that they can be walked without asking a
// filter. Kept between decisions; only nodes that changed are read again.
//
// Two resources are looked at, those of the preemptor that are asked for most narrowly. What a line says
// is a bound for every preemptor that asks for them, whatever else it asks for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/huge_pages.h"
#include "reprieve/engine/ledger.h"

namespace reprieve::engine::bounded {

/// A column of requests that is not looked at.
inline constexpr std::uint32_t kNoColumn = 0xffffffffU;
/// Amounts up to this are added and subtracted without a thought.
inline constexpr std::int64_t kMostAmount = std::int64_t{1} << 60;
/// A missing start time: later than every other.
inline constexpr std::int64_t kNow = std::numeric_limits<std::int64_t>::max();

/// What the summary of a node depends on, beside the node.
struct SummaryKey {
  std::uint64_t snapshot = 0;      // ChangeLog::id
  std::int32_t priority = 0;       // of the preemptor: pods below it are potential victims
  StringId scheduler = kNoString;  // whose nominations count
  Charging charging = Charging::kEveryBudget;
  std::array<std::uint32_t, 2> columns = {kNoColumn, kNoColumn};

  bool operator==(const SummaryKey&) const = default;
};

inline constexpr std::size_t kPositions = 8;
/// A priority's code in a line; never smaller for a greater priority. No priority has the last.
inline constexpr std::uint16_t kNoPriority = 0xffff;
std::uint16_t priority_code(std::int32_t priority);

/// Amounts are shifted and cut off, priorities are codes: both by functions that never fall, so that what
/// is less by its code is less indeed.
struct alignas(64) Line {
  /// What is free of each resource once the k least important potential victims that are not classed
  /// violating have gone; k grows from one position to the next, at the last it is all of them.
  std::array<std::array<std::uint16_t, kPositions>, 2> room{};
  /// The priority of the least important of them that is not among the k of the position before.
  std::array<std::uint16_t, kPositions> priority{};
  std::array<std::uint16_t, 2> now{};      // with all of them in place
  std::array<std::uint16_t, 2> emptied{};  // with all potential victims gone
  std::uint16_t lowest = kNoPriority;      // of all potential victims
};
static_assert(sizeof(Line) == 64);

enum class Kind : std::uint8_t {
  kGone,   // no node has this number
  kPlain,  // as its numbers say
  kOdd,    // numbers out of range: it must be tried by the filters
};

/// What tells nodes apart that the line leaves alike, where resources alone decide.
struct alignas(64) Detail {
  /// The largest request of each resource among the pods that have gone at each position of the line, by
  /// amount_code, and the latest start of those that have not at the position before, by start_code.
  std::array<std::array<std::uint16_t, kPositions>, 2> largest{};
  std::array<std::uint16_t, kPositions> latest{};
  std::array<std::int64_t, 2> free{};  // as in the head
};
static_assert(sizeof(Detail) == 64);

/// Of the pods classed violating, all and the last three, two and one of four parts of them: what the 1, 2,
/// ... smallest requests of each resource add up to, by amount_code.
struct alignas(64) Smallest {
  static constexpr std::size_t kMost = 4;
  static constexpr std::size_t kParts = 4;
  std::array<std::array<std::array<std::uint16_t, kMost>, 2>, kParts> sum{};
};
static_assert(sizeof(Smallest) == 64);

struct alignas(64) Head {
  std::array<std::int64_t, 2> free{};          // of each resource, the nominated pods that count counted in
  std::array<std::int64_t, 2> others_freed{};  // what those not classed violating request
  std::int64_t pods_over = 0;                  // how many pods must go for the sake of the pod limit
  std::uint32_t at = 0;                        // where its potential victims begin
  std::uint32_t capacity = 0;
  std::uint32_t violating = 0;
  std::uint32_t others = 0;
  Kind kind = Kind::kGone;
};
static_assert(sizeof(Head) == 64);

/// Potential victims of a node: those classed violating, then the others, each group in order of
/// importance and followed by a place of zeros.
struct Freed {
  std::array<std::int64_t, 2> amount{};  // what the pod and those after it in its group request
};
/// The same by amount_code, to find a place without reading the amounts.
struct FreedCode {
  std::array<std::uint16_t, 2> amount{};
};
struct Victim {
  std::int64_t start = kNow;
  std::int32_t priority = 0;
  PodId pod = kNone;
};

class Summaries {
 public:
  const SummaryKey& key() const { return key_; }

  /// Brings the summaries up to date; all are made anew when they were of another key. The scheduler of
  /// the cycle's pod is the key's.
  void refresh(const Cycle& cycle, const SummaryKey& key);

  /// The code of an amount, to compare with those of lines.
  std::uint16_t amount_code(std::size_t resource, std::int64_t amount) const {
    if (amount <= 0) return 0;
    const std::int64_t shifted = amount >> shifts_[resource];
    return static_cast<std::uint16_t>(shifted < 0xffff ? shifted : 0xffff);
  }

  /// More than any amount of this code, if the code is not the last.
  std::int64_t above(std::size_t resource, std::uint16_t code) const {
    return (std::int64_t{code} + 1) << shifts_[resource];
  }
  /// No amount of this code is less.
  std::int64_t at_least(std::size_t resource, std::uint16_t code) const {
    return std::int64_t{code} << shifts_[resource];
  }
  int shift(std::size_t resource) const { return shifts_[resource]; }

  /// Never smaller for a later start; the last is that of a missing one.
  std::uint16_t start_code(std::int64_t start) const {
    if (start == kNow) return 0xffff;
    if (start <= first_start_) return 0;
    const std::uint64_t shifted =
        (static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(first_start_)) >> start_shift_;
    return static_cast<std::uint16_t>(shifted < 0xfffe ? shifted : 0xfffe);
  }

  /// No potential victim anywhere is of lower priority.
  std::int32_t lowest_priority() const { return lowest_priority_; }

  std::span<const Line> lines() const { return lines_; }
  const Detail& detail(NodeId node) const { return details_[node]; }
  const Line& line(NodeId node) const { return lines_[node]; }
  const Smallest& smallest(NodeId node) const { return smallest_[node]; }
  const Head& head(NodeId node) const { return heads_[node]; }
  /// Whether some node was ever odd since all were made anew.
  bool has_odd() const { return has_odd_; }

  /// Asks for what trying the node reads.
  void prefetch(NodeId node) const {
    const Head& of = heads_[node];
    __builtin_prefetch(&smallest_[node]);
    const FreedCode* codes = codes_.data() + of.at;
    const std::size_t places = std::size_t{of.violating} + of.others + 2;
    for (std::size_t i = 0; i < places; i += 64 / sizeof(FreedCode)) __builtin_prefetch(codes + i);
  }

  const Freed* violating_freed(const Head& head) const { return freed_.data() + head.at; }
  /// kCodesRead may be read from each place on.
  const FreedCode* violating_codes(const Head& head) const { return codes_.data() + head.at; }
  const FreedCode* others_codes(const Head& head) const { return violating_codes(head) + head.violating + 1; }
  static constexpr std::size_t kCodesRead = 4;
  const Victim* violating(const Head& head) const { return victims_.data() + head.at; }
  const Freed* others_freed(const Head& head) const { return violating_freed(head) + head.violating + 1; }
  const Victim* others(const Head& head) const { return violating(head) + head.violating + 1; }

 private:
  void rebuild(const Cycle& cycle);
  void choose_scales(const Index& index);
  void prefetch_node(const Index& index, NodeId node) const;
  void prefetch_pods(const Index& index, NodeId node) const;
  void read(const Cycle& cycle, NodeId node);
  bool read_load(const Cycle& cycle, NodeId node, Head& head) const;
  bool read_group(const Cycle& cycle, std::span<const PodId> pods, std::size_t at);
  void reserve(Head& head, std::size_t places);
  void write_line(NodeId node);
  void write_smallest(NodeId node);

  SummaryKey key_;
  std::uint64_t seen_ = 0;  // ChangeLog::size() when last brought up to date
  bool has_odd_ = false;
  std::array<int, 2> shifts_{};
  std::int64_t first_start_ = 0;
  int start_shift_ = 0;
  std::int32_t lowest_priority_ = std::numeric_limits<std::int32_t>::max();
  Array<Line> lines_;
  Array<Detail> details_;
  Array<Smallest> smallest_;
  Array<Head> heads_;
  Array<Freed> freed_;
  Array<FreedCode> codes_;  // kCodesRead longer
  Array<Victim> victims_;
  Ledger ledger_;
  std::vector<PodId> violating_pods_, other_pods_;
};

}  // namespace reprieve::engine::bounded
