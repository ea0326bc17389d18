// The optimum over all sets of victims.
#include "reprieve/reference/exact.h"

#include <gtest/gtest.h>

#include "reprieve/reference/decide.h"
#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using namespace testing;

Policy exact_policy() {
  Policy policy = kubernetes_policy(Release::k1_37);
  policy.victims = VictimSearch::kExact;
  policy.violations = ViolationCount::kActual;
  policy.charging = Charging::kEveryBudget;
  return policy;
}

/// A full node of 4 CPUs, and a preemptor that wants `cpu`.
Case full_node(std::vector<Pod> pods, std::int64_t cpu) {
  Case q = question({node("n", 4)}, std::move(pods));
  preemptor(q).containers = {container(cpu * 1000)};
  q.policy = exact_policy();
  return q;
}

void put_under_a_budget(Case& q, std::int32_t allowed) {
  for (Pod& pod : q.cluster.pods) pod.labels = {{"app", "a"}};
  q.cluster.budgets = {budget("b", app("a"), allowed)};
}

TEST(Exact, MinimisesViolationsWhereTheReprieveDoesNot) {
  // Greedy spares the large pod first, and then both small ones must go.
  Case q = full_node(
      {running("large", "n", 2, 3), running("small-1", "n", 1, 3), running("small-2", "n", 1, 3)}, 2);
  put_under_a_budget(q, 0);
  const Decision decision = decide(q);
  EXPECT_EQ(node_of(decision, "n").victims, Names{"default/large"});
  EXPECT_EQ(node_of(decision, "n").violations, 1);
  q.policy = kubernetes_policy(Release::k1_36);
  EXPECT_EQ(node_of(decide(q), "n").violations, 2);
}

TEST(Exact, DoesNotInvertImportance) {
  Case q = full_node({running("more", "n", 2, 9), running("less", "n", 2, 1)}, 2);
  put_under_a_budget(q, 1);
  EXPECT_EQ(node_of(decide(q), "n").victims, Names{"default/less"});
  q.policy = kubernetes_policy(Release::k1_36);
  EXPECT_EQ(node_of(decide(q), "n").victims, Names{"default/more"});
}

TEST(Exact, FollowsTheNodeOrder) {
  Case q = full_node({running("large", "n", 2, 9), running("a", "n", 1, 1), running("b", "n", 1, 1)}, 2);
  EXPECT_EQ(node_of(decide(q), "n").victims, (Names{"default/a", "default/b"}));
  q.policy.node_order = {NodeCriterion::kVictimCount};
  EXPECT_EQ(node_of(decide(q), "n").victims, Names{"default/large"});
}

TEST(Exact, OfEqualKeysSparesTheMostImportantFirst) {
  Case q = full_node({running("low", "n", 1, 1), running("mid", "n", 1, 5), running("high", "n", 1, 9),
                      running("top", "n", 1, 10)},
                     2);
  q.policy.node_order = {NodeCriterion::kVictimCount};
  EXPECT_EQ(node_of(decide(q), "n").victims, (Names{"default/mid", "default/low"}));
  // Looked at from the top: {high, low} spares top and mid, {mid, ...} would spare top and high.
  q.cluster.pods[1].priority = 200;
  EXPECT_EQ(node_of(decide(q), "n").victims, (Names{"default/high", "default/low"}));
}

TEST(Exact, EvictsNobodyWhoseRoomIsNotNeededEvenWhenNoLevelCounts) {
  Case q = full_node({running("a", "n", 3, 1), running("b", "n", 1, 1)}, 1);
  q.policy.node_order = {NodeCriterion::kPdbViolations};
  EXPECT_EQ(node_of(decide(q), "n").victims, Names{"default/b"});
}

TEST(Exact, TakesANodeThatNeedsALessImportantPodToStay) {
  // With all potential victims gone the affinity is unmet: greedy has no candidate.
  Case q = full_node({running("web", "n", 1, 1), running("batch", "n", 3, 1)}, 2);
  preemptor(q).affinity.required_pod_affinity = {
      {.label_selector = app("web"), .topology_key = "kubernetes.io/hostname"}};
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNominated);
  EXPECT_EQ(node_of(decision, "n").victims, Names{"default/batch"});
  EXPECT_EQ(node_of(decision, "n").emptied_failure, std::nullopt);
  q.policy = kubernetes_policy(Release::k1_37);
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
}

TEST(Exact, TellsWhatRemainsWithAllGoneWhenNoSetHelps) {
  Case q = full_node({running("big", "n", 4, 200), running("low", "n", 0)}, 1);
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decision.reason, "");
  const NodeDecision& n = node_of(decision, "n");
  EXPECT_EQ(n.reasons, Names{"Insufficient cpu"});
  EXPECT_EQ(n.emptied_failure->plugin, "NodeResourcesFit");
  ASSERT_EQ(n.potential_victims.size(), 1u);
  EXPECT_FALSE(n.potential_victims[0].evicted);
}

TEST(Exact, ChargesTheVictimsAlone) {
  Case q = full_node({running("kept", "n", 2, 9), running("gone", "n", 2, 1)}, 2);
  put_under_a_budget(q, 0);
  const std::vector<PotentialVictim> pods = node_of(decide(q), "n").potential_victims;
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_TRUE(pods[0].charges.empty());
  EXPECT_FALSE(pods[0].violating);
  EXPECT_FALSE(pods[0].evicted);
  EXPECT_EQ(pods[1].charges, (std::vector<Charge>{{.budget = "default/b", .left = -1}}));
  EXPECT_TRUE(pods[1].violating);
  EXPECT_TRUE(pods[1].evicted);
  EXPECT_EQ(pods[1].not_reprieved, std::nullopt);
}

TEST(Exact, UnderAGuaranteeTakesTheBestSetThatViolatesNothing) {
  Case q = full_node({running("free", "n", 2, 50), running("guarded", "n", 2, 1)}, 2);
  q.cluster.budgets = {budget("b", app("guarded"), 0)};
  q.policy.node_order = {NodeCriterion::kHighestPriority};
  EXPECT_EQ(node_of(decide(q), "n").victims, Names{"default/guarded"});
  q.policy.budgets.guaranteed = true;
  EXPECT_EQ(node_of(decide(q), "n").victims, Names{"default/free"});
  EXPECT_EQ(node_of(decide(q), "n").violations, 0);
}

TEST(Exact, UnderAGuaranteeSaysWhyThereIsNoCandidate) {
  Case q = full_node({running("a", "n", 4, 1)}, 2);
  put_under_a_budget(q, 0);
  q.policy.budgets.guaranteed = true;
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decision.reason, "no candidate without violating a PodDisruptionBudget");
  EXPECT_EQ(node_of(decision, "n").reasons, Names{"evicting would violate a PodDisruptionBudget"});
  EXPECT_TRUE(node_of(decision, "n").potential_victims[0].charges.empty());
  EXPECT_FALSE(node_of(decision, "n").potential_victims[0].evicted);
}

TEST(Exact, RefusesToEnumerateMoreThanTwentyPods) {
  std::vector<Pod> pods;
  for (int i = 0; i < 21; ++i) pods.push_back(running("p" + std::to_string(i), "n", 0, 1));
  pods.push_back(running("stays", "n", 4, 500));
  Case q = full_node(pods, 2);
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
  EXPECT_NE(decide(q).reason.find("node n has 21"), std::string::npos) << decide(q).reason;
}

}  // namespace
}  // namespace reprieve::reference
