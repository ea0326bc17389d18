// The selection core: importance, charging, reprieve, the list of victims, the five-level ordering, and
// when a preemptor fits. It is a template over the integer and over "fits", and uses of the integer nothing
// but its operators, so that the code that ships can also be executed on symbolic integers whose
// comparisons ask which way to go.
//
// It takes what the rest of the engine has resolved: potential victims in order, the budgets that
// select each (and which already count it as disrupted), and "fits".
//
// Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go
// (SelectVictimsOnNode), pkg/scheduler/framework/preemption/{preemption,util}.go,
// pkg/scheduler/framework/runtime/framework.go, pkg/scheduler/util/utils.go.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "reprieve/engine/fraction.h"
#include "reprieve/marks/mark.h"
#include "reprieve/model/policy.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

/// A start time; absent means "now", which is later than every time given.
template <class Int>
struct StartTime {
  bool given = false;
  Int time{};
};

template <class Int>
struct Importance {
  Int priority{};
  StartTime<Int> start;
};

/// Which of two pods is the more important; on a tie it is the one listed earlier.
enum class Order { kBefore, kAfter, kTie };

constexpr Order opposite(Order order) {
  return order == Order::kBefore ? Order::kAfter : (order == Order::kAfter ? Order::kBefore : Order::kTie);
}

/// Compares `a`, which is listed before `b`, with `b` by the criteria. Two missing start times are
/// never equal: in 1.36 the clock is read anew at each comparison, so that the later listed is the more
/// important (util.MoreImportantPod), and 1.37 has read it once for each pod, in the order of the list
/// (MoreImportantVictim). `other(criterion)` compares the two by a criterion that is not upstream's.
template <class Int, class Other>
Order compare_importance(const Importance<Int>& a, const Importance<Int>& b,
                         std::span<const ImportanceCriterion> criteria, Release release, Other&& other) {
  for (const ImportanceCriterion criterion : criteria) {
    if (criterion == ImportanceCriterion::kPriority) {
      const Order higher = REPRIEVE_MUTANT("importance-priority-reversed", Order::kBefore, Order::kAfter);
      if (a.priority > b.priority) return higher;
      if (a.priority < b.priority) return opposite(higher);
    } else if (criterion == ImportanceCriterion::kStartTime) {
      if (a.start.given != b.start.given) {
        REPRIEVE_MARK("engine/importance/one-start-is-missing");
        const Order started =
            REPRIEVE_MUTANT("importance-missing-start-first", Order::kBefore, Order::kAfter);
        return a.start.given ? started : opposite(started);
      }
      // In 1.36 the second reading of the clock is later, whichever pod it is for, and Go's insertion
      // sort asks "is the later listed one more important?": always yes.
      if (!a.start.given) {
        const bool later_wins = REPRIEVE_MUTANT("clock-read-once", release == Release::k1_36, false);
        if (release == Release::k1_36) REPRIEVE_MARK("engine/importance/both-starts-are-missing-1.36");
        if (release == Release::k1_37) REPRIEVE_MARK("engine/importance/both-starts-are-missing-1.37");
        return later_wins ? Order::kAfter : Order::kBefore;
      }
      const Order earlier = REPRIEVE_MUTANT("importance-start-reversed", Order::kBefore, Order::kAfter);
      if (a.start.time < b.start.time) return earlier;
      if (b.start.time < a.start.time) return opposite(earlier);
    } else if (const Order order = other(criterion); order != Order::kTie) {
      return order;
    }
  }
  return Order::kTie;
}

template <class Int>
Order compare_importance(const Importance<Int>& a, const Importance<Int>& b,
                         std::span<const ImportanceCriterion> criteria, Release release) {
  return compare_importance(a, b, criteria, release, [](ImportanceCriterion) { return Order::kTie; });
}

/// A budget that selects a potential victim.
struct Membership {
  std::uint32_t budget = 0;
  bool disrupted = false;  // already in status.disruptedPods: not charged
};

