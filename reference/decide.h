// The slow, obviously correct one. It must never ship: it recounts everything, copies freely and
// takes time quadratic and worse in the cluster, so that each step can be read beside
// docs/SEMANTICS.md and believed.
#pragma once

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::reference {

/// Decides a case with every node's story. An absent or running preemptor is Outcome::kError, and
/// so is a policy or an extender (url) that is not implemented here; never a guess.
Decision decide(const Case& question);

}  // namespace reprieve::reference
