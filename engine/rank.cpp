#include "reprieve/engine/rank.h"

#include <algorithm>

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
      if (!runner_up || REPRIEVE_MUTANT("runner-up-is-the-last",
                                        compare_keys(candidates[i].key, runner_up->key, order) < 0, true))
        runner_up = &candidates[i];
      continue;
    }
    if (REPRIEVE_MUTANT("tie-of-one", true, ranking.tie.empty())) ranking.tie.push_back(i);
  }
  // In a build with mutants: whether every second thread is asking.
  if (REPRIEVE_MUTANT("tie-order-by-thread", false, [] {
        static std::atomic<unsigned> threads{0};
        thread_local const unsigned mine = threads++;
        return mine % 2 == 1;
      }())) {
    std::ranges::reverse(ranking.tie);
  }
  // In a build with mutants: whether it is asked for the second pair of times (each depth asks).
  if (REPRIEVE_MUTANT("tie-of-one-every-second-time", false, [] {
        static std::atomic<unsigned> asked{0};
        return asked++ / 2 % 2 == 1;
      }())) {
    ranking.tie.resize(1);
  }
  if (!runner_up) return;
  const NodeCriterion* decided = nullptr;
  compare_keys(candidates[ranking.tie.front()].key, runner_up->key, order, &decided);
  if (decided) ranking.decided_by = *decided;
}

}  // namespace reprieve::engine
