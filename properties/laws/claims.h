// For which policies a law is claimed: the conditions that several laws share.
#pragma once

#include <algorithm>
#include <string_view>

#include "reprieve/model/policy.h"

namespace reprieve::laws {

inline bool every_policy(const Policy&) { return true; }
inline constexpr std::string_view kEveryPolicy = "every policy";

inline bool greedy(const Policy& policy) { return policy.victims == VictimSearch::kGreedy; }
inline constexpr std::string_view kGreedyPolicies = "victims: greedy";

inline bool exact(const Policy& policy) { return policy.victims == VictimSearch::kExact; }
inline constexpr std::string_view kExactPolicies = "victims: exact";

/// Whether a set of victims never has a better key for one pod more. Under greedy victims nobody asks.
inline bool removing_never_hurts(const Policy& policy) {
  if (greedy(policy)) return true;
  const auto place = [&](NodeCriterion criterion) { return std::ranges::find(policy.node_order, criterion); };
  // One pod less may let another be charged to more budgets.
  if (policy.charging == Charging::kUntilViolated &&
      place(NodeCriterion::kPdbViolations) != policy.node_order.end()) {
    return false;
  }
  // A more important victim that started late hides an earlier start.
  if (place(NodeCriterion::kLatestStart) < place(NodeCriterion::kHighestPriority)) return false;
  // highestPriority reads the first listed.
  return !policy.importance.empty() && policy.importance.front() == ImportanceCriterion::kPriority;
}
inline constexpr std::string_view kRemovingNeverHurts =
    "victims: greedy; victims: exact with importance by priority first, charging: everyBudget or no "
    "pdbViolations, and highestPriority before latestStart";

inline bool actual_violations(const Policy& policy) { return policy.violations == ViolationCount::kActual; }
inline constexpr std::string_view kActualViolations = "violations: actual";

}  // namespace reprieve::laws
