// What the cluster looks like after a decision was carried out.
// Source: pkg/scheduler/framework/preemption/executor.go (prepareCandidate, clearNominatedNodeName).
#pragma once

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

/// The victims of the nominated node are gone, the nominations that the decision clears are cleared, and
/// the preemptor is nominated to it. `decision` must nominate.
Case after_eviction(Case question, const Decision& decision);

/// The same while the victims are still terminating, because of preemption. Those that terminated already
/// stay as they are.
Case during_eviction(Case question, const Decision& decision);

/// Pods that run and have no conditions begin to terminate, or no longer do; by chance.
Case with_terminations_redrawn(Case question, generators::Random& random);

/// Nominations that the release does not see, taken away: another scheduler's, and with 1.36 those of gated
/// pods; the preemptor's stays.
Case without_unseen_nominations(Case question);
/// Nominations of pods of lower priority than the preemptor, taken away.
Case without_lesser_nominations(Case question);
/// The preemptor's own nomination, taken away.
Case without_own_nomination(Case question);

}  // namespace reprieve::relations
