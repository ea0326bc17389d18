// Policies other than Kubernetes' own (docs/SEMANTICS.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

using testing::budget, testing::node, testing::pod, testing::question, testing::running, testing::told;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Pod labelled(Pod pod, Labels labels = {{"app", "x"}}) {
  pod.labels = std::move(labels);
  return pod;
}

// The budget allows one disruption. In order of importance "small" is charged first, so "large" is
// classed violating; but it goes alone, and then violates nothing.
Case over_counted() {
  Cluster cluster;
  cluster.nodes = {node("n1", 6)};
  cluster.pods = {labelled(running("small", "n1", 5, 2)), labelled(running("large", "n1", 0, 4)),
                  pod("in", 10, 3)};
  cluster.budgets = {budget("b", 1, {{"app", "x"}})};
  return question(cluster);
}

TEST(Violations, ActualOnesAreCountedOverTheVictimsAlone) {
  Case q = over_counted();
  EXPECT_EQ(told(decide(q, Depth::kFull), "n1").violations, 1);
  q.policy.violations = ViolationCount::kActual;
  for (const Depth depth : {Depth::kFull, Depth::kAnswer}) {
    const Decision decision = decide(q, depth);
    EXPECT_THAT(told(decision, "n1").victims, ElementsAre("default/large"));
    EXPECT_EQ(told(decision, "n1").violations, 0);
    EXPECT_EQ(told(decision, "n1").key->violations, 0);
  }
  // The story still tells the class, which ordered the reprieve.
  EXPECT_TRUE(told(decide(q, Depth::kFull), "n1").potential_victims[1].violating);
}

// n1 is the better node only by the actual count; classed violations must not let kAnswer give it up.
TEST(Violations, ActualOnesChooseTheNodeAtBothDepths) {
  Case q = over_counted();
  q.cluster.nodes.insert(q.cluster.nodes.begin(), node("n0", 6));
  q.cluster.pods.insert(q.cluster.pods.begin(), running("other", "n0", 1, 6));
  q.preemptor = "default/in";
  EXPECT_THAT(decide(q, Depth::kAnswer).nominated, ElementsAre("n0"));
  q.policy.violations = ViolationCount::kActual;
  EXPECT_THAT(decide(q, Depth::kAnswer).nominated, ElementsAre("n1"));
  EXPECT_THAT(decide(q, Depth::kFull).nominated, ElementsAre("n1"));
}

TEST(Guarantee, ANodeWhereAViolatingPodCannotBeSparedIsNoCandidate) {
  Case q = over_counted();
  q.policy.budgets.guaranteed = true;
  Decision decision = decide(q, Depth::kFull);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decision.reason, "no candidate without violating a PodDisruptionBudget");
  EXPECT_EQ(told(decision, "n1").status, NodeStatus::kUnschedulable);
  EXPECT_THAT(told(decision, "n1").reasons, ElementsAre("evicting would violate a PodDisruptionBudget"));
  EXPECT_THAT(told(decision, "n1").victims, IsEmpty());
  EXPECT_TRUE(told(decision, "n1").potential_victims[1].evicted);  // as it would be without
  EXPECT_EQ(decide(q, Depth::kAnswer).reason, decision.reason);

  q.cluster.budgets[0].disruptions_allowed = 2;
  decision = decide(q, Depth::kFull);
  EXPECT_THAT(decision.nominated, ElementsAre("n1"));
  EXPECT_THAT(decision.reason, IsEmpty());
}

TEST(Guarantee, BindsOnlyPreemptorsBelowThePriority) {
  Case q = over_counted();
  q.policy.budgets = {.guaranteed = true, .below_priority = 10};
  EXPECT_EQ(decide(q, Depth::kAnswer).outcome, Outcome::kNominated);
  q.policy.budgets.below_priority = 11;
  EXPECT_EQ(decide(q, Depth::kAnswer).outcome, Outcome::kNoCandidate);
}

