// Random policies: every knob, in every combination that is valid (manifest/policy.h validate).
#include <algorithm>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

/// Enumeration doubles with each potential victim.
constexpr int kMostForExact = 10;

/// Some of them in a random order; at least one.
template <class Criterion, std::size_t N>
std::vector<Criterion> some_of(Random& random, const std::array<Criterion, N>& all) {
  std::vector<Criterion> some(all.begin(), all.end());
  random.shuffle(some);
  some.resize(static_cast<std::size_t>(random.between(1, static_cast<int>(N))));
  return some;
}

}  // namespace

void draw_policy(Draft& draft) {
  static constexpr std::array kImportance = {ImportanceCriterion::kPriority, ImportanceCriterion::kStartTime,
                                             ImportanceCriterion::kRequestedShare,
                                             ImportanceCriterion::kTerminationGracePeriod};
  static constexpr std::array kOrder = {NodeCriterion::kPdbViolations, NodeCriterion::kHighestPriority,
                                        NodeCriterion::kPrioritySum,   NodeCriterion::kVictimCount,
                                        NodeCriterion::kLatestStart,   NodeCriterion::kRequestedShare,
                                        NodeCriterion::kBudgetsTouched};
  Random& random = draft.random;
  Policy& policy = draft.result.policy;
  policy.name = "drawn";
  if (draft.settings.max_pods_per_node <= kMostForExact && random.percent(50)) {
    policy.victims = VictimSearch::kExact;
  }
  const bool exact = policy.victims == VictimSearch::kExact;
  policy.violations = exact || random.coin() ? ViolationCount::kActual : ViolationCount::kClassified;
  policy.charging = random.coin() ? Charging::kEveryBudget : Charging::kUntilViolated;
  policy.budgets.guaranteed = random.percent(25);
  // Kubernetes' own lists often, so that the other knobs meet what they were made for.
  if (random.percent(70)) policy.importance = some_of(random, kImportance);
  if (random.percent(75)) policy.node_order = some_of(random, kOrder);
}

void bind_guarantee(Draft& draft) {
  BudgetGuarantee& budgets = draft.result.policy.budgets;
  if (!budgets.guaranteed || draft.random.coin()) return;
  // Just below, at and above the preemptor, and far away; an int32 at its end has no neighbour.
  const std::int64_t near = std::int64_t{draft.preemptor_priority} + draft.random.between(-1, 1);
  const std::int64_t below = draft.random.percent(75) ? near : 0;
  budgets.below_priority = static_cast<std::int32_t>(std::clamp<std::int64_t>(below, INT32_MIN, INT32_MAX));
}

}  // namespace reprieve::generators
