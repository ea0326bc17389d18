// The criteria that upstream does not have. Each stands in a file of its own and in one of the two
// tables of criteria.cpp; a decision that does not name a criterion pays nothing for it.
//
// Upstream's own (priority and start time, the five levels) are in selection.h, because every
// decision needs them and they are proved there.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/index.h"
#include "reprieve/model/decision.h"

namespace reprieve::engine::criteria {

/// Memory that the levels use, kept between candidates.
struct Scratch {
  std::vector<PodId> victims;
  std::vector<std::int64_t> sums;
  std::vector<BudgetId> budgets;
};

// Importance: which of two pods of one node is the more important; kBefore: `a`.
Order by_requested_share(const Index& index, PodId a, PodId b);
Order by_termination_grace_period(const Index& index, PodId a, PodId b);

// Levels of the nodeOrder, over distinct victims of one node (at least one); smaller is better.
Fraction<std::int64_t> requested_share(const Index& index, std::span<const PodId> victims, Scratch& scratch);
Fraction<std::int64_t> budgets_touched(const Index& index, std::span<const PodId> victims, Scratch& scratch);

/// The order of two pods by a criterion that is not upstream's.
Order compare(ImportanceCriterion criterion, const Index& index, PodId a, PodId b);

/// The order of two pods of one node by all of the criteria; `a` stands before `b` in the list.
inline Order compare_pods(const Index& index, PodId a, PodId b,
                          std::span<const ImportanceCriterion> criteria) {
  return compare_importance<std::int64_t>(
      index.importance_of(a), index.importance_of(b), criteria, index.release,
      [&](ImportanceCriterion criterion) { return compare(criterion, index, a, b); });
}

/// Fills those levels of the key that are not upstream's and that `order` names.
void fill_levels(const Index& index, std::span<const NodeCriterion> order, std::span<const PodId> victims,
                 Key<std::int64_t>& key, Scratch& scratch);

/// Copies them into what a decision tells.
void tell_levels(std::span<const NodeCriterion> order, const Key<std::int64_t>& key, CandidateKey& told);

}  // namespace reprieve::engine::criteria