// The reason is for nodes that would do otherwise, and gone once another node is chosen.
TEST(Guarantee, TheReasonIsToldOnlyWhereTheGuaranteeIsWhatForbids) {
  Case q = over_counted();
  q.policy.budgets.guaranteed = true;
  q.cluster.pods[2].containers[0].requests["cpu"] = {7, 0};
  EXPECT_THAT(decide(q, Depth::kFull).reason, IsEmpty());
  q = over_counted();
  q.policy.budgets.guaranteed = true;
  q.cluster.nodes.push_back(node("n2", 6));
  q.cluster.pods.push_back(running("other", "n2", 0, 6));
  EXPECT_THAT(decide(q, Depth::kFull).nominated, ElementsAre("n2"));
  EXPECT_THAT(decide(q, Depth::kFull).reason, IsEmpty());
}

// The younger pod of high priority comes first by nothing but its start: level 2 reads the first
// victim listed, level 5 the highest priority.
TEST(NodeOrder, TheHighestPriorityIsOfTheFirstVictimListed) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.pods = {running("old-low", "n1", 1, 2, 10), running("young-high", "n1", 5, 2, 20),
                  running("middle", "n2", 3, 4, 15), pod("in", 10, 4)};
  Case q = question(cluster);
  q.policy.importance = {ImportanceCriterion::kStartTime};
  q.policy.node_order = {NodeCriterion::kHighestPriority, NodeCriterion::kLatestStart};
  for (const Depth depth : {Depth::kFull, Depth::kAnswer}) {
    const Decision decision = decide(q, depth);
    EXPECT_THAT(decision.nominated, ElementsAre("n1"));
    EXPECT_EQ(told(decision, "n1").key->highest_priority, 1);
    EXPECT_EQ(told(decision, "n1").key->earliest_start_us, 20);
  }
}

// 1.36 lists the violating victim first and then sorts again, which turns round the two that have no
// start time: the first one listed is the one that was not violating.
TEST(NodeOrder, In136VictimsWithoutAStartAreListedAfterASecondSort) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {labelled(running("a", "n1", 1, 2)), running("b", "n1", 5, 2), pod("in", 10, 4)};
  cluster.pods[0].start_time_us.reset();
  cluster.pods[1].start_time_us.reset();
  cluster.budgets = {budget("b", 0, {{"app", "x"}})};
  Case q = question(cluster, Release::k1_36);
  q.policy.importance = {ImportanceCriterion::kStartTime};
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/b", "default/a"));
  EXPECT_EQ(told(decide(q, Depth::kFull), "n1").key->highest_priority, 5);
  q.cluster.budgets.clear();  // one group only: as sorted at first, the later listed pod before
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/b", "default/a"));
  q.cluster.pods[1].labels = {{"app", "x"}};
  q.cluster.budgets = {budget("b", 0, {{"app", "x"}})};
  q.cluster.pods[0].labels.clear();
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/a", "default/b"));
}

// 1.37 read the clock for each pod before: the second sort puts them back into the order of the input.
TEST(NodeOrder, In137VictimsWithoutAStartStayInTheOrderOfTheInput) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 1, 2), labelled(running("b", "n1", 5, 2)), pod("in", 10, 4)};
  cluster.pods[0].start_time_us.reset();
  cluster.pods[1].start_time_us.reset();
  cluster.budgets = {budget("b", 0, {{"app", "x"}})};
  Case q = question(cluster);
  q.policy.importance = {ImportanceCriterion::kStartTime};
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/a", "default/b"));
}

// Under an importance that leaves priority out two pods that tie may differ in level 2.
TEST(NodeOrder, OfVictimsThatTieTheViolatingOneIsListedFirst) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 1, 2), labelled(running("b", "n1", 5, 2)), pod("in", 10, 4)};
  cluster.budgets = {budget("b", 0, {{"app", "x"}})};
  Case q = question(cluster);
  q.policy.importance = {ImportanceCriterion::kTerminationGracePeriod};
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/b", "default/a"));
  EXPECT_EQ(told(decide(q, Depth::kFull), "n1").key->highest_priority, 5);
}

}  // namespace
}  // namespace reprieve::engine
