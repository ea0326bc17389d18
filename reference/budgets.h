// Which budgets protect which pods, and whether they must not be violated.
// Source: pkg/scheduler/framework/preemption/util.go (FilterVictimsWithPDBViolation, 1.37; the same in
// default_preemption.go, 1.36). The guarantee is KEP-3280's wish: docs/SEMANTICS.md.
#pragma once

#include <cstdint>
#include <vector>

#include "reprieve/reference/importance.h"
#include "reprieve/reference/selection.h"
#include "reprieve/reference/situation.h"

namespace reprieve::reference {

/// Same namespace, and a selector that is there, valid and not empty. A pod without labels is
/// selected by no budget.
bool selects(const DisruptionBudget& budget, const Pod& pod);

/// The pods, in order of importance, against the cluster's budgets, in input order.
Selectable<std::int64_t> resolve_budgets(const Situation& situation, const std::vector<Listed>& pods);

/// Whether no budget may be violated for this preemptor.
bool guarantee_binds(const Situation& situation);

}  // namespace reprieve::reference
