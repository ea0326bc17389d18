// What `violations: actual` and `budgets: guaranteed` change under the greedy reprieve.
#include "reprieve/reference/budgets.h"

#include <gtest/gtest.h>

#include "reprieve/reference/decide.h"
#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using namespace testing;

constexpr const char* kWouldViolate = "evicting would violate a PodDisruptionBudget";
constexpr const char* kNoneWithout = "no candidate without violating a PodDisruptionBudget";

/// Two pods under a budget that allows one, on a node of 4 CPUs that they fill. The more important one
/// is small; the preemptor's 3 CPUs need the room of the large one, which is classed violating.
Case overcounted() {
  Case q = question({node("n", 4)}, {running("small", "n", 1, 5), running("large", "n", 3, 1)});
  for (Pod& pod : q.cluster.pods) pod.labels = {{"app", "a"}};
  q.cluster.budgets = {budget("b", app("a"), 1)};
  preemptor(q).containers = {container(3000)};
  return q;
}

/// The same, where the budget is exhausted.
Case exhausted() {
  Case q = overcounted();
  q.cluster.budgets[0].disruptions_allowed = 0;
  return q;
}

TEST(Budgets, ActualCountsTheVictimsAlone) {
  Case q = overcounted();
  EXPECT_EQ(node_of(decide(q), "n").violations, 1);
  q.policy.violations = ViolationCount::kActual;
  const Decision decision = decide(q);
  EXPECT_EQ(node_of(decision, "n").victims, Names{"default/large"});
  EXPECT_EQ(node_of(decision, "n").violations, 0);
  EXPECT_EQ(node_of(decision, "n").key->violations, 0);
  // The story is still that of the reprieve.
  EXPECT_TRUE(node_of(decision, "n").potential_victims[1].violating);

  q = exhausted();
  q.policy.violations = ViolationCount::kActual;
  EXPECT_EQ(node_of(decide(q), "n").violations, 1);
}

TEST(Budgets, ActualFollowsTheChargingRule) {
  // Both pods must go. Charged everywhere, a takes "one" and "two" below zero and b finds "two" gone.
  Case q = question({node("n", 4)}, {running("a", "n", 2, 5), running("b", "n", 2, 1)});
  q.cluster.pods[0].labels = {{"one", ""}, {"two", ""}};
  q.cluster.pods[1].labels = {{"two", ""}};
  q.cluster.budgets = {budget("one", {.match_labels = {{"one", ""}}}, 0),
                       budget("two", {.match_labels = {{"two", ""}}}, 1)};
  preemptor(q).containers = {container(4000)};
  q.policy.violations = ViolationCount::kActual;
  q.policy.charging = Charging::kEveryBudget;
  EXPECT_EQ(node_of(decide(q), "n").violations, 2);
  q.policy.charging = Charging::kUntilViolated;
  EXPECT_EQ(node_of(decide(q), "n").violations, 1);
}

TEST(Budgets, AGuaranteeRefusesTheNodeWhereAPodClassedViolatingMustGo) {
  Case q = exhausted();
  ASSERT_EQ(decide(q).outcome, Outcome::kNominated);
  q.policy.budgets.guaranteed = true;
  preemptor(q).nominated_node_name = "n";
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decision.reason, kNoneWithout);
  EXPECT_EQ(decision.cleared, Names{"default/in"});
  const NodeDecision& n = node_of(decision, "n");
  EXPECT_EQ(n.status, NodeStatus::kUnschedulable);
  EXPECT_EQ(n.reasons, Names{kWouldViolate});
  EXPECT_TRUE(n.victims.empty());
  EXPECT_EQ(n.key, std::nullopt);
  EXPECT_EQ(n.emptied_failure, std::nullopt);
  // The story tells who it was.
  EXPECT_TRUE(n.potential_victims[1].violating);
  EXPECT_TRUE(n.potential_victims[1].evicted);
}

TEST(Budgets, AGuaranteeGoesByTheClassesEvenWhenNothingIsReallyViolated) {
  Case q = overcounted();
  q.policy.budgets.guaranteed = true;
  q.policy.violations = ViolationCount::kActual;
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
}

TEST(Budgets, AGuaranteeLeavesTheOtherNodes) {
  Case q = exhausted();
  q.cluster.nodes.push_back(node("m", 4));
  q.cluster.pods.insert(q.cluster.pods.begin(), running("dear", "m", 4, 50));
  q.policy.budgets.guaranteed = true;
  const Decision decision = decide(q);
  EXPECT_EQ(decision.nominated, Names{"m"});
  EXPECT_EQ(decision.reason, "");
  EXPECT_EQ(decision.decided_by, std::nullopt);  // the refused node is no runner-up
}

TEST(Budgets, AGuaranteeIsNoReasonWhereNothingHelps) {
  Case q = question({node("n", 4)}, {running("big", "n", 4, 200), running("low", "n", 0)});
  q.policy.budgets.guaranteed = true;
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decide(q).reason, "");
}

TEST(Budgets, AGuaranteeBindsPreemptorsBelowAPriority) {
  Case q = exhausted();
  q.policy.budgets = {.guaranteed = true, .below_priority = 101};
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  q.policy.budgets.below_priority = 100;
  EXPECT_EQ(decide(q).outcome, Outcome::kNominated);
}

TEST(Budgets, AGuaranteeDoesNotBindAnExtender) {
  Case q = exhausted();
  q.cluster.nodes.push_back(node("m", 4));
  q.cluster.pods.insert(q.cluster.pods.begin(), running("dear", "m", 4, 50));
  q.policy.budgets.guaranteed = true;
  q.extenders = {{.name = "e", .answer = std::map<std::string, ExtenderVictims, std::less<>>{}}};
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decision.reason, "");  // it was the extender
  q.extenders[0].answer = {{"m", {.victims = {"default/dear"}, .violations = 7}}};
  EXPECT_EQ(node_of(decide(q), "m").violations, 7);
}

}  // namespace
}  // namespace reprieve::reference
