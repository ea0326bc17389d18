// Proves a body without a branch as one formula: its assumptions imply its claims.
#pragma once

#include "reprieve/smt/symbolic/world.h"

namespace reprieve::smt {

/// A body that branches is an error, and so is one that claims nothing, whose steps do not follow or whose
/// assumptions contradict each other. One query decides, and one each step; another, on the assumptions
/// alone, shows that they can be met.
ProofResult prove(Terms& terms, const std::function<void(World&)>& body, const ProofSettings& settings);

/// The queries, of the steps and then of the claims: the assumptions, the steps before, and last that the
/// step or some claim does not hold. For export.
std::vector<std::vector<Term>> queries_of(Terms& terms, const std::function<void(World&)>& body);

}  // namespace reprieve::smt
