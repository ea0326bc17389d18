#include "reprieve/manifest/criteria.h"

#include <array>

namespace reprieve::manifest {

std::span<const CriterionEntry<ImportanceCriterion>> importance_criteria() {
  using Entry = CriterionEntry<ImportanceCriterion>;
  static constexpr std::array kAll = {
      Entry{ImportanceCriterion::kPriority, "higher", "spec.priority", "priority"},
      Entry{ImportanceCriterion::kStartTime, "earlier", "status.startTime; missing is now", "time"},
      Entry{ImportanceCriterion::kRequestedShare, "larger",
            "largest of held / allocatable over the resources that the pod requests", "fraction of the node"},
      Entry{ImportanceCriterion::kTerminationGracePeriod, "longer",
            "spec.terminationGracePeriodSeconds; missing is 30", "seconds"}};
  return kAll;
}

std::span<const CriterionEntry<NodeCriterion>> node_criteria() {
  using Entry = CriterionEntry<NodeCriterion>;
  static constexpr std::array kAll = {
      Entry{NodeCriterion::kPdbViolations, "fewer", "victims that violate a budget, as `violations` says",
            "victims"},
      Entry{NodeCriterion::kHighestPriority, "lower", "priority of the first victim listed", "priority"},
      Entry{NodeCriterion::kPrioritySum, "lower", "sum of priority + 2^31 over the victims", "priority"},
      Entry{NodeCriterion::kVictimCount, "fewer", "number of victims", "victims"},
      Entry{NodeCriterion::kLatestStart, "later",
            "earliest start among the victims of the highest priority; now if none is known", "time"},
      Entry{NodeCriterion::kRequestedShare, "smaller",
            "largest of held / allocatable over the resources of all victims together",
            "fraction of the node"},
      Entry{NodeCriterion::kBudgetsTouched, "fewer",
            "budgets that select a victim and do not list it in disruptedPods", "budgets"}};
  return kAll;
}

}  // namespace reprieve::manifest
