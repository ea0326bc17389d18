// `victims: exact`: what it finds that the greedy reprieve does not, and what it says when it is
// stopped early.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

using testing::budget, testing::node, testing::pod, testing::question, testing::running, testing::told;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Pod labelled(Pod pod, Labels labels = {{"app", "x"}}) {
  pod.labels = std::move(labels);
  return pod;
}

Case exact(Cluster cluster) {
  Case out = question(std::move(cluster));
  out.policy.name = "exact";
  out.policy.victims = VictimSearch::kExact;
  out.policy.charging = Charging::kEveryBudget;
  out.policy.violations = ViolationCount::kActual;
  return out;
}

/// At both depths, which must agree.
Decision both(const Case& q, const SearchOptions& search = {}) {
  const Decision full = decide(q, Depth::kFull, {}, search);
  const Decision answer = decide(q, Depth::kAnswer, {}, search);
  EXPECT_EQ(answer.outcome, full.outcome);
  EXPECT_EQ(answer.nominated, full.nominated);
  EXPECT_EQ(answer.bounded, full.bounded);
  if (!answer.nominated.empty()) {
    EXPECT_EQ(told(answer, answer.nominated[0]).victims, told(full, answer.nominated[0]).victims);
    EXPECT_EQ(told(answer, answer.nominated[0]).key, told(full, answer.nominated[0]).key);
  }
  return full;
}

// Sizes 2, 1, 1 under a budget that allows none, room for 2: greedy spares the large one first and
// needs both small ones.
TEST(Exact, MinimisesViolationsWhereGreedySparesTheLargePodFirst) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4)};
  cluster.pods = {labelled(running("large", "n1", 5, 2)), labelled(running("s1", "n1", 5, 1)),
                  labelled(running("s2", "n1", 5, 1)), pod("in", 10, 2)};
  cluster.budgets = {budget("b", 0, {{"app", "x"}})};
  Case q = exact(cluster);
  EXPECT_THAT(told(decide(question(cluster), Depth::kFull), "n1").victims, SizeIs(2));
  const Decision decision = both(q);
  EXPECT_THAT(told(decision, "n1").victims, ElementsAre("default/large"));
  EXPECT_EQ(told(decision, "n1").violations, 1);
  EXPECT_THAT(decision.bounded, IsEmpty());
}

// Two equal pods under a budget that allows one: greedy evicts the more important.
TEST(Exact, DoesNotInvertImportance) {
  Cluster cluster;
  cluster.nodes = {node("n1", 2)};
  cluster.pods = {labelled(running("high", "n1", 5, 1)), labelled(running("low", "n1", 1, 1)),
                  pod("in", 10, 1)};
  cluster.budgets = {budget("b", 1, {{"app", "x"}})};
  EXPECT_THAT(told(decide(question(cluster), Depth::kFull), "n1").victims, ElementsAre("default/high"));
  const Decision decision = both(exact(cluster));
  EXPECT_THAT(told(decision, "n1").victims, ElementsAre("default/low"));
  // The victims alone are charged, and of the one that is spared nothing is told.
  EXPECT_THAT(told(decision, "n1").potential_victims[1].charges, ElementsAre(Charge{"default/b", 0, false}));
  EXPECT_FALSE(told(decision, "n1").potential_victims[1].violating);
  EXPECT_FALSE(told(decision, "n1").potential_victims[1].not_reprieved);
  EXPECT_THAT(told(decision, "n1").potential_victims[0].charges, IsEmpty());
}

// Every set of two does, and the start that level 5 sees is the same for all that hold "a".
TEST(Exact, OfSetsWithEqualKeysTheMostImportantPodsAreSparedFirst) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4)};
  cluster.pods = {running("a", "n1", 5, 1, 10), running("b", "n1", 5, 1, 10), running("c", "n1", 5, 1, 10),
                  running("d", "n1", 5, 1, 10), pod("in", 10, 2)};
  EXPECT_THAT(told(both(exact(cluster)), "n1").victims, ElementsAre("default/c", "default/d"));
  cluster.pods[3].containers[0].requests["cpu"] = {0, 0};  // "d" helps nothing
  cluster.nodes[0] = node("n1", 3);
  EXPECT_THAT(told(both(exact(cluster)), "n1").victims, ElementsAre("default/b", "default/c"));
}

// Of the two sets of equal sum and all else uncounted, the one of more victims spares the pod that has
// run longest: the lowest priority adds nothing, and two low ones may add as much as a higher one.
TEST(Exact, OfSetsWithEqualSumsTheLargerMaySpareTheMoreImportantPod) {
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  struct Priorities {
    std::int32_t large, small, smaller;
  };
  for (const auto [large, small, smaller] :
       {Priorities{1, 1, kLowest}, {kLowest, kLowest, kLowest}, {kLowest + 5, kLowest + 3, kLowest + 2}}) {
    Cluster cluster;
    cluster.nodes = {node("n1", 4)};
    cluster.pods = {running("large", "n1", large, 2, 1), running("small", "n1", small, 1, 2),
                    running("smaller", "n1", smaller, 1, 3), pod("in", 10, 2)};
    Case q = exact(cluster);
    q.policy.node_order = {NodeCriterion::kPrioritySum};
    const auto in_any_order = ::testing::UnorderedElementsAre("default/small", "default/smaller");
    EXPECT_THAT(told(both(q), "n1").victims, in_any_order) << large;
    q.policy.importance = {ImportanceCriterion::kRequestedShare};
    EXPECT_THAT(told(both(q), "n1").victims, in_any_order) << large;
    // The fewest victims, where they count.
    q.policy.node_order = {NodeCriterion::kPrioritySum, NodeCriterion::kVictimCount};
    EXPECT_THAT(told(both(q), "n1").victims, ElementsAre("default/large")) << large;
  }
}

