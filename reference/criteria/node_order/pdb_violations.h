// nodeOrder: pdbViolations, level 1. Fewer is better. What counts is the policy's choice, made where the
// victims are; after an extender its own number.
#pragma once

#include "reprieve/reference/criteria/ranking_key.h"

namespace reprieve::reference::pdb_violations {

inline void measure(const Candidate& candidate, CandidateKey& key) { key.violations = candidate.violations; }

template <class Int>
auto is_better(const RankingKey<Int>& a, const RankingKey<Int>& b) {
  return a.violations < b.violations;
}

}  // namespace reprieve::reference::pdb_violations
