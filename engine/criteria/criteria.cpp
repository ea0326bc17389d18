#include "reprieve/engine/criteria/criteria.h"

#include <algorithm>
#include <numeric>

namespace reprieve::engine::criteria {
namespace {

struct ImportanceRow {
  ImportanceCriterion criterion;
  Order (*compare)(const Index&, PodId, PodId);
};

struct LevelRow {
  NodeCriterion criterion;
  Fraction<std::int64_t> (*value)(const Index&, std::span<const PodId>, Scratch&);
  void (*tell)(const Fraction<std::int64_t>&, CandidateKey&);
};

constexpr std::array kImportance = {
    ImportanceRow{ImportanceCriterion::kRequestedShare, by_requested_share},
    ImportanceRow{ImportanceCriterion::kTerminationGracePeriod, by_termination_grace_period},
};

constexpr std::array kLevels = {
    LevelRow{NodeCriterion::kRequestedShare, requested_share,
             [](const Fraction<std::int64_t>& value, CandidateKey& told) {
               const std::int64_t common = std::gcd(value.numerator, value.denominator);
               told.requested_share = Share{value.numerator / common, value.denominator / common};
             }},
    LevelRow{NodeCriterion::kBudgetsTouched, budgets_touched,
             [](const Fraction<std::int64_t>& value, CandidateKey& told) {
               told.budgets_touched = value.numerator;
             }},
};

}  // namespace

Order compare(ImportanceCriterion criterion, const Index& index, PodId a, PodId b) {
  for (const ImportanceRow& row : kImportance) {
    if (row.criterion == criterion) return row.compare(index, a, b);
  }
  return Order::kTie;
}

void fill_levels(const Index& index, std::span<const NodeCriterion> order, std::span<const PodId> victims,
                 Key<std::int64_t>& key, Scratch& scratch) {
  bool distinct = false;
  for (const NodeCriterion criterion : order) {
    for (const LevelRow& row : kLevels) {
      if (row.criterion != criterion) continue;
      if (!distinct) {  // an extender may list a pod twice
        scratch.victims.assign(victims.begin(), victims.end());
        std::ranges::sort(scratch.victims);
        const auto repeated = std::ranges::unique(scratch.victims);
        scratch.victims.erase(repeated.begin(), repeated.end());
        distinct = true;
      }
      key.further[further_place(criterion)] = row.value(index, scratch.victims, scratch);
    }
  }
}

void tell_levels(std::span<const NodeCriterion> order, const Key<std::int64_t>& key, CandidateKey& told) {
  for (const NodeCriterion criterion : order) {
    for (const LevelRow& row : kLevels) {
      if (row.criterion == criterion) row.tell(key.further[further_place(criterion)], told);
    }
  }
}

}  // namespace reprieve::engine::criteria
