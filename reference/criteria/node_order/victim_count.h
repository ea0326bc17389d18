// nodeOrder: victimCount, level 4. Fewer is better.
#pragma once

#include "reprieve/reference/criteria/ranking_key.h"

namespace reprieve::reference::victim_count {

inline void measure(const Candidate& candidate, CandidateKey& key) {
  key.victim_count = static_cast<std::int64_t>(candidate.victims.size());
}

template <class Int>
auto is_better(const RankingKey<Int>& a, const RankingKey<Int>& b) {
  return a.victim_count < b.victim_count;
}

}  // namespace reprieve::reference::victim_count
