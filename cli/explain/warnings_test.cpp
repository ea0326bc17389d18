#include "reprieve/cli/explain/warnings.h"

#include <gtest/gtest.h>

#include "reprieve/cli/explain/test_cluster.h"

namespace reprieve::cli::explain {
namespace {

using test::budget;
using test::find_warning;
using test::kMinute_us;
using test::kNewYear_us;
using test::labelled;
using test::node;
using test::pod;
using test::question;
using test::told;

// Two equal pods under a budget that allows one; room for one.
Cluster inversion(std::int32_t allowed) {
  return {.nodes = {node("a", 2)},
          .pods = {labelled(pod("more", "a", 20, 1), "web"), labelled(pod("less", "a", 10, 1), "web")},
          .budgets = {budget("web", "web", allowed)}};
}

TEST(Warnings, AMoreImportantVictimIsNamedWhereALessImportantOneWouldHaveDone) {
  const Explanation e = told(question(inversion(1), 1));
  const Warning* warning = find_warning(e, "importanceInversion");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->pods, (std::vector<std::string>{"default/more", "default/less"}));
  EXPECT_EQ(warning->alternative, std::vector<std::string>{"default/less"});
  EXPECT_NE(warning->text.find("put back first"), std::string::npos) << warning->text;
}

TEST(Warnings, NoInversionIsNamedWhereTheBudgetAllowsBoth) {
  EXPECT_EQ(find_warning(told(question(inversion(2), 1)), "importanceInversion"), nullptr);
}

// The walk spares a large pod, and two smaller ones pay with a violation each.
TEST(Warnings, FewerViolationsOnTheSameNodeAreFound) {
  const Explanation e = told(
      question({.nodes = {node("a", 4)},
                .pods = {labelled(pod("large", "a", 3, 2), "web"), labelled(pod("small-a", "a", 2, 1), "web"),
                         labelled(pod("small-b", "a", 1, 1), "web")},
                .budgets = {budget("web", "web", 0)}},
               2));
  const Warning* warning = find_warning(e, "betterVictims");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->alternative, std::vector<std::string>{"default/large"});
}

TEST(Warnings, NoBetterVictimsAreNamedWhenAllHaveToGo) {
  const Explanation e =
      told(question({.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 1), pod("y", "a", 2, 1)}}, 2));
  EXPECT_TRUE(e.warnings.empty()) << e.warnings.front().text;
}

TEST(Warnings, AViolationThatDoesNotHappenIsNamed) {
  // Only the less important, larger pod must go; the budget allows one.
  const Explanation e = told(
      question({.nodes = {node("a", 3)},
                .pods = {labelled(pod("more", "a", 2, 1), "web"), labelled(pod("less", "a", 1, 2), "web")},
                .budgets = {budget("web", "web", 1)}},
               2));
  ASSERT_NE(find_warning(e, "violationsReported"), nullptr);
  EXPECT_EQ(e.real_violations.at("a"), 0);
  EXPECT_EQ(e.decision.nodes.front().violations, 1);
}

TEST(Warnings, AViolationThatHappensIsNotNamed) {
  const Explanation e = told(question({.nodes = {node("a", 2)},
                                       .pods = {labelled(pod("only", "a", 2, 2), "web")},
                                       .budgets = {budget("web", "web", 0)}},
                                      2));
  EXPECT_EQ(find_warning(e, "violationsReported"), nullptr);
  EXPECT_EQ(e.real_violations.at("a"), 1);
}

// x is under both budgets: charged to `one` first, `two` is left alone and its other pod does not violate.
Cluster overlapping() {
  return {.nodes = {node("a", 2), node("b", 2)},
          .pods = {labelled(labelled(pod("both", "a", 2, 1), "one"), "two"),
                   labelled(pod("second", "a", 1, 1), "two"), labelled(pod("third", "b", 50, 2), "one")},
          .budgets = {budget("one", "one", 0), budget("two", "two", 0)}};
}

TEST(Warnings, AnotherOrderOfBudgetsIsTriedWhereChargingStopsEarly) {
  Cluster cluster = overlapping();
  cluster.budgets[1].disruptions_allowed = 1;
  const Explanation e = told(question(cluster, 2));
  const Warning* warning = find_warning(e, "budgetOrder");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->budgets, (std::vector<std::string>{"default/one", "default/two"}));
  EXPECT_NE(warning->searched.find("1 other order"), std::string::npos) << warning->searched;
}

TEST(Warnings, TheOrderOfBudgetsCannotMatterWhereEveryBudgetIsCharged) {
  Cluster cluster = overlapping();
  cluster.budgets[1].disruptions_allowed = 1;
  EXPECT_EQ(find_warning(told(question(cluster, 2, Release::k1_36)), "budgetOrder"), nullptr);
}

TEST(Warnings, EquallyImportantPodsAreNamedWhenTheirOrderDecides) {
  const Explanation e =
      told(question({.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 1), pod("y", "a", 1, 1)}}, 1));
  const Warning* warning = find_warning(e, "importanceTie");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->pods, (std::vector<std::string>{"default/x", "default/y"}));
}

TEST(Warnings, AnEarlierStartIsNoTie) {
  const Explanation e = told(question(
      {.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 1), pod("y", "a", 1, 1, kNewYear_us + kMinute_us)}},
      1));
  EXPECT_EQ(find_warning(e, "importanceTie"), nullptr);
}

