#include "reprieve/engine/bounded/search.h"

#include <bit>

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

// Of `size` pods in order of importance, the first that must go: with it and all after it gone there is
// room, without it there is not. There is room with all of them gone.
std::size_t first_to_go(const Freed* freed, std::size_t size, const Lack& lack) {
  std::size_t first = 0;
  for (std::size_t left = size; left > 1;) {
    const std::size_t half = left / 2;
    const std::size_t middle = first + half;
    first = lack.met_by(freed[middle], static_cast<std::int64_t>(size - middle)) ? middle : first;
    left -= half;
  }
  return first;
}

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

// Some victim is classed violating. The others are all off while the violating ones are walked.
bool try_violating(const Summaries& summaries, const Head& head, const Lack& lack, const Cost& best,
                   Cost& cost) {
  const Freed* freed = summaries.violating_freed(head);
  const Victim* victims = summaries.violating(head);
  const Freed* others_freed = summaries.others_freed(head);
  const Victim* others = summaries.others(head);
  Lack rest;
  rest.amount = {lack.amount[0] - others_freed[0].amount[0], lack.amount[1] - others_freed[0].amount[1]};
  rest.pods = lack.pods - static_cast<std::int64_t>(head.others);
  if (!rest.met_by(freed[0], head.violating)) return false;
  const std::size_t first = first_to_go(freed, head.violating, rest);
  Walk walk(freed[first], head.violating - first, rest);
  walk.take(victims[first]);
  walk.run(freed, victims, first + 1, head.violating);
  cost.violations = walk.count;
  if (cost.violations > best.violations) return false;
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
    return line.priority[position];
  }
  if (line.emptied[0] < ask.code[0] || line.emptied[1] < ask.code[1]) return kHopeless;
  return kViolating | line.lowest;
}

NodeBound bound_limit(const Cost& best) {
  if (best.violations > 1) return kViolating | kNoPriority;
  const std::uint16_t code = priority_code(static_cast<std::int32_t>(best.highest_priority));
  return REPRIEVE_MUTANT("bound-limit-below-the-best", best.violations == 1 ? kViolating | code : code,
                         best.violations == 1 ? kViolating | code : code - 1U);
}

// The victims of a candidate without violations are found by one walk over the others: all violating
// pods are spared first, as there is room for them. The first to go is the most important victim, and so
// it fixes the second level and, of the victims of its priority the one that started first, the fifth.
bool try_plain(const Summaries& summaries, NodeId node, const Ask& ask, const Cost& best, Cost& cost) {
  const Head& head = summaries.head(node);
  if (head.kind != Kind::kPlain) return false;
  Lack lack;
  for (std::size_t resource = 0; resource < 2; ++resource) {
    lack.amount[resource] = ask.amount[resource] > 0 ? ask.amount[resource] - head.free[resource] : kNothing;
  }
  lack.pods = head.pods_over;
  const Freed* freed = summaries.others_freed(head);
  if (!lack.met_by(freed[0], head.others)) {
    return best.violations > 0 && try_violating(summaries, head, lack, best, cost);
  }
  if (head.others == 0 || lack.met_by(Freed{}, 0)) return false;  // nobody has to go
  const std::size_t first = first_to_go(freed, head.others, lack);
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

}  // namespace reprieve::engine::bounded
