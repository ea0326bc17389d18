#include "reprieve/reference/exact.h"

#include "reprieve/reference/ranking.h"

namespace reprieve::reference {
namespace {

// Whether the preemptor fits with exactly the evicted pods gone.
bool is_admissible(const NodeUnderTest& emptied, const std::vector<bool>& evicted) {
  NodeUnderTest node = emptied;
  for (std::size_t pod = 0; pod < evicted.size(); ++pod) {
    if (!evicted[pod]) node.put_back(pod);
  }
  return node.fits();
}

}  // namespace

std::optional<Selection<std::int64_t>> find_optimum(const Situation& situation, std::size_t node,
                                                    const std::vector<Listed>& pods,
                                                    const Selectable<std::int64_t>& question,
                                                    const NodeUnderTest& emptied, bool without_violations) {
  const std::size_t count = pods.size();
  std::vector<bool> evicted(count, false);
  if (is_admissible(emptied, evicted))
    return Selection<std::int64_t>{.pods = charge_victims(question, evicted), .evicted = evicted};

  std::optional<Selection<std::int64_t>> best;
  CandidateKey best_key;
  // A set is a binary number whose highest digit is the most important pod, 1 for evicted. Of two sets
  // the smaller number is the one that spares the most important pod in which they differ. So counting
  // upwards meets, of sets with equal keys, the right one first, and a later one must be better to win.
  for (std::size_t set = 1; set < std::size_t{1} << count; ++set) {
    Candidate candidate{.node = node};
    for (std::size_t pod = 0; pod < count; ++pod) {
      evicted[pod] = (set >> (count - 1 - pod)) % 2 == 1;
      if (evicted[pod]) candidate.victims.push_back(pods[pod].pod);
    }
    std::vector<ChargedPod<std::int64_t>> charged = charge_victims(question, evicted);
    candidate.violations = count_violating(charged);
    if (without_violations && candidate.violations > 0) continue;
    const CandidateKey key = key_of(situation, candidate);
    // Asked last, because it takes longest: whether the set is admissible matters only if it would win.
    if (best && !is_better(key, best_key, situation.policy.node_order)) continue;
    if (!is_admissible(emptied, evicted)) continue;
    best = {.pods = std::move(charged), .evicted = evicted, .violations = candidate.violations};
    best_key = key;
  }
  return best;
}

}  // namespace reprieve::reference
