// The flow: outcomes, the story of each node, nominations, extenders, sampling.
#include "reprieve/reference/decide.h"

#include <gtest/gtest.h>

#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using namespace testing;

TEST(Decide, FitsBeforeAllElseAndThenTriesNothing) {
  Case q = question({node("full"), node("free")}, {running("a", "full", 4)});
  preemptor(q).preemption_policy = PreemptionPolicy::kNever;
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kFits);
  EXPECT_EQ(node_of(decision, "free").status, NodeStatus::kFits);
  EXPECT_EQ(node_of(decision, "full").status, NodeStatus::kUnschedulable);
  EXPECT_FALSE(node_of(decision, "full").tried);
  EXPECT_TRUE(decision.nominated.empty());
}

TEST(Decide, RefusesAPreemptorThatIsAbsentOrRunning) {
  Case q = question({node("n")}, {running("a", "n", 4)});
  q.preemptor = "default/nobody";
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
  q.preemptor = "default/a";
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
  EXPECT_TRUE(decide(q).nodes.empty());
}

TEST(Decide, NamesTheExtenderThatItCannotAsk) {
  Case q = question({node("n")}, {running("a", "n", 4)});
  q.extenders = {{.name = "web", .url = "http://x"}};
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
  EXPECT_NE(decide(q).reason.find("web"), std::string::npos);
}

TEST(Decide, TellsWhoChargedWhatAndWhyAVictimWasNotSpared) {
  Case q = question({node("n", 4)}, {running("a", "n", 3), running("b", "n", 1)});
  q.cluster.pods[1].start_time_us = kNoon + kMinute;
  q.cluster.budgets = {
      budget("all", {.match_expressions = {{.key = "app", .op = SelectorOperator::kExists}}}, 1)};
  const Decision decision = decide(q);
  ASSERT_EQ(decision.outcome, Outcome::kNominated);
  const NodeDecision& n = node_of(decision, "n");
  ASSERT_EQ(n.potential_victims.size(), 2u);
  const PotentialVictim& a = n.potential_victims[0];
  const PotentialVictim& b = n.potential_victims[1];
  EXPECT_EQ(a.pod, "default/a");
  EXPECT_EQ(a.charges, (std::vector<Charge>{{.budget = "default/all", .left = 0}}));
  EXPECT_EQ(b.charges, (std::vector<Charge>{{.budget = "default/all", .left = -1}}));
  // b is violating, so it is spared first; then a does not fit back.
  EXPECT_TRUE(b.violating);
  EXPECT_FALSE(b.evicted);
  EXPECT_TRUE(a.evicted);
  ASSERT_TRUE(a.not_reprieved.has_value());
  EXPECT_EQ(a.not_reprieved->plugin, "NodeResourcesFit");
  EXPECT_EQ(
      a.not_reprieved->shortfalls,
      (std::vector<Shortfall>{{.resource = "cpu", .requested = 1000, .used = 4000, .allocatable = 4000}}));
  EXPECT_EQ(n.victims, Names{"default/a"});
  EXPECT_EQ(n.violations, 0);
  EXPECT_EQ(n.filter_failure->reasons, Names{"Insufficient cpu"});
  EXPECT_EQ(n.key->victim_count, 1);
}

TEST(Decide, KeepsTheReasonsOfANodeThatStaysFullWhenEmptied) {
  Case q = question({node("n", 4)}, {running("big", "n", 4, 200), running("low", "n", 0)});
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_TRUE(node_of(decision, "n").tried);
  EXPECT_EQ(node_of(decision, "n").reasons, Names{"Insufficient cpu"});
  EXPECT_EQ(node_of(decision, "n").emptied_failure->plugin, "NodeResourcesFit");
}

TEST(Decide, SaysThatNobodyIsLessImportant) {
  Case q = question({node("n", 4)}, {running("equal", "n", 4, 100)});
  const Decision decision = decide(q);
  EXPECT_EQ(node_of(decision, "n").status, NodeStatus::kUnschedulable);
  EXPECT_EQ(node_of(decision, "n").reasons, Names{"No preemption victims found for incoming pod"});
}

