#include "reprieve/engine/bounded/search.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "reprieve/mutants/mutant.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace reprieve::engine::bounded {
namespace {

constexpr std::int64_t kShift = std::int64_t{1} << 31;
/// What is lacking of a resource that is not looked at.
constexpr std::int64_t kNothing = -(std::int64_t{1} << 62);

// The first position at which there is room for both; kPositions: none. Room grows with the positions.
std::size_t first_position(const Line& line, const Ask& ask) {
#ifdef __SSE2__
  const auto lacking = [&](std::size_t resource) {
    return _mm_subs_epu16(_mm_set1_epi16(static_cast<short>(ask.code[resource])),
                          _mm_load_si128(reinterpret_cast<const __m128i*>(line.room[resource].data())));
  };
  const __m128i room = _mm_cmpeq_epi16(_mm_or_si128(lacking(0), lacking(1)), _mm_setzero_si128());
  const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(room)) | 0x10000U;
  return static_cast<std::size_t>(std::countr_zero(mask)) / 2;
#else
  std::size_t position = 0;
  while (position < kPositions &&
         (line.room[0][position] < ask.code[0] || line.room[1][position] < ask.code[1])) {
    ++position;
  }
  return position;
#endif
}

// What is lacking on a node of each resource and of places for pods; not positive: nothing.
struct Lack {
  std::array<std::int64_t, 2> amount{};
  std::int64_t pods = 0;

  bool met_by(const Freed& freed, std::int64_t count) const {
    return (static_cast<int>(freed.amount[0] >= amount[0]) & static_cast<int>(freed.amount[1] >= amount[1]) &
            static_cast<int>(count >= pods)) != 0;
  }
};

Lack lack_of(const Head& head, const Ask& ask) {
  Lack lack;
  for (std::size_t resource = 0; resource < 2; ++resource) {
    lack.amount[resource] = ask.amount[resource] > 0 ? ask.amount[resource] - head.free[resource] : kNothing;
  }
  lack.pods = head.pods_over;
  return lack;
}

// Of `size` pods, how many of the first free as much by their codes: what is freed falls from one to the
// next.
std::size_t freeing(const FreedCode* codes, std::size_t size, const std::array<std::uint16_t, 2>& lack) {
  std::size_t count = 0;
#ifdef __SSE2__
  static_assert(sizeof(FreedCode) * Summaries::kCodesRead == sizeof(__m128i));
  const __m128i lacking = _mm_set1_epi32(static_cast<int>(lack[0] | std::uint32_t{lack[1]} << 16));
  for (; count < size; count += Summaries::kCodesRead) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + count));
    const __m128i free_it = _mm_cmpeq_epi32(_mm_subs_epu16(lacking, four), _mm_setzero_si128());
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(free_it)));
    if (mask != 0xfU) return std::min(count + static_cast<std::size_t>(std::countr_one(mask)), size);
  }
  return size;
#else
  while (count < size && codes[count].amount[0] >= lack[0] && codes[count].amount[1] >= lack[1]) ++count;
  return count;
#endif
}

// One group of a node's potential victims, in order of importance.
struct Group {
  const Freed* freed = nullptr;
  const FreedCode* codes = nullptr;
  std::size_t size = 0;
};
Group violating_of(const Summaries& summaries, const Head& head) {
  return {summaries.violating_freed(head), summaries.violating_codes(head), head.violating};
}
Group others_of(const Summaries& summaries, const Head& head) {
  return {summaries.others_freed(head), summaries.others_codes(head), head.others};
}

// The first that must go: with it and all after it gone there is room, without it there is not. Codes tell
// which, and amounts are read only where codes leave it open.
class FirstToGo {
 public:
  FirstToGo(const Summaries& summaries, const Group& group, const Lack& lack) {
    const std::array<std::uint16_t, 2> asked = {summaries.amount_code(0, lack.amount[0]),
                                                summaries.amount_code(1, lack.amount[1])};
    const auto most = static_cast<std::int64_t>(group.size) + 1 - std::max<std::int64_t>(lack.pods, 1);
    count_ = std::min(static_cast<std::int64_t>(freeing(group.codes, group.size, asked)), most);
    if (!found()) return;
    const FreedCode& code = group.codes[at()];
    bool sure = true;
    for (std::size_t resource = 0; resource < 2; ++resource) {
      freed_below_[resource] = summaries.above(resource, code.amount[resource]);
      sure = sure && code.amount[resource] != 0xffff &&
             (lack.amount[resource] <= 0 || code.amount[resource] > asked[resource]);
    }
    if (REPRIEVE_MUTANT("codes-taken-for-amounts", sure, true)) return;
    while (found() && !lack.met_by(group.freed[at()], static_cast<std::int64_t>(group.size - at()))) --count_;
    for (std::size_t resource = 0; found() && resource < 2; ++resource) {
      freed_below_[resource] = group.freed[at()].amount[resource] + 1;
    }
  }