/// Charges one potential victim to its budgets, in their order: whether it is violating.
/// `allowed` is what each budget still allows; `charged(membership)` is called after each step.
template <class Int, class Charged>
bool charge(std::span<const Membership> memberships, std::span<Int> allowed, Charging charging,
            Charged&& charged) {
  bool violating = false;
  for (const Membership& membership : memberships) {
    if (REPRIEVE_MUTANT("disrupted-pods-charged-twice", !membership.disrupted, true)) {
      Int& left = allowed[membership.budget];
      const Int after = left - Int(1);
      left = REPRIEVE_MUTANT("budget-counted-per-pod", after, left);
      if (REPRIEVE_MUTANT("budget-violated-at-zero",
                          REPRIEVE_MUTANT("budget-allows-one-more", after < Int(0), after < Int(-1)),
                          after < Int(1))) {
        if (violating) REPRIEVE_MARK("engine/charge/violates-two-budgets");
        violating = true;
      }
    } else {
      REPRIEVE_MARK("engine/charge/already-disrupted");
    }
    charged(membership);
    const bool stops =
        REPRIEVE_MUTANT("charging-stops-in-every-release", charging == Charging::kUntilViolated, true);
    if (REPRIEVE_MUTANT("charging-never-stops", violating && stops, false)) {
      REPRIEVE_MARK("engine/charge/stops-at-a-violated-budget");
      break;
    }
    if (REPRIEVE_MUTANT("first-budget-only", false, true)) break;
    if (REPRIEVE_MUTANT("charged-once-per-pod", false, !membership.disrupted)) break;
  }
  return violating;
}

/// Reprieves in two passes, violating ones first, each in order of importance. `fits` puts pod i back
/// (`restore`), says whether the preemptor still fits (`fits`) and takes it off again (`evict`).
/// `evicted(i)` is told of each victim and says whether to go on: false abandons the node.
/// Returns false when abandoned.
template <class Fits, class Evicted>
bool reprieve(std::span<const std::uint8_t> violating, Fits&& fits, Evicted&& evicted) {
  const std::uint8_t first = REPRIEVE_MUTANT("violating-reprieved-last", 1, 0);
  for (const std::uint8_t group : {first, static_cast<std::uint8_t>(1 - first)}) {
    for (std::size_t i = 0; i < violating.size(); ++i) {
      if (violating[i] != group) continue;
      if (REPRIEVE_MUTANT("walk-misses-the-last", false, i + 1 == violating.size())) continue;
      fits.restore(i);
      if (fits.fits()) {
        if (violating[i] != 0) REPRIEVE_MARK("engine/reprieve/violating-pod-is-spared");
        continue;
      }
      if (violating[i] != 0) REPRIEVE_MARK("engine/reprieve/violating-pod-is-evicted");
      fits.evict(i);
      if (!evicted(i)) return false;
    }
  }
  return true;
}

/// What victim i adds to the violations of its candidate: 1 when it was classed violating. Pods that were and
/// are spared add nothing. `so_far`: of the victims before it; a mutant alone reads it.
template <class Int>
Int violation_of(std::span<const std::uint8_t> violating, std::size_t i, [[maybe_unused]] const Int& so_far) {
  return REPRIEVE_MUTANT("classed-counted-for-victims", Int(violating[i]),
                         Int(std::ranges::count(violating, 1)) - so_far);
}

