// Why the chosen node and not the next best: the levels side by side, which one decided, and what
// would turn the decision.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/explain/changes.h"
#include "reprieve/cli/explain/facts.h"
#include "reprieve/cli/explain/what_if.h"

namespace reprieve::cli::explain {

struct Level {
  NodeCriterion criterion = NodeCriterion::kPdbViolations;
  std::string winner;  // values as shown
  std::string runner_up;
  int better = 0;  // -1 the winner, 0 equal, 1 the runner-up (a level below the deciding one)
  bool decides = false;

  bool operator==(const Level&) const = default;
};

struct Rivalry {
  std::string winner;
  std::string runner_up;
  std::vector<Level> levels;
  std::optional<NodeCriterion> decided_by;
  std::string needs;            // what the runner-up would need on the deciding level, a sentence
  std::vector<Change> changes;  // tried, each makes the runner-up win or fit

  bool operator==(const Rivalry&) const = default;
};

/// Candidates from best to worst by the policy's levels; the final tie first, in its own order.
/// Indices into decision.nodes. Empty unless a node was nominated.
std::vector<std::size_t> ranked(const Decision& decision, const Policy& policy);

/// Absent with fewer than two candidates outside the final tie.
std::optional<Rivalry> rivalry(WhatIf& what_if, const Facts& facts, const std::vector<std::size_t>& ranking);

}  // namespace reprieve::cli::explain
