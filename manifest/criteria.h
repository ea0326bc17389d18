// The criteria that a policy may name in `importance` and `nodeOrder`, in one table: the names that are
// read, and what `reprieve policy criteria` says of each. The rules are in docs/SEMANTICS.md,
// "Criteria".
#pragma once

#include <span>
#include <string_view>

#include "reprieve/model/policy.h"

namespace reprieve::manifest {

/// How a criterion is explained to whoever writes a policy.
template <class Criterion>
struct CriterionEntry {
  Criterion criterion;
  std::string_view direction;  // of importance: what makes a pod more important; of nodeOrder: what is better
  std::string_view formula;
  std::string_view unit;
};

/// All of them, in the order of the enumeration.
std::span<const CriterionEntry<ImportanceCriterion>> importance_criteria();
std::span<const CriterionEntry<NodeCriterion>> node_criteria();

}  // namespace reprieve::manifest
