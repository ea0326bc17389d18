// Proves a body without a branch as one formula: its assumptions imply its claims.
#pragma once

#include "reprieve/smt/symbolic/world.h"

namespace reprieve::smt {

/// A body that branches is an error, and so is one that claims nothing or whose assumptions contradict
/// each other. One query decides; a second one, on the assumptions alone, shows that they can be met.
ProofResult prove(Terms& terms, const std::function<void(World&)>& body, const ProofSettings& settings);

/// The query: the assumptions, and last that some claim does not hold. For export.
std::vector<Term> query_of(Terms& terms, const std::function<void(World&)>& body);

}  // namespace reprieve::smt
