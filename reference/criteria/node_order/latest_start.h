// nodeOrder: latestStart, level 5. The earliest start among the victims of the highest priority; the one
// level where more is better. Unlike level 2 it looks for the highest priority itself. Source:
// pkg/scheduler/util/utils.go (GetEarliestPodStartTime).
#pragma once

#include <algorithm>

#include "reprieve/reference/criteria/ranking_key.h"

namespace reprieve::reference::latest_start {

/// Absent, which means "now", only when all of them lack it.
inline void measure(const Candidate& candidate, CandidateKey& key) {
  std::int32_t highest = candidate.victims.front()->priority;
  for (const Pod* victim : candidate.victims) highest = std::max(highest, victim->priority);
  for (const Pod* victim : candidate.victims) {
    if (victim->priority != highest || !victim->start_time_us) continue;
    key.earliest_start_us =
        std::min(key.earliest_start_us.value_or(*victim->start_time_us), *victim->start_time_us);
  }
}

template <class Int>
auto is_better(const RankingKey<Int>& a, const RankingKey<Int>& b) {
  return b.earliest_start < a.earliest_start;
}

}  // namespace reprieve::reference::latest_start
