// Step 6: the five-level ordering of candidates.
// Source: pkg/scheduler/framework/preemption/preemption.go (pickOneNodeForPreemption),
// pkg/scheduler/util/utils.go (GetEarliestPodStartTime).
//
// The comparison is a template, so that a symbolic integer can run it: Int has < and is copied.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reprieve/model/decision.h"
#include "reprieve/reference/dry_run.h"

namespace reprieve::reference {

template <class Int>
struct RankingKey {
  Int violations;
  Int highest_priority;
  Int priority_sum;
  Int victim_count;
  Int earliest_start;
};

/// Which of two keys is preferred, and by which criterion. Neither and none when they tie.
struct Preference {
  bool first = false;
  bool second = false;
  std::optional<NodeCriterion> by;
};

/// Compares by each criterion in turn; the first that differs decides. Upstream keeps the nodes with
/// the best score level by level, which is the same.
template <class Int>
Preference compare(const RankingKey<Int>& a, const RankingKey<Int>& b,
                   const std::vector<NodeCriterion>& order) {
  for (const NodeCriterion criterion : order) {
    const Int* better_low_a = nullptr;
    const Int* better_low_b = nullptr;
    switch (criterion) {
      case NodeCriterion::kPdbViolations: better_low_a = &a.violations, better_low_b = &b.violations; break;
      case NodeCriterion::kHighestPriority:
        better_low_a = &a.highest_priority, better_low_b = &b.highest_priority;
        break;
      case NodeCriterion::kPrioritySum: better_low_a = &a.priority_sum, better_low_b = &b.priority_sum; break;
      case NodeCriterion::kVictimCount: better_low_a = &a.victim_count, better_low_b = &b.victim_count; break;
      // The one level where more is better, so the two change places.
      case NodeCriterion::kLatestStart:
        better_low_a = &b.earliest_start, better_low_b = &a.earliest_start;
        break;
      case NodeCriterion::kRequestedShare:
      case NodeCriterion::kBudgetsTouched: continue;  // decide() refuses them before
    }
    if (*better_low_a < *better_low_b) return {.first = true, .second = false, .by = criterion};
    if (*better_low_b < *better_low_a) return {.first = false, .second = true, .by = criterion};
  }
  return {};
}

/// The five levels of a candidate. Level 2 reads the first victim that is listed; level 5 looks for
/// the highest priority itself (an extender may list victims in any order).
CandidateKey key_of(const Candidate& candidate);

struct Ranked {
  std::vector<std::size_t> tie;             // positions of the best candidates, in their order
  std::optional<NodeCriterion> decided_by;  // between the best and the best of the rest
};

/// `keys` must not be empty.
Ranked rank(const std::vector<CandidateKey>& keys, const std::vector<NodeCriterion>& order);

}  // namespace reprieve::reference