TEST(Warnings, ATieThatCannotChangeTheAnswerIsNotNamed) {
  const Explanation e =
      told(question({.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 1), pod("y", "a", 1, 1)}}, 2));
  EXPECT_EQ(find_warning(e, "importanceTie"), nullptr);
}

TEST(Warnings, NodesEqualOnEveryLevelAreNamed) {
  const Explanation e = told(question(
      {.nodes = {node("a", 1), node("b", 1)}, .pods = {pod("x", "a", 1, 1), pod("y", "b", 1, 1)}}, 1));
  const Warning* warning = find_warning(e, "nodeTie");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->nodes, (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(e.rivalry.has_value());
}

Case wants_a_friend(std::int32_t friends_priority) {
  Case asked = question(
      {.nodes = {node("a", 2)},
       .pods = {labelled(pod("friend", "a", friends_priority, 1), "friend"), pod("other", "a", 5, 1)}},
      1);
  asked.cluster.pods.back().affinity.required_pod_affinity = {
      {.label_selector = LabelSelector{.match_labels = {{"friend", ""}}},
       .topology_key = "kubernetes.io/hostname"}};
  asked.cluster.pods.back().affinity.required_pod_affinity[0].namespaces = {"default"};
  return asked;
}

TEST(Warnings, RequiredAffinityToALowerPriorityPodLosesItsNode) {
  const Explanation e = told(wants_a_friend(10));
  EXPECT_EQ(e.decision.outcome, Outcome::kNoCandidate);
  const Warning* warning = find_warning(e, "requiredAffinity");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->pods, std::vector<std::string>{"default/friend"});
  EXPECT_NE(warning->text.find("Evicting only the other lower-priority pods there would have made room"),
            std::string::npos);
}

TEST(Warnings, RequiredAffinityToAPodOfEqualPriorityDoesNot) {
  const Explanation e = told(wants_a_friend(1000));
  EXPECT_EQ(e.decision.outcome, Outcome::kNominated);
  EXPECT_EQ(find_warning(e, "requiredAffinity"), nullptr);
}

TEST(Warnings, AnExtendersOrderIsNamedWhereLevelTwoReadsALesserVictim) {
  Case asked = question({.nodes = {node("a", 2), node("b", 2)},
                         .pods = {pod("less", "a", 1, 1), pod("more", "a", 50, 1), pod("other", "b", 2, 2)}},
                        2);
  asked.extenders = {{.name = "ext"}};
  asked.extenders[0].answer = {
      {{"a", {.victims = {"default/less", "default/more"}}}, {"b", {.victims = {"default/other"}}}}};
  const Explanation e = told(asked);
  const Warning* warning = find_warning(e, "extenderOrder");
  ASSERT_NE(warning, nullptr);
  EXPECT_NE(warning->text.find("Listed by priority, b is chosen"), std::string::npos) << warning->text;
  EXPECT_TRUE(e.rivalry->decided_by == NodeCriterion::kHighestPriority);
  std::swap((*asked.extenders[0].answer)["a"].victims[0], (*asked.extenders[0].answer)["a"].victims[1]);
  EXPECT_EQ(find_warning(told(asked), "extenderOrder"), nullptr);
  EXPECT_EQ(find_warning(told(asked), "extenderVictims"), nullptr);
}

Case two_holders(std::int32_t other_port) {
  Case asked =
      question({.nodes = {node("a", 8)}, .pods = {pod("stays", "a", 2000, 1), pod("goes", "a", 1, 1)}}, 1);
  for (Pod& each : asked.cluster.pods)
    each.containers[0].ports = {{.container_port = 80, .host_port = each.name == "stays" ? other_port : 80}};
  return asked;
}

TEST(Warnings, AHostPortThatAnotherPodGoesOnHoldingIsNamed) {
  const Explanation e = told(two_holders(80));
  const Warning* warning = find_warning(e, "portStillHeld");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->pods, std::vector<std::string>{"default/stays"});
  EXPECT_EQ(find_warning(told(two_holders(81)), "portStillHeld"), nullptr);
}

TEST(Warnings, TheOtherReleaseIsNamedWhereItDecidesOtherwise) {
  Cluster cluster = overlapping();
  cluster.budgets[1].disruptions_allowed = 1;
  const Explanation e = told(question(cluster, 2));
  const Warning* warning = find_warning(e, "releaseDiffers");
  ASSERT_NE(warning, nullptr);
  EXPECT_NE(warning->text.find("kube-scheduler 1.36 decides otherwise: b is chosen"), std::string::npos)
      << warning->text;
  EXPECT_EQ(find_warning(told(question(inversion(1), 1)), "releaseDiffers"), nullptr);
}

TEST(Warnings, SamplingIsMentionedOnlyInClustersThatAreSampled) {
  Cluster cluster;
  for (int i = 0; i < 101; ++i) {
    cluster.nodes.push_back(node("n" + std::to_string(i), 1));
    cluster.pods.push_back(pod("p" + std::to_string(i), cluster.nodes.back().name, 1 + i, 1));
  }
  EXPECT_NE(find_warning(told(question(cluster, 1)), "sampling"), nullptr);
  cluster.nodes.pop_back();
  EXPECT_EQ(find_warning(told(question(cluster, 1)), "sampling"), nullptr);
}

TEST(Warnings, ASearchCutShortIsSaid) {
  EXPECT_NE(find_warning(told(question(inversion(1), 1), {.work_limit = 3}), "partial"), nullptr);
  EXPECT_EQ(find_warning(told(question(inversion(1), 1)), "partial"), nullptr);
}

}  // namespace
}  // namespace reprieve::cli::explain