  /// Whether there is room with all of them gone.
  bool found() const { return count_ > 0; }
  std::size_t at() const { return static_cast<std::size_t>(count_) - 1; }
  /// It and those after it free less than this.
  std::int64_t freed_below(std::size_t resource) const { return freed_below_[resource]; }

 private:
  std::int64_t count_ = 0;  // those with which, and all after each, there is room
  std::array<std::int64_t, 2> freed_below_{};
};

// Spares pods while they fit; what is told is the sum and the number of the others.
struct Walk {
  std::array<std::int64_t, 2> slack{};
  std::int64_t places = 0;
  std::int64_t sum = 0;
  std::int64_t count = 0;

  // All pods from the first to go on are off.
  Walk(const Freed& freed, std::size_t gone, const Lack& lack)
      : slack{freed.amount[0] - lack.amount[0], freed.amount[1] - lack.amount[1]},
        places(static_cast<std::int64_t>(gone) - lack.pods) {}

  void take(const Victim& victim) {
    sum += victim.priority + kShift;
    ++count;
  }

  bool spares(const Freed* freed) {
    const std::int64_t first = freed[0].amount[0] - freed[1].amount[0];
    const std::int64_t second = freed[0].amount[1] - freed[1].amount[1];
    const bool fits = (static_cast<int>(first <= slack[0]) & static_cast<int>(second <= slack[1]) &
                       static_cast<int>(places > 0)) != 0;
    const std::int64_t mask = -static_cast<std::int64_t>(fits);
    slack[0] -= first & mask;
    slack[1] -= second & mask;
    places += mask;
    return fits;
  }

  void run(const Freed* freed, const Victim* victims, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t gone = static_cast<std::int64_t>(spares(freed + i)) - 1;  // -1: a victim
      sum += (victims[i].priority + kShift) & gone;
      count -= gone;
    }
  }
};

// What is lacking with the others all off, as they are while the violating pods are walked.
Lack without_others(const Head& head, const Lack& lack) {
  return {{lack.amount[0] - head.others_freed[0], lack.amount[1] - head.others_freed[1]},
          lack.pods - static_cast<std::int64_t>(head.others)};
}

// Whether a node where some victim is classed violating has more violations than `best` by what is kept of
// its smallest pods: to be as good, it must spare so many of those after the first to go, and the smallest do
// not fit in what is left.
bool violates_more(const Summaries& summaries, NodeId node, const Lack& rest, const FirstToGo& first_to_go,
                   const Cost& best) {
  const Head& head = summaries.head(node);
  const std::size_t first = first_to_go.at();
  const std::int64_t spared = static_cast<std::int64_t>(head.violating - first) - best.violations;
  if (spared > 0) {
    const Smallest& smallest = summaries.smallest(node);
    const auto counted = std::min<std::size_t>(static_cast<std::size_t>(spared), Smallest::kMost);
    // The last part that begins not behind the pod after the first to go: all that are spared lie in it.
    const std::size_t behind = REPRIEVE_MUTANT("smallest-of-a-later-part", first + 1, first + 2);
    const std::size_t part = std::min(behind * Smallest::kParts / head.violating, Smallest::kParts - 1);
    for (std::size_t resource = 0; resource < 2; ++resource) {
      const std::int64_t slack_below = first_to_go.freed_below(resource) - rest.amount[resource];
      const std::int64_t least = summaries.at_least(resource, smallest.sum[part][resource][counted - 1]);
      if (slack_below <= REPRIEVE_MUTANT("one-more-must-be-spared", least, least + 1)) return true;
    }
  }
  return false;
}

// Some victim is classed violating.
bool try_violating(const Summaries& summaries, NodeId node, const Lack& lack, const Cost& best, Cost& cost) {
  const Head& head = summaries.head(node);
  const Group group = violating_of(summaries, head);
  const Freed* freed = group.freed;
  const Victim* victims = summaries.violating(head);
  const Freed* others_freed = summaries.others_freed(head);
  const Victim* others = summaries.others(head);
  const Lack rest = without_others(head, lack);
  const FirstToGo first_to_go(summaries, group, rest);
  if (!first_to_go.found() || violates_more(summaries, node, rest, first_to_go, best)) return false;
  const std::size_t first = first_to_go.at();
  // Many nodes end here, so that the numbers of the victims are not even read.
  Walk walk(freed[first], head.violating - first, rest);
  const std::int64_t most = best.violations;
  std::int64_t violations = 1;
  for (std::size_t i = first + 1; i < head.violating; ++i) {
    violations += walk.spares(freed + i) ? 0 : 1;
    if (violations > most) return false;
  }
  walk = Walk(freed[first], head.violating - first, rest);
  walk.take(victims[first]);
  walk.run(freed, victims, first + 1, head.violating);
  cost.violations = violations;
  // Both groups are in order of importance: the first of each that goes is its most important.
  cost.highest_priority = victims[first].priority;
  cost.start = victims[first].start;
  std::size_t i = 0;
  while (i < head.others && walk.spares(others_freed + i)) ++i;
  if (i < head.others) {
    if (others[i].priority > cost.highest_priority) {
      cost.highest_priority = others[i].priority;
      cost.start = others[i].start;
    } else if (others[i].priority == cost.highest_priority && others[i].start < cost.start) {
      cost.start = others[i].start;
    }
    walk.take(others[i]);
    walk.run(others_freed, others, i + 1, head.others);
  }
  cost.priority_sum = walk.sum;
  cost.victim_count = walk.count;
  return true;
}

}  // namespace

