// Step 3 under `victims: exact`: of all sets of potential victims, the best.
// docs/SEMANTICS.md, "Policies other than Kubernetes' own"; there is no Kubernetes source.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reprieve/reference/node_under_test.h"
#include "reprieve/reference/selection.h"

namespace reprieve::reference {

/// More potential victims than this on one node are not decided: each doubles the work.
inline constexpr std::size_t kMostEnumerated = 20;

/// Looks at every set of the pods, which are in order of importance, and returns the best admissible
/// one by the policy's nodeOrder: the empty set if that is admissible, nothing if none is. With
/// `without_violations` only sets that violate no budget are looked at.
///
/// `emptied` is the node `node` (an index into Situation::nodes) with all pods taken off.
std::optional<Selection<std::int64_t>> find_optimum(const Situation& situation, std::size_t node,
                                                    const std::vector<Listed>& pods,
                                                    const Selectable<std::int64_t>& question,
                                                    const NodeUnderTest& emptied, bool without_violations);

}  // namespace reprieve::reference