/// Lists the victims among `potential`, most important first. SelectVictimsOnNode sorts again when both
/// groups had members: of victims that tie the violating ones are then listed first.
/// `potential` is in order of importance; `goes_before(b, a)`: whether `b`, listed after `a`, is the more
/// important. Returns whether the list is in that order; in what ships it always is.
template <class Pod, class GoesBefore>
bool list_victims(std::span<const Pod> potential, std::span<const std::uint8_t> violating,
                  std::span<const std::uint8_t> evicted, GoesBefore&& goes_before,
                  std::vector<Pod>& victims) {
  victims.clear();
  const auto list = [&](auto wanted) {
    for (std::size_t i = 0; i < potential.size(); ++i) {
      if (evicted[i] != 0 && wanted(i)) victims.push_back(potential[i]);
    }
  };
  const bool both_groups = std::ranges::find(violating, 0) != violating.end() &&
                           std::ranges::find(violating, 1) != violating.end();
  if (REPRIEVE_MUTANT("victims-sorted-once", !both_groups, true)) {
    list([](std::size_t) { return true; });
    return true;
  }
  REPRIEVE_MARK("engine/victims/sorted-again");
  list([&](std::size_t i) { return violating[i] != 0; });
  list([&](std::size_t i) { return violating[i] == 0; });
  if (REPRIEVE_MUTANT("victims-unsorted", false, !victims.empty())) return false;
  for (std::size_t end = 1; end < victims.size(); ++end) {
    for (std::size_t i = end; i > 0 && goes_before(victims[i], victims[i - 1]); --i) {
      std::swap(victims[i - 1], victims[i]);
    }
  }
  return true;
}

/// Levels that are not upstream's: where each stands in Key::further.
inline constexpr std::size_t kFurtherLevels = 2;
constexpr std::size_t further_place(NodeCriterion criterion) {
  return criterion == NodeCriterion::kRequestedShare ? 0 : 1;
}

/// The five levels of a candidate. Over victims in any order; empty at first.
template <class Int>
struct Key {
  Int violations{0};
  Int highest_priority{0};
  Int priority_sum{0};  // each priority shifted by 2^31, so that it is never negative
  Int victim_count{0};
  StartTime<Int> earliest_start;  // among the victims of the highest priority
  bool empty = true;
  /// Smaller is better; filled once the victims are known, where the policy names them.
  std::array<Fraction<Int>, kFurtherLevels> further{};

  void add(const Int& priority, const StartTime<Int>& start, const Int& violation) {
    violations = violations + violation;
    const Int shift(std::int64_t{1} << 31);
    priority_sum = priority_sum + (priority + shift);
    victim_count = victim_count + Int(1);
    if (empty || REPRIEVE_MUTANT("lowest-for-highest-priority", priority > highest_priority,
                                 priority < highest_priority)) {
      highest_priority = priority;
      earliest_start = start;
    } else if (REPRIEVE_MUTANT("start-of-any-victim", priority == highest_priority, true)) {
      if (start.given && (!earliest_start.given ||
                          REPRIEVE_MUTANT("latest-start-of-the-highest", start.time < earliest_start.time,
                                          earliest_start.time < start.time))) {
        earliest_start = start;
      }
    }
    empty = false;
  }
};

/// Less than zero when `a` is the better candidate by this criterion, more when `b` is.
template <class Int>
int compare_level(const Key<Int>& a, const Key<Int>& b, NodeCriterion criterion) {
  const auto lower = [](const Int& x, const Int& y) { return x < y ? -1 : (y < x ? 1 : 0); };
  const auto sum = [](const Key<Int>& key) {
    return REPRIEVE_MUTANT("sum-not-shifted", key.priority_sum,
                           key.priority_sum - Int(std::int64_t{1} << 31) * key.victim_count);
  };
  // Later is better, and "now" is the latest.
  const auto later = [&](const StartTime<Int>& x, const StartTime<Int>& y) {
    if (x.given != y.given) return x.given ? 1 : -1;
    return x.given ? lower(y.time, x.time) : 0;
  };
  switch (criterion) {
    case NodeCriterion::kPdbViolations:
      return REPRIEVE_MUTANT("level-1-reversed", 1, -1) * REPRIEVE_MUTANT("level-1-skipped", 1, 0) *
             lower(a.violations, b.violations);
    case NodeCriterion::kHighestPriority:
      return REPRIEVE_MUTANT("level-2-reversed", 1, -1) * REPRIEVE_MUTANT("level-2-skipped", 1, 0) *
             lower(a.highest_priority, b.highest_priority);
    case NodeCriterion::kPrioritySum:
      return REPRIEVE_MUTANT("level-3-reversed", 1, -1) * REPRIEVE_MUTANT("level-3-skipped", 1, 0) *
             lower(sum(a), sum(b));
    case NodeCriterion::kVictimCount:
      return REPRIEVE_MUTANT("level-4-reversed", 1, -1) * REPRIEVE_MUTANT("level-4-skipped", 1, 0) *
             lower(a.victim_count, b.victim_count);
    case NodeCriterion::kLatestStart:
      return REPRIEVE_MUTANT("level-5-reversed", 1, -1) * REPRIEVE_MUTANT("level-5-skipped", 1, 0) *
             later(a.earliest_start, b.earliest_start);
    case NodeCriterion::kRequestedShare:
    case NodeCriterion::kBudgetsTouched:
      return compare_fractions(a.further[further_place(criterion)], b.further[further_place(criterion)]);
  }
  std::unreachable();
}

