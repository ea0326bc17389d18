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
          .earliest_start = key.earliest_start_us.value_or(std::numeric_limits<std::int64_t>::max())};
}

}  // namespace

CandidateKey key_of(const Candidate& candidate) {
  CandidateKey key{.violations = candidate.violations,
                   .highest_priority = candidate.victims.front()->priority,
                   .victim_count = static_cast<std::int64_t>(candidate.victims.size())};
  std::int32_t highest = candidate.victims.front()->priority;
  for (const Pod* victim : candidate.victims) {
    // Shifted by 2^31, so that each victim adds and none subtracts.
    key.priority_sum += std::int64_t{victim->priority} + (std::int64_t{1} << 31);
    highest = std::max(highest, victim->priority);
  }
  for (const Pod* victim : candidate.victims) {
    if (victim->priority != highest || !victim->start_time_us) continue;
    key.earliest_start_us =
        std::min(key.earliest_start_us.value_or(*victim->start_time_us), *victim->start_time_us);
  }
  return key;
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
