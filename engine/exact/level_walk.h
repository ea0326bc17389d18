// Level by level: whether no victims on a node are as good as the best so far. A template over the numbers
// of allowances and over whole ones, like cover_proof.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "reprieve/engine/exact/cover_proof.h"
#include "reprieve/engine/exact/problem.h"
#include "reprieve/engine/selection.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

template <class Whole>
struct Division {
  Whole quotient, rest;
};
inline Division<std::int64_t> divide(std::int64_t dividend, std::int64_t divisor) {
  return {dividend / divisor, dividend % divisor};
}

/// `levels`: those that the victims bound from below, in order. `lowest`: no pod that may go is of lower
/// priority. `asked.impossible(allowance, kind)`: whether it is proved that no victims within the allowance
/// make room; `asked.clearly_impossible` only tries what did before.
///
/// If victims that are better at a level and as good before cannot make room, none are; if those as good up
/// to there cannot, all are worse.
template <class Number, class Whole, class Asked>
bool are_all_worse(std::span<const NodeCriterion> levels, const Key<Whole>& best, const Whole& lowest,
                   bool guaranteed, Asked& asked) {
  BasicAllowance<Number, Whole> allowance;
  if (guaranteed) allowance.violations = 0;
  allowance.least = static_cast<Number>(lowest);
  std::size_t kind = 0;
  bool of_that_priority = false;  // a victim of allowance.priority is certain
  for (const NodeCriterion level : levels) {
    BasicAllowance<Number, Whole> better = allowance;
    bool same = false;  // nothing is better at this level, and all are as good
    switch (level) {
      case NodeCriterion::kPdbViolations:
        allowance.violations = std::min<Number>(allowance.violations, static_cast<Number>(best.violations));
        better.violations = allowance.violations - 1;
        same = static_cast<bool>(better.violations < 0);
        if (better.violations >= 0 && !asked.impossible(better, 0)) return false;
        kind = 1;
        break;
      case NodeCriterion::kHighestPriority:
        allowance.priority = static_cast<Number>(best.highest_priority);
        better.priority = allowance.priority - 1;
        if (REPRIEVE_MUTANT("exact-lower-priority-not-asked", lowest < best.highest_priority, false) &&
            !asked.impossible(better, 1)) {
          return false;
        }
        of_that_priority = true;
        kind = 1;
        break;
      case NodeCriterion::kPrioritySum: {
        const Whole least = lowest + kPriorityShift;
        if (least <= 0) return asked.impossible(allowance, kind);
        const Whole first = of_that_priority ? best.highest_priority + kPriorityShift : least;
        if (best.priority_sum < first) return true;
        // So many beside the first come to as much, and what is left is less than another.
        const Division<Whole> others = divide(best.priority_sum - first, least);
        better.count = static_cast<Number>(others.quotient);
        if (!asked.impossible(better, 2)) return false;
        allowance.count = better.count + 1;
        allowance.extra = static_cast<Number>(first - least + others.rest);
        better = allowance;
        better.extra -= 1;
        if (!asked.impossible(better, 3)) return false;
        kind = 3;
        break;
      }
      case NodeCriterion::kVictimCount:
        better.count = static_cast<Number>(best.victim_count) - 1;
        if (better.count >= 1 && !asked.impossible(better, 2)) return false;
        allowance.count = std::min<Number>(allowance.count, better.count + 1);
        kind = 2;
        break;
      case NodeCriterion::kLatestStart:
        if (!of_that_priority) return asked.impossible(allowance, kind);
        allowance.start_us = best.earliest_start.given ? best.earliest_start.time : Whole(kNow);
        if (allowance.start_us < kNow) {
          better.start_us = allowance.start_us + 1;
          if (!asked.impossible(better, 3)) return false;
        }
        kind = 3;
        break;
      default: return asked.impossible(allowance, kind);
    }
    if (!same && asked.clearly_impossible(allowance, kind)) return true;
  }
  return asked.impossible(allowance, kind);
}

}  // namespace reprieve::engine::exact
