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
  std::optional<std::string> failure;  // an extender failed that may not be ignored
};

/// Asks each extender that supports preemption and is interested, in order. An answer takes the
/// place of the candidates as it stands: it may name nodes that were not asked about and pods of any
/// priority, only not nodes that are absent or pods that are not on the node.
ExtendersAnswer call_extenders(const Situation& situation, const std::vector<Extender>& extenders,
                               std::vector<Candidate> candidates);

}  // namespace reprieve::reference
