// Two nodes on which every pod must go, so that the ranking alone is in question. The names of the
// variables tell a witness what the nodes hold ("a.pod1.there", "a.pod1.priority", ...).
#pragma once

#include <string>
#include <vector>

#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {

struct FullNode {
  std::vector<direct::Pod> pods;  // in order of importance
  direct::Bools there;            // a pod may be absent
  direct::Bools violating;
  direct::Levels levels;  // with all that are there as victims
};

/// At least one pod is there. Priorities are within the range given; budgets are bounds.budgets, their
/// allowances shared by both nodes.
FullNode full_node(World& world, const std::string& prefix, const Bounds& bounds, Charging charging,
                   std::int64_t lowest_priority, std::int64_t highest_priority);

void add_level_theorems(std::vector<Theorem>& to);

}  // namespace reprieve::smt
