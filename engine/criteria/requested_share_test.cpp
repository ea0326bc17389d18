#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

using ::testing::ElementsAre;
using testing::node, testing::pod, testing::question, testing::running, testing::told;

Node with_memory(std::string name, std::int64_t cpu, std::int64_t memory) {
  Node out = node(std::move(name), cpu);
  out.allocatable["memory"] = {memory, 0};
  return out;
}

Pod using_memory(Pod pod, std::int64_t memory) {
  pod.containers[0].requests["memory"] = {memory, 0};
  return pod;
}

// n1: 4/12 of the CPU. n2: 4/20 of the CPU and 3/10 of the memory, so 3/10, which is less; each pod's
// own largest share added up would be 3/20 + 2/10, which is more.
TEST(RequestedShare, OfASetIsTheLargestOfTheSumsOverAllResources) {
  Cluster cluster;
  cluster.nodes = {with_memory("n1", 12, 80), with_memory("n2", 20, 10)};
  cluster.pods = {using_memory(running("a", "n1", 0, 4), 10),
                  using_memory(running("b", "n2", 0, 3), 1),
                  using_memory(running("c", "n2", 0, 1), 2),
                  running("x", "n1", 20, 8),
                  running("y", "n2", 20, 16),
                  pod("in", 10, 4)};
  Case q = question(cluster);
  q.policy.node_order = {NodeCriterion::kRequestedShare};
  const Decision decision = decide(q, Depth::kFull);
  EXPECT_EQ(told(decision, "n1").key->requested_share, (Share{1, 3}));
  EXPECT_EQ(told(decision, "n2").key->requested_share, (Share{3, 10}));
  EXPECT_THAT(decision.nominated, ElementsAre("n2"));
  EXPECT_FALSE(told(decision, "n1").key->budgets_touched);
}

TEST(RequestedShare, OfAResourceThatTheNodeLacksIsMoreThanAnyNumber) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4), node("n2", 4)};
  cluster.pods = {running("a", "n1", 0, 1), running("b", "n2", 0, 4), running("x", "n1", 20, 3),
                  pod("in", 10, 1)};
  cluster.pods[0].containers[0].requests["example.com/gpu"] = {1, 0};
  Case q = question(cluster);
  q.policy.node_order = {NodeCriterion::kRequestedShare};
  const Decision decision = decide(q, Depth::kFull);
  EXPECT_EQ(told(decision, "n1").key->requested_share, (Share{1, 0}));
  EXPECT_THAT(decision.nominated, ElementsAre("n2"));
  EXPECT_EQ(told(decision, "n2").key->requested_share, (Share{1, 1}));
}

// Of two nodes the one whose byte more of the memory cannot be seen by doubles or 64-bit products.
TEST(RequestedShare, IsComparedExactly) {
  constexpr std::int64_t kMuch = std::int64_t{1} << 61;
  const Fraction<std::int64_t> less{kMuch - 1, kMuch}, more{kMuch, kMuch + 1};
  EXPECT_LT(compare_fractions(less, more), 0);
  EXPECT_GT(compare_fractions(more, less), 0);
  EXPECT_EQ(compare_fractions(Fraction<std::int64_t>{2, 6}, Fraction<std::int64_t>{1, 3}), 0);
  EXPECT_GT(compare_fractions(Fraction<std::int64_t>{1, 0},
                              Fraction<std::int64_t>{std::numeric_limits<std::int64_t>::max(), 1}),
            0);
}

TEST(RequestedShare, AsImportanceSparesTheLargerPodFirst) {
  Cluster cluster;
  cluster.nodes = {node("n1", 6)};
  cluster.pods = {running("small", "n1", 0, 2, 10), running("large", "n1", 0, 4, 20), pod("in", 10, 2)};
  Case q = question(cluster);
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/large"));
  q.policy.importance = {ImportanceCriterion::kPriority, ImportanceCriterion::kRequestedShare};
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/small"));
}

}  // namespace
}  // namespace reprieve::engine
