#include "reprieve/engine/rank.h"

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

void rank(std::span<const Candidate> candidates, std::span<const NodeCriterion> order, Ranking& ranking) {
  ranking.tie.clear();
  ranking.decided_by.reset();
  const Candidate* runner_up = nullptr;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const int result =
        ranking.tie.empty() ? 0 : compare_keys(candidates[i].key, candidates[ranking.tie.front()].key, order);
    if (result < 0) {
      runner_up = &candidates[ranking.tie.front()];  // the best so far is the best of the others now
      ranking.tie.clear();
    } else if (result > 0) {
      if (!runner_up || compare_keys(candidates[i].key, runner_up->key, order) < 0)
        runner_up = &candidates[i];
      continue;
    }
    if (REPRIEVE_MUTANT("tie-of-one", true, ranking.tie.empty())) ranking.tie.push_back(i);
  }
  if (!runner_up) return;
  const NodeCriterion* decided = nullptr;
  compare_keys(candidates[ranking.tie.front()].key, runner_up->key, order, &decided);
  if (decided) ranking.decided_by = *decided;
}

}  // namespace reprieve::engine