NodeBound bound_of(const Line& line, const Ask& ask, bool& maybe_fits) {
  const std::size_t position = first_position(line, ask);
  if (position < kPositions) {
    maybe_fits = position == 0 && line.now[0] >= ask.code[0] && line.now[1] >= ask.code[1];
    return (NodeBound{line.priority[position]} << 4) | static_cast<NodeBound>(position);
  }
  if (line.emptied[0] < ask.code[0] || line.emptied[1] < ask.code[1]) return kHopeless;
  return kViolating | (NodeBound{line.lowest} << 4);
}

NodeBound bound_limit(const Cost& best) {
  const NodeBound any = (NodeBound{kNoPriority} << 4) | kPositionMask;
  if (best.violations > 1) return kViolating | any;
  const NodeBound code = priority_code(static_cast<std::int32_t>(best.highest_priority));
  const NodeBound limit =
      (REPRIEVE_MUTANT("bound-limit-below-the-best", code, code - 1U) << 4) | kPositionMask;
  return best.violations == 1 ? kViolating | limit : limit;
}

void Behind::set(const Summaries& summaries, const Ask& ask, const Cost& best) {
  // Products stay in range, and a node of this code has no lower priority than the best.
  const auto highest = static_cast<std::int32_t>(best.highest_priority);
  const NodeBound code = priority_code(highest);
  const bool known = best.violations == 0 && best.victim_count < 4096 && summaries.shift(0) <= 34 &&
                     summaries.shift(1) <= 34 && highest > std::numeric_limits<std::int32_t>::min() &&
                     priority_code(highest - 1) < code;
  code_ = kHopeless;
  if (!known) return;
  code_ = code;
  ask_ = ask;
  start_ = summaries.start_code(best.start);
  sums_ = {best.victim_count, best.priority_sum, highest + kShift, summaries.lowest_priority() + kShift};
}

// The victims of a candidate without violations are found by one walk over the others: all violating
// pods are spared first, as there is room for them. The first to go is the most important victim, and so
// it fixes the second level and, of the victims of its priority the one that started first, the fifth.
bool try_plain(const Summaries& summaries, NodeId node, const Ask& ask, const Cost& best, Cost& cost) {
  const Head& head = summaries.head(node);
  if (head.kind != Kind::kPlain) return false;
  const Lack lack = lack_of(head, ask);
  if (!lack.met_by({head.others_freed}, head.others)) {
    return best.violations > 0 && try_violating(summaries, node, lack, best, cost);
  }
  if (head.others == 0 || lack.met_by(Freed{}, 0)) return false;  // nobody has to go
  const Group group = others_of(summaries, head);
  const Freed* freed = group.freed;
  const std::size_t first = FirstToGo(summaries, group, lack).at();
  const Victim* victims = summaries.others(head);
  cost.violations = 0;
  cost.highest_priority = victims[first].priority;
  cost.start = victims[first].start;
  if (best.violations == 0 && cost.highest_priority > best.highest_priority) return false;
  Walk walk(freed[first], head.others - first, lack);
  walk.take(victims[first]);
  walk.run(freed, victims, first + 1, head.others);
  cost.priority_sum = walk.sum;
  cost.victim_count = walk.count;
  return true;
}

bool may_be_as_good(const Summaries& summaries, NodeId node, const Ask& ask, const Cost& best) {
  const Head& head = summaries.head(node);
  if (head.kind != Kind::kPlain) return true;
  const Lack lack = lack_of(head, ask);
  if (lack.met_by({head.others_freed}, head.others)) return true;
  const Group group = violating_of(summaries, head);
  const Lack rest = without_others(head, lack);
  const FirstToGo first_to_go(summaries, group, rest);
  if (!first_to_go.found() || violates_more(summaries, node, rest, first_to_go, best)) return false;
  constexpr std::size_t kLine = 64 / sizeof(Freed);
  for (std::size_t i = first_to_go.at(); i < head.violating; i += kLine) __builtin_prefetch(group.freed + i);
  return true;
}

void list_plain(const Summaries& summaries, NodeId node, const Ask& ask, std::vector<PodId>& victims) {
  const Head& head = summaries.head(node);
  const Lack lack = lack_of(head, ask);
  const Group group = others_of(summaries, head);
  const Freed* freed = group.freed;
  const Victim* others = summaries.others(head);
  const std::size_t first = FirstToGo(summaries, group, lack).at();
  Walk walk(freed[first], head.others - first, lack);
  victims.assign(1, others[first].pod);
  for (std::size_t i = first + 1; i < head.others; ++i) {
    if (!walk.spares(freed + i)) victims.push_back(others[i].pod);
  }
}

}  // namespace reprieve::engine::bounded
