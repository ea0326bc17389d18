// nodeOrder: highestPriority, level 2. The lower is better, and it is read from the first victim that is
// listed: an extender may list them in any order.
#pragma once

#include "reprieve/reference/criteria/ranking_key.h"

namespace reprieve::reference::highest_priority {

inline void measure(const Candidate& candidate, CandidateKey& key) {
  key.highest_priority = candidate.victims.front()->priority;
}

template <class Int>
auto is_better(const RankingKey<Int>& a, const RankingKey<Int>& b) {
  return a.highest_priority < b.highest_priority;
}

}  // namespace reprieve::reference::highest_priority
