// Extenders that take part in preemption: they may drop candidates or change their victims.
// Source: framework/preemption/preemption.go (callExtenders), pkg/scheduler/extender.go.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "reprieve/engine/candidate.h"
#include "reprieve/engine/extender_call.h"
#include "reprieve/engine/filters/cycle.h"
#include "reprieve/model/extender.h"

namespace reprieve::engine {

/// Whether any of them is asked for this preemptor.
bool are_interested(const Cycle& cycle, std::span<const Extender> extenders);

/// Asks them one after the other. Candidates stay in input order; their keys are those of the answers
/// (level 2 then reads the first victim of the answer's order). Returns whether some answer was taken,
/// or the error that ends the decision.
std::expected<bool, std::string> call_extenders(const Cycle& cycle, std::span<const Extender> extenders,
                                                const AskExtender& ask, std::vector<Candidate>& candidates);

}  // namespace reprieve::engine