TEST(Decide, MarksAFailureThatOnlyNominatedPodsCause) {
  Case q = question({node("n", 4)}, {running("a", "n", 2), pending("waiting", 2, 100)});
  q.cluster.pods[1].nominated_node_name = "n";
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNominated);
  EXPECT_TRUE(node_of(decision, "n").filter_failure->with_nominated);
}

TEST(Decide, CountsAGatedPodsNominationIn137Only) {
  Case q = question({node("n", 4)}, {running("a", "n", 2), pending("waiting", 2, 100)}, Release::k1_36);
  q.cluster.pods[1].nominated_node_name = "n";
  q.cluster.pods[1].scheduling_gates = {"gate"};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  q.policy = kubernetes_policy(Release::k1_37);
  EXPECT_EQ(decide(q).outcome, Outcome::kNominated);
}

TEST(Decide, LooksOnlyAtTheFirstDisruptionTargetCondition) {
  Case q = question({node("n", 4)}, {running("leaving", "n", 4)});
  Pod& leaving = q.cluster.pods[0];
  leaving.deletion_time_us = kNoon;
  leaving.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  preemptor(q).nominated_node_name = "n";
  EXPECT_EQ(decide(q).outcome, Outcome::kIneligible);
  leaving.conditions.insert(leaving.conditions.begin(),
                            {"DisruptionTarget", "True", "EvictionByEvictionAPI"});
  EXPECT_EQ(decide(q).outcome, Outcome::kNominated);
}

TEST(Decide, IsEligibleAgainWhenNoEvictionHelpsOnTheNominatedNode) {
  Case q = question({node("n", 4), node("other", 4)}, {running("leaving", "n", 4), running("a", "other", 4)});
  q.cluster.pods[0].deletion_time_us = kNoon;
  q.cluster.pods[0].conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  q.cluster.nodes[0].unschedulable = true;
  preemptor(q).nominated_node_name = "n";
  EXPECT_EQ(decide(q).nominated, Names{"other"});
}

TEST(Decide, FiltersTheNominatedNodeEvenWhenItIsExcluded) {
  // The pod may only run on "n"; the node it is nominated to tells its own reason.
  Case q = question({node("n"), node("x"), node("y")}, {running("a", "n", 4)});
  preemptor(q).affinity.required_node_affinity =
      NodeSelector{.terms = {{.match_expressions = {},
                              .match_fields = {{"metadata.name", SelectorOperator::kIn, {"n"}}}}}};
  preemptor(q).nominated_node_name = "x";
  const Decision decision = decide(q);
  EXPECT_EQ(node_of(decision, "x").reasons, Names{"node(s) didn't match Pod's node affinity/selector"});
  EXPECT_EQ(node_of(decision, "y").reasons, Names{"node(s) didn't satisfy plugin(s) [NodeAffinity]"});
}

TEST(Decide, ClearsLowerNominationsOnTheChosenNode) {
  Case q =
      question({node("n", 4)}, {running("a", "n", 4), pending("lower", 0, 99), pending("equal", 0, 100)});
  q.cluster.pods[1].nominated_node_name = "n";
  q.cluster.pods[2].nominated_node_name = "n";
  EXPECT_EQ(decide(q).cleared, Names{"default/lower"});
}

TEST(Decide, ClearsNothingWhenEveryVictimIsAlreadyTerminating) {
  Case q = question({node("n", 4)}, {running("a", "n", 4), pending("lower", 0, 99)});
  q.cluster.pods[0].deletion_time_us = kNoon;
  q.cluster.pods[1].nominated_node_name = "n";
  EXPECT_EQ(decide(q).outcome, Outcome::kNominated);
  EXPECT_TRUE(decide(q).cleared.empty());
}

TEST(Decide, ClearsThePreemptorsNominationOnlyWhenTheDryRunFindsNoCandidate) {
  Case q = question({node("n", 4)}, {running("a", "n", 4)});
  preemptor(q).nominated_node_name = "n";
  // An extender that leaves nothing: no candidate either, but upstream returns early and keeps it.
  q.extenders = {{.name = "picky", .answer = std::map<std::string, ExtenderVictims, std::less<>>{}}};
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  EXPECT_TRUE(decide(q).cleared.empty());
  EXPECT_EQ(node_of(decide(q), "n").status, NodeStatus::kUnschedulable);

  q.cluster.pods[0].priority = 100;
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decide(q).cleared, Names{"default/in"});
}

