// How many of some pods each budget is charged for, where no pod is under two budgets: sums that solvers do
// not find by themselves, shown step by step. With them violations are a matter of a few numbers.
#pragma once

#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {

/// Of a set of pods, when they alone are charged.
struct CountedByBudget {
  direct::Ints charged;    // [budget]
  direct::Ints violating;  // [budget]: as many as take it below zero
  Int uncharged;
};

/// Steps that show, in a world in which no pod is under two budgets: of each budget as many pods violate as
/// are charged beyond what it allows; all violations are these; every pod of `who` is charged to one budget
/// or uncharged.
CountedByBudget count_by_budget(World& world, const direct::Budgets& budgets, const direct::Bools& who);

/// Steps that show that no budget is charged for more of `some` than of `more`, nor are more uncharged, where
/// `some` are among `more`.
void show_counts_grow(World& world, const direct::Budgets& budgets, const direct::Bools& some,
                      const direct::Bools& more);

}  // namespace reprieve::smt
