// What would have to be different: more room on a node, a larger budget, another priority. Each
// change is tried with a real decision before it is named.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "reprieve/cli/explain/what_if.h"

namespace reprieve::cli::explain {

/// A change that was decided and led to the goal.
struct Change {
  std::string kind;  // "room", "budget", "priority", "startTime"
  std::string text;  // "node-b had 300m more cpu"; continues "if"
  std::string then;  // what is decided then, one clause

  bool operator==(const Change&) const = default;
};

using Goal = std::function<bool(const Decision&)>;
/// The potential victim whose fate is to be changed on this node, or null: there is none.
using Pick = std::function<const PotentialVictim*(const NodeDecision&)>;

/// Gives `node` as much more of what is short as the picked victim needs to be reprieved, again and
/// again (8 times at most) until the goal is reached. Nothing when the victim fails on something
/// that is not an amount, or the goal is not reached.
std::optional<Change> with_more_room(WhatIf& what_if, const std::string& node, const Pick& pick,
                                     const Goal& goal);

/// Raises every budget that the picked potential victim exceeds by what it lacks, again and again.
std::optional<Change> with_larger_budgets(WhatIf& what_if, const std::string& node, const Pick& pick,
                                          const Goal& goal);

/// Sets those of the budgets that still allow something (or a new one over the pod's labels, when
/// none selects it) to allow nothing.
std::optional<Change> with_budget_of_zero(WhatIf& what_if, const std::string& pod,
                                          const std::vector<std::string>& budgets, const Goal& goal);

/// Gives the pods this priority.
std::optional<Change> with_priority(WhatIf& what_if, const std::vector<std::string>& pods,
                                    std::int32_t priority, const Goal& goal);

/// The lowest priority between `from`, which it has and which does not do, and `enough`.
std::optional<Change> with_least_priority(WhatIf& what_if, const std::string& pod, std::int32_t from,
                                          std::int32_t enough, const Goal& goal);

/// Lets the pods start at this time.
std::optional<Change> with_start(WhatIf& what_if, const std::vector<std::string>& pods, TimeUs start_us,
                                 const Goal& goal);

/// "node-b is chosen, evicting default/x".
std::string in_words(const Decision& decision);

}  // namespace reprieve::cli::explain
