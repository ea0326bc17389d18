// nodeOrder: requestedShare. The smaller share of the node that all victims hold together is better.
#pragma once

#include <set>

#include "reprieve/reference/criteria/ranking_key.h"
#include "reprieve/reference/criteria/share.h"

namespace reprieve::reference::requested_share {

inline void measure(const Situation& situation, const Candidate& candidate, CandidateKey& key) {
  Amounts together;
  // A set, since an extender may list a pod twice.
  for (const Pod* victim : std::set<const Pod*>(candidate.victims.begin(), candidate.victims.end())) {
    for (const auto& [resource, amount] : situation.held_by(*victim)) together[resource] += amount;
  }
  key.requested_share = share_of(together, situation.nodes[candidate.node]);
}

template <class Int>
auto is_better(const RankingKey<Int>& a, const RankingKey<Int>& b) {
  return is_smaller(a.requested_share, b.requested_share);
}

}  // namespace reprieve::reference::requested_share