TEST(Decide, TakesAnExtendersVictimsAndViolationsAsTheyAre) {
  Case q = question({node("n", 4), node("m", 4)},
                    {running("a", "n", 4), running("high", "n", 0, 500), running("b", "m", 4)});
  q.extenders = {{.name = "e",
                  .answer = std::map<std::string, ExtenderVictims, std::less<>>{
                      {"n", {.victims = {"default/high", "default/a"}, .violations = 3}}, {"gone", {}}}}};
  const Decision decision = decide(q);
  EXPECT_EQ(decision.nominated, Names{"n"});
  EXPECT_EQ(node_of(decision, "n").victims, (Names{"default/high", "default/a"}));
  EXPECT_EQ(node_of(decision, "n").violations, 3);
  EXPECT_EQ(node_of(decision, "m").status, NodeStatus::kUnschedulable);
}

TEST(Decide, IgnoresAFailingExtenderOnlyWhenToldSo) {
  Case q = question({node("n", 4)}, {running("a", "n", 4)});
  q.extenders = {{.name = "down", .error = "no route"}};
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
  EXPECT_EQ(decide(q).reason, "extender down: no route");
  q.extenders[0].ignorable = true;
  EXPECT_EQ(decide(q).nominated, Names{"n"});
}

TEST(Decide, DropsOnlyTheNodeThatAnIgnorableExtenderLeavesWithoutVictims) {
  Case q = question({node("n", 4), node("m", 4)}, {running("a", "n", 4), running("b", "m", 4)});
  q.extenders = {{.name = "e",
                  .ignorable = true,
                  .answer = std::map<std::string, ExtenderVictims, std::less<>>{
                      {"n", {}}, {"m", {.victims = {"default/b"}}}}}};
  EXPECT_EQ(decide(q).nominated, Names{"m"});
  q.extenders[0].ignorable = false;
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
}

TEST(Decide, DoesNotAskAnExtenderThatManagesOtherResources) {
  Case q = question({node("n", 4)}, {running("a", "n", 4)});
  q.extenders = {{.name = "gpu", .managed_resources = {"example.com/gpu"}, .error = "must not be asked"}};
  EXPECT_EQ(decide(q).outcome, Outcome::kNominated);
  preemptor(q).containers[0].requests["example.com/gpu"] = {};
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
}

TEST(Decide, StopsTheWalkWhenTheSampleIsLargeEnough) {
  Case q = question({node("a", 4), node("b", 4), node("c", 4)},
                    {running("pa", "a", 4, 1), running("pb", "b", 4, 3), running("pc", "c", 4, 2)});
  q.policy.sampling = Sampling{.min_percentage = 0, .min_absolute = 2, .offset = 1};
  const Decision decision = decide(q);
  EXPECT_EQ(decision.nominated, Names{"c"});  // "a" would be better, but is not looked at
  EXPECT_FALSE(node_of(decision, "a").tried);
  EXPECT_EQ(node_of(decision, "a").status, NodeStatus::kUnschedulable);
}

TEST(Decide, OfAClusterWithoutNodesDoesNotAskForEligibility) {
  Case q = question({}, {});
  preemptor(q).preemption_policy = PreemptionPolicy::kNever;
  preemptor(q).nominated_node_name = "gone";
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decide(q).cleared, Names{"default/in"});
}

TEST(Decide, ListsVictimsByImportanceAcrossBothGroups) {
  Case q = question({node("n", 3)}, {running("free", "n", 1, 5), running("guarded", "n", 2, 1)});
  q.cluster.budgets = {budget("b", app("guarded"), 0)};
  preemptor(q).containers = {container(3000)};
  EXPECT_EQ(node_of(decide(q), "n").victims, (Names{"default/free", "default/guarded"}));
  EXPECT_EQ(node_of(decide(q), "n").violations, 1);
}

}  // namespace
}  // namespace reprieve::reference