/// Lexicographic; `decided` is set to the criterion that separated them, if one did.
template <class Int>
int compare_keys(const Key<Int>& a, const Key<Int>& b, std::span<const NodeCriterion> order,
                 const NodeCriterion** decided = nullptr) {
  for (const NodeCriterion& criterion : order) {
    if (const int result = compare_level(a, b, criterion); result != 0) {
      if (decided) *decided = &criterion;
      return result;
    }
  }
  return 0;
}

/// Whether a node whose victims so far have the key `partial` can no longer be as good as `best`.
///
/// Sound for every filter: the greedy reprieve never un-evicts, and the first four levels only grow
/// as victims are added, so `partial` is at most the final key in each of them. The fifth can improve
/// (a victim of higher priority resets it), so the comparison stops there; and the further levels are
/// not known yet. Under an importance that does not begin with priority the second level is of the
/// first victim listed, which may change either way: `order` then ends before it.
template <class Int>
bool is_beaten(const Key<Int>& partial, const Key<Int>& best, std::span<const NodeCriterion> order) {
  for (const NodeCriterion criterion : order) {
    if (criterion == NodeCriterion::kLatestStart || criterion == NodeCriterion::kRequestedShare ||
        criterion == NodeCriterion::kBudgetsTouched) {
      break;
    }
    const int result = compare_level(partial, best, criterion);
    if (result != 0) return result > 0;
  }
  return REPRIEVE_MUTANT("bound-beaten-by-an-equal", false, true);
}

/// NodeResourcesFit for the resources alone: a resource of which the preemptor asks nothing is not
/// looked at, even on an overcommitted node (fit.go, fitsRequest).
template <class Int>
bool resources_fit(std::span<const Int> request, std::span<const Int> used,
                   std::span<const Int> allocatable) {
  for (std::size_t i = 0; i < request.size(); ++i) {
    const Int free = allocatable[i] - used[i];
    if (request[i] > Int(0) && REPRIEVE_MUTANT("fit-leaves-one-free", request[i] > free, request[i] >= free))
      return false;
  }
  return true;
}

/// Runs the filters with the pods nominated to the node counted in, if there are any, and when they pass
/// once more without (RunFilterPluginsWithNominatedPods). What `run(with_nominated)` returns says by fits()
/// whether they passed.
template <class Run>
inline auto run_with_nominated(bool has_nominated, Run&& run) {
  if (REPRIEVE_MUTANT("nominated-load-dropped", !has_nominated, true)) return run(false);
  const auto first = run(true);
  if (!first.fits()) {
    REPRIEVE_MARK("engine/fits/not-with-nominated");
    return first;
  }
  if (REPRIEVE_MUTANT("second-pass-dropped", false, true)) return first;
  const auto second = run(false);
  if (!second.fits()) REPRIEVE_MARK("engine/fits/only-with-nominated");
  return second;
}

}  // namespace reprieve::engine
