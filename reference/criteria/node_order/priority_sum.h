// nodeOrder: prioritySum, level 3. The smaller sum of the victims' priorities is better. Each is shifted by
// 2^31, so that each victim adds and none subtracts.
#pragma once

#include "reprieve/reference/criteria/ranking_key.h"

namespace reprieve::reference::priority_sum {

inline void measure(const Candidate& candidate, CandidateKey& key) {
  for (const Pod* victim : candidate.victims) {
    key.priority_sum += std::int64_t{victim->priority} + (std::int64_t{1} << 31);
  }
}

template <class Int>
auto is_better(const RankingKey<Int>& a, const RankingKey<Int>& b) {
  return a.priority_sum < b.priority_sum;
}

}  // namespace reprieve::reference::priority_sum
