// Which candidate is chosen. Source: framework/preemption/preemption.go, pickOneNodeForPreemption.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "reprieve/engine/candidate.h"
#include "reprieve/model/policy.h"

namespace reprieve::engine {

struct Ranking {
  std::vector<std::size_t> tie;  // positions of the best candidates, in their order; the first is chosen
  std::optional<NodeCriterion> decided_by;  // what separated them from the best of the others
};

/// Ranks candidates that are in input order.
void rank(std::span<const Candidate> candidates, std::span<const NodeCriterion> order, Ranking& ranking);

}  // namespace reprieve::engine
