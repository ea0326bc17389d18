// The walk over the potential nodes when a policy samples, as a decision tells it. docs/SEMANTICS.md,
// step 7.
#pragma once

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

struct Walk {
  std::vector<const NodeDecision*> kept;   // candidates that are ranked
  std::vector<const NodeDecision*> lost;   // candidates beyond the wanted number of their kind
  std::vector<const NodeDecision*> after;  // potential nodes behind the end of the walk
};

/// What a walk by the policy's sampling makes of the told nodes. Means nothing once an extender has
/// spoken: what it drops does not look like a candidate any more.
Walk walk(const Inquiry& inquiry);

}  // namespace reprieve::laws
