// Runs a body again and again until every feasible path through it was taken, and proves at the end
// of each path what the body claimed on it.
//
// The body may be code that ships: wherever it turns a smt::Bool into a bool, the explorer decides. A
// side that the solver finds impossible is not taken. The solver's stack stays between paths: only
// the part behind the last turn is asserted anew, and the side that the last model took is known to
// be possible without asking.
#pragma once

#include "reprieve/smt/symbolic/world.h"

namespace reprieve::smt {

/// `body` must do the same whenever the same turns are taken; one that does not is an error, and so
/// is one that claims nothing, or whose assumptions contradict each other on every path.
ProofResult explore(Terms& terms, const std::function<void(World&)>& body, const ProofSettings& settings);

}  // namespace reprieve::smt
