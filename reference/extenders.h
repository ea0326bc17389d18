// Step 5: what the extenders make of the candidates.
// Source: pkg/scheduler/framework/preemption/preemption.go (callExtenders), pkg/scheduler/extender.go
// (ProcessPreemption, convertToVictims, IsInterested).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/extender.h"
#include "reprieve/reference/dry_run.h"

namespace reprieve::reference {

struct ExtendersAnswer {
  std::vector<Candidate> candidates;   // in input order of the nodes
  bool heard = false;                  // some extender's answer was taken
  std::optional<std::string> failure;  // an extender failed that may not be ignored
};

/// Asks each extender that supports preemption and is interested, in order. An answer takes the place
/// of the candidates: nodes that it leaves out are dropped, and its victims may be any pods that are
/// on the node, of any priority and in any order. A scripted answer holds for the nodes that it is
/// asked about; what it says of others is not heard.
ExtendersAnswer call_extenders(const Situation& situation, const std::vector<Extender>& extenders,
                               std::vector<Candidate> candidates);

}  // namespace reprieve::reference
