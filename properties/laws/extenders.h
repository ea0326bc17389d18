// What of a decision an extender may have said: its answer takes the place of the dry run's, whatever
// it says. docs/SEMANTICS.md, step 5.
#pragma once

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

/// Some extender takes part in this decision: it supports preemption and is interested in the preemptor.
bool asks_extenders(const Inquiry& inquiry);

/// Victims and violations of the node are those of an extender's answer (of any, for one behind a URL).
bool extender_wrote(const Inquiry& inquiry, const NodeDecision& node);

/// An extender's answer leaves the node out, or without victims.
bool extender_dropped(const Inquiry& inquiry, const NodeDecision& node);

/// For exceptions: the breach is in a node that an extender wrote.
bool in_extenders_answer(const Inquiry& inquiry, const Breach& breach);

}  // namespace reprieve::laws