// The preemptor stands only beside "mate": the greedy first step takes it off and finds no room.
TEST(Exact, SparesAPodThatThePreemptorDependsOn) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4)};
  cluster.pods = {labelled(running("mate", "n1", 1, 2)), running("other", "n1", 5, 2), pod("in", 10, 2)};
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  cluster.pods[2].affinity.required_pod_affinity = {term};
  EXPECT_EQ(decide(question(cluster), Depth::kFull).outcome, Outcome::kNoCandidate);
  const Decision decision = both(exact(cluster));
  EXPECT_THAT(told(decision, "n1").victims, ElementsAre("default/other"));
  EXPECT_FALSE(told(decision, "n1").emptied_failure);
}

TEST(Exact, AGuaranteeLeavesOnlySetsThatViolateNothing) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4)};
  cluster.pods = {labelled(running("a", "n1", 0, 2)), running("b", "n1", 5, 2), pod("in", 10, 2)};
  cluster.budgets = {budget("b", 0, {{"app", "x"}})};
  Case q = exact(cluster);
  q.policy.node_order = {NodeCriterion::kHighestPriority};
  EXPECT_THAT(told(both(q), "n1").victims, ElementsAre("default/a"));
  q.policy.budgets.guaranteed = true;
  EXPECT_THAT(told(both(q), "n1").victims, ElementsAre("default/b"));
  q.cluster.pods.back().containers[0].requests["cpu"] = {3, 0};
  const Decision decision = both(q);
  EXPECT_EQ(decision.reason, "no candidate without violating a PodDisruptionBudget");
  EXPECT_THAT(told(decision, "n1").reasons, ElementsAre("evicting would violate a PodDisruptionBudget"));
  EXPECT_THAT(told(decision, "n1").potential_victims, SizeIs(2));
  EXPECT_FALSE(told(decision, "n1").potential_victims[0].evicted);
}

// Twelve pods of knapsack-like sizes and a limit of a few steps: an answer no worse than greedy's, and
// a bound that the optimum keeps.
TEST(Exact, PastTheLimitItSaysHowFarTheAnswerMayBeFromTheBest) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4)};
  cluster.nodes[0].allocatable["cpu"] = quantity_from_milli(1000);
  int total = 0;
  for (int i = 0; i < 12; ++i) {
    const int size = 60 + 7 * i;
    Pod one = running("p" + std::to_string(i), "n1", i % 3, 0, 100 + i);
    one.containers[0].requests["cpu"] = quantity_from_milli(size);
    cluster.pods.push_back(one);
    total += size;
  }
  cluster.nodes[0].allocatable["cpu"] = quantity_from_milli(total);
  cluster.pods.push_back(pod("in", 10, 0));
  cluster.pods.back().containers[0].requests["cpu"] = quantity_from_milli(401);
  const Case q = exact(cluster);
  const Decision best = both(q);
  ASSERT_THAT(best.bounded, IsEmpty());
  const CandidateKey key = *told(best, "n1").key;
  for (const SearchOptions search : {SearchOptions{.limit = 1}, {.limit = 3}, {.limit = 40, .plain = true}}) {
    const Decision early = both(q, search);
    ASSERT_EQ(early.outcome, Outcome::kNominated);
    ASSERT_THAT(early.bounded, SizeIs(5)) << search.limit;
    EXPECT_LE(early.bounded[1].at_least, key.highest_priority);
    EXPECT_GE(early.bounded[1].found, early.bounded[1].at_least);
    EXPECT_LE(early.bounded[2].at_least, key.priority_sum);
    EXPECT_LE(early.bounded[3].at_least, key.victim_count);
    EXPECT_GE(early.bounded[4].at_least, *key.earliest_start_us);
    const CandidateKey found = *told(early, "n1").key;
    EXPECT_EQ(early.bounded[2].found, found.priority_sum);
  }
}

// Greedy finds nothing here, and the search is stopped before it does: no answer rather than a guess.
TEST(Exact, IsAnErrorWhenTheLimitComesBeforeAnyVictims) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4)};
  cluster.pods = {labelled(running("mate", "n1", 1, 2)), running("other", "n1", 5, 2), pod("in", 10, 2)};
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  cluster.pods[2].affinity.required_pod_affinity = {term};
  const Decision decision = both(exact(cluster), {.limit = 1});
  EXPECT_EQ(decision.outcome, Outcome::kError);
  EXPECT_EQ(decision.reason, "the search limit was reached before any victims were found");
}

TEST(Exact, CannotCountClassedViolations) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {pod("in", 10, 1)};
  Case q = exact(cluster);
  q.policy.violations = ViolationCount::kClassified;
  EXPECT_THAT(decide(q, Depth::kFull).reason, ::testing::HasSubstr("violations"));
}

}  // namespace
}  // namespace reprieve::engine
