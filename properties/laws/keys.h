// The key of a candidate, recomputed from its victims and its violations. docs/SEMANTICS.md, step 6 and
// "Criteria".
#pragma once

#include <optional>
#include <vector>

#include "reprieve/model/decision.h"
#include "reprieve/properties/laws/facts.h"

namespace reprieve::laws {

/// The key of a told candidate by the policy's nodeOrder; nothing when it names a pod or a node that
/// the case does not have, or no victim.
std::optional<CandidateKey> key_of(Facts& facts, const NodeDecision& candidate);

/// Negative when `a` is better at the level, positive when `b` is.
int compare_at(NodeCriterion level, const CandidateKey& a, const CandidateKey& b);

/// The first level of the order at which the two differ, and which is better there.
struct Comparison {
  int order = 0;  // negative: the first is better
  std::optional<NodeCriterion> by;
};
Comparison compare_keys(const std::vector<NodeCriterion>& order, const CandidateKey& a,
                        const CandidateKey& b);

}  // namespace reprieve::laws
