#include "reprieve/engine/exact/node_bounds.h"

#include <gtest/gtest.h>

#include <random>

#include "reprieve/engine/exact/exact.h"
#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

using testing::budget, testing::node, testing::pod, testing::question, testing::running;

Cluster random_cluster(std::mt19937& random) {
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  Cluster cluster;
  for (int n = 0; n < 3; ++n) {
    const std::string name = "n" + std::to_string(n);
    std::int64_t used = 0;
    for (int p = 0; p < 6; ++p) {
      const std::int64_t size = below(4);
      Pod one = running(name + "-" + std::to_string(p), name, below(3), size, 10 * below(3));
      one.containers[0].requests["memory"] = {1 + below(5), 0};
      if (below(2) == 0) one.labels = {{"app", std::string(1, static_cast<char>('a' + below(3)))}};
      used += size;
      cluster.pods.push_back(one);
    }
    cluster.nodes.push_back(node(name, used + below(2)));
    cluster.nodes.back().allocatable["memory"] = {18, 0};
  }
  for (const char* app : {"a", "b", "c"})
    cluster.budgets.push_back(budget(app, below(3) - 1, {{"app", app}}));
  if (below(4) == 0) cluster.budgets[0].disrupted_pods = {"n0-0", "n1-1"};
  cluster.pods.push_back(pod("in", 5, 2 + below(8)));
  cluster.pods.back().containers[0].requests["memory"] = {1 + below(12), 0};
  return cluster;
}

Key<std::int64_t> key_of(const CandidateKey& told) {
  Key<std::int64_t> key;
  key.violations = told.violations;
  key.highest_priority = told.highest_priority;
  key.priority_sum = told.priority_sum;
  key.victim_count = told.victim_count;
  key.earliest_start = {told.earliest_start_us.has_value(), told.earliest_start_us.value_or(0)};
  key.empty = false;
  return key;
}

// Whichever node's key is the best so far, a node that the bound puts behind it has a worse one: under
// the greedy reprieve by either rule of charging, and under the optimum.
TEST(NodeBounds, OnlyNodesThatAreWorseArePutBehind) {
  std::mt19937 random(1);
  int behind = 0;
  int ahead = 0;
  for (int round = 0; round < 400; ++round) {
    Case q = question(random_cluster(random), round % 2 == 0 ? Release::k1_36 : Release::k1_37);
    q.policy = kubernetes_policy(q.policy.release);
    if (round % 3 == 0) {
      q.policy.victims = VictimSearch::kExact;
      q.policy.violations = ViolationCount::kActual;
    }
    const Decision decision = decide(q, Depth::kFull);
    const Snapshot snapshot(q.cluster, q.policy.release);
    const Cycle cycle{&snapshot.index(), snapshot.index().find_pod("default/in")};
    NodeBounds bounds;
    bounds.begin(cycle, q.policy.node_order, false);
    for (const NodeDecision& best : decision.nodes) {
      if (!best.key) continue;
      for (NodeId other = 0; other < decision.nodes.size(); ++other) {
        const auto& key = decision.nodes[other].key;
        if (!key) continue;
        const bool worse = compare_keys(key_of(*key), key_of(*best.key),
                                        std::span<const NodeCriterion>(q.policy.node_order)) > 0;
        const bool cannot_win = bounds.cannot_win(other, key_of(*best.key));
        ASSERT_FALSE(cannot_win && !worse) << "round " << round << " node " << other;
        behind += cannot_win ? 1 : 0;
        ahead += worse && !cannot_win ? 1 : 0;
      }
    }
  }
  EXPECT_GT(behind, ahead);  // and it is worth asking
}

// However early the search is stopped: each level of the best there is lies between what was found and
// what is told to be proved.
TEST(NodeBounds, TheGapOfAStoppedSearchHoldsTheOptimum) {
  std::mt19937 random(2);
  int stopped = 0;
  int told = 0;  // of levels, something that is not trivial
  for (int round = 0; round < 300; ++round) {
    Case q = question(random_cluster(random));
    q.policy.victims = VictimSearch::kExact;
    q.policy.charging = round % 2 == 0 ? Charging::kEveryBudget : Charging::kUntilViolated;
    q.policy.violations = ViolationCount::kActual;
    const Decision best = decide(q, Depth::kAnswer);
    if (best.outcome != Outcome::kNominated) continue;
    const Key<std::int64_t> optimum = key_of(*best.nodes.front().key);
    for (const std::uint64_t limit : {0, 1, 3, 10, 40}) {
      const Decision decision = decide(q, Depth::kAnswer, {}, {.limit = limit});
      if (decision.outcome != Outcome::kNominated || decision.bounded.empty()) continue;
      ++stopped;
      ASSERT_EQ(decision.bounded.size(), q.policy.node_order.size());
      const Key<std::int64_t> found = key_of(*decision.nodes.front().key);
      EXPECT_GE(compare_keys(found, optimum, std::span<const NodeCriterion>(q.policy.node_order)), 0);
      for (std::size_t level = 0; level < decision.bounded.size(); ++level) {
        const NodeCriterion criterion = q.policy.node_order[level];
        const std::int64_t of_best = told_level(optimum, criterion, true);
        const Bound& bound = decision.bounded[level];
        if (criterion == NodeCriterion::kLatestStart) {
          EXPECT_GE(bound.at_least, of_best) << "round " << round << " limit " << limit;
        } else {
          EXPECT_LE(bound.at_least, of_best) << "round " << round << " limit " << limit << " level " << level;
        }
        if (criterion == NodeCriterion::kVictimCount) told += bound.at_least > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(stopped, 200);
  EXPECT_GT(told, 50);
}

}  // namespace
}  // namespace reprieve::engine
