// A layout with its settings as a case: names, amounts and times.
#pragma once

#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/properties/exhaustive/layouts.h"
#include "reprieve/properties/exhaustive/scope.h"

namespace reprieve::exhaustive {

/// Nodes n1, n2, ... running pods p1, p2, ... budgets b1, b2, ... and the preemptor default/preemptor.
/// The fullest node comes last, so that who gives up on it too early, because of a candidate before it, is
/// seen. The pods of a node are listed from the least important on, so that who forgets to sort is seen;
/// those of one rank keep their order.
void write_layout(const Layout& layout, const Kinds& kinds, const Scope& scope, Case& question);

/// The allocatable of the nodes and the allowances of the budgets, in a case with the layout written.
void write_settings(const std::vector<int>& rooms, const std::vector<int>& allowed, const Scope& scope,
                    Case& question);

}  // namespace reprieve::exhaustive
