// What the criteria of nodeOrder look at, and what they compare.
#pragma once

#include <cstdint>

#include "reprieve/model/decision.h"
#include "reprieve/reference/dry_run.h"

namespace reprieve::reference {

/// The values that are compared: a CandidateKey in which nothing is missing.
template <class Int>
struct RankingKey {
  Int violations;
  Int highest_priority;
  Int priority_sum;
  Int victim_count;
  Int earliest_start;
  Int budgets_touched = Int(0);
  Share requested_share;
};

}  // namespace reprieve::reference
