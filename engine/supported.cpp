#include "reprieve/engine/supported.h"

#include <algorithm>

namespace reprieve::engine {

std::optional<std::string> unsupported(const Policy& policy) {
  if (policy.victims != VictimSearch::kGreedy) return "policy field victims: exact is not implemented";
  if (policy.budgets.guaranteed) return "policy field budgets: guaranteed is not implemented";
  if (policy.violations != ViolationCount::kClassified)
    return "policy field violations: actual is not implemented";
  for (const ImportanceCriterion criterion : policy.importance) {
    if (criterion != ImportanceCriterion::kPriority && criterion != ImportanceCriterion::kStartTime) {
      return "policy field importance: " + std::string(to_string(criterion)) + " is not implemented";
    }
  }
  for (const NodeCriterion criterion : policy.node_order) {
    if (criterion == NodeCriterion::kRequestedShare || criterion == NodeCriterion::kBudgetsTouched) {
      return "policy field nodeOrder: " + std::string(to_string(criterion)) + " is not implemented";
    }
  }
  return std::nullopt;
}

}  // namespace reprieve::engine
