#include "reprieve/reference/ranking.h"

#include <algorithm>
#include <limits>

namespace reprieve::reference {
namespace {

// A missing start time is "now": later than every start, and equal to itself. (Upstream reads the
// clock for each node, in the order of a Go map, so between two such nodes chance decides.)
RankingKey<std::int64_t> comparable(const CandidateKey& key) {
  return {.violations = key.violations,
          .highest_priority = key.highest_priority,
          .priority_sum = key.priority_sum,
          .victim_count = key.victim_count,
          .earliest_start = key.earliest_start_us.value_or(std::numeric_limits<std::int64_t>::max()),
          .budgets_touched = key.budgets_touched.value_or(0),
          .requested_share = key.requested_share.value_or(Share{})};
}

}  // namespace

CandidateKey key_of(const Situation& situation, const Candidate& candidate) {
  const std::vector<NodeCriterion>& order = situation.policy.node_order;
  CandidateKey key;
  pdb_violations::measure(candidate, key);
  highest_priority::measure(candidate, key);
  priority_sum::measure(candidate, key);
  victim_count::measure(candidate, key);
  latest_start::measure(candidate, key);
  if (std::ranges::find(order, NodeCriterion::kRequestedShare) != order.end()) {
    requested_share::measure(situation, candidate, key);
  }
  if (std::ranges::find(order, NodeCriterion::kBudgetsTouched) != order.end()) {
    budgets_touched::measure(situation, candidate, key);
  }
  return key;
}

bool is_better(const CandidateKey& a, const CandidateKey& b, const std::vector<NodeCriterion>& order) {
  return compare(comparable(a), comparable(b), order).first;
}

Ranked rank(const std::vector<CandidateKey>& keys, const std::vector<NodeCriterion>& order) {
  const auto preferred = [&](std::size_t a, std::size_t b) {
    return compare(comparable(keys[a]), comparable(keys[b]), order);
  };

  std::size_t best = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (preferred(i, best).first) best = i;
  }
  Ranked ranked;
  std::optional<std::size_t> runner_up;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!preferred(best, i).first) {
      ranked.tie.push_back(i);
    } else if (!runner_up || preferred(i, *runner_up).first) {
      runner_up = i;
    }
  }
  if (runner_up) ranked.decided_by = preferred(best, *runner_up).by;
  return ranked;
}

}  // namespace reprieve::reference
