// Explanations under policies other than Kubernetes' own.
#include <gtest/gtest.h>

#include "reprieve/cli/explain/test_cluster.h"
#include "reprieve/cli/explain/text.h"

namespace reprieve::cli::explain {
namespace {

using test::budget;
using test::find_warning;
using test::labelled;
using test::node;
using test::pod;
using test::question;
using test::told;

std::string text(const Explanation& explanation) { return to_text(explanation, {.width = 1000}); }

/// Greedy spares the large one, which is classed violating, and evicts the more important pods.
Case inverted() {
  return question(
      {.nodes = {node("n", 4)},
       .pods = {pod("more", "n", 9, 1), pod("also", "n", 8, 1), labelled(pod("large", "n", 1, 2), "web")},
       .budgets = {budget("web", "web", 0)}},
      2);
}

Case exactly(Case asked) {
  asked.policy.name = "mine";
  asked.policy.victims = VictimSearch::kExact;
  asked.policy.violations = ViolationCount::kActual;
  asked.policy.charging = Charging::kEveryBudget;
  return asked;
}

TEST(ExplainPolicy, TheOptimumHasNoTurnsAndNothingBetter) {
  Case asked = inverted();
  asked.policy.node_order = {NodeCriterion::kHighestPriority};
  const Explanation greedy = told(asked, {.victim = "default/more"});
  ASSERT_NE(find_warning(greedy, "importanceInversion"), nullptr);
  EXPECT_EQ(find_warning(greedy, "importanceInversion")->alternative,
            std::vector<std::string>{"default/large"});

  const Explanation exact = told(exactly(asked), {.victim = "default/large"});
  EXPECT_EQ(exact.decision.nodes[0].victims, std::vector<std::string>{"default/large"});
  EXPECT_EQ(find_warning(exact, "importanceInversion"), nullptr);
  EXPECT_EQ(find_warning(exact, "betterVictims"), nullptr);
  ASSERT_TRUE(exact.victim.has_value());
  EXPECT_EQ(exact.victim->fate, "evicted");
  ASSERT_EQ(exact.victim->other_choices.size(), 2U);
  EXPECT_NE(
      exact.victim->other_choices[0].find("evicting default/more and default/also makes room too. That is "
                                          "worse: the most important victim"),
      std::string::npos)
      << exact.victim->other_choices[0];
  const std::string all = text(told(exactly(asked)));
  EXPECT_EQ(all.find("TURN"), std::string::npos);
  EXPECT_NE(all.find("Decided by the policy mine, with the filters of kube-scheduler 1.37."),
            std::string::npos);
}

TEST(ExplainPolicy, ARefusedNodeIsNotTakenForOneThatAnExtenderDropped) {
  for (const bool exact : {false, true}) {
    Case asked = question({.nodes = {node("n", 2)},
                           .pods = {labelled(pod("x", "n", 1, 2), "web")},
                           .budgets = {budget("web", "web", 0)}},
                          2);
    if (exact) asked = exactly(asked);
    asked.policy.budgets.guaranteed = true;
    const Explanation explanation = told(asked);
    EXPECT_FALSE(effect_of_extenders(explanation.decision.nodes[0]).dropped);
    EXPECT_NE(explanation.summary[0].find("it would violate a budget"), std::string::npos)
        << explanation.summary[0];
    EXPECT_NE(text(explanation).find("refused: a budget would be violated"), std::string::npos);
  }
}

TEST(ExplainPolicy, TheLevelsOfOnesOwnAreToldAndWhatWouldTurnThem) {
  Case asked = question({.nodes = {node("a", 4), node("b", 4)},
                         .pods = {labelled(pod("x", "a", 1, 2), "web"), pod("stays", "a", 2000, 2),
                                  pod("y", "b", 1, 3), pod("stays-too", "b", 2000, 1)},
                         .budgets = {budget("web", "web", 9)}},
                        2);
  asked.policy.node_order = {NodeCriterion::kRequestedShare, NodeCriterion::kBudgetsTouched};
  Explanation explanation = told(asked);
  ASSERT_TRUE(explanation.rivalry.has_value());
  EXPECT_EQ(explanation.rivalry->winner, "a");
  EXPECT_EQ(explanation.rivalry->needs,
            "its victims would have to hold less than 50 % (1/2) of the node (75 % (3/4) now).");
  EXPECT_NE(text(explanation).find("share 50 % (1/2), 1 budget touched"), std::string::npos);

  asked.policy.node_order = {NodeCriterion::kBudgetsTouched};
  explanation = told(asked);
  EXPECT_EQ(explanation.rivalry->winner, "b");
  EXPECT_EQ(explanation.rivalry->needs, "that is not enough: with 0 budgets too, they tie (1 now).");
}

TEST(ExplainPolicy, PodsAreTiedByThePolicysOwnImportance) {
  Case asked = question({.nodes = {node("n", 2)}, .pods = {pod("x", "n", 1, 1), pod("y", "n", 2, 1)}}, 1);
  EXPECT_EQ(find_warning(told(asked), "importanceTie"), nullptr);
  asked.policy.importance = {ImportanceCriterion::kTerminationGracePeriod,
                             ImportanceCriterion::kRequestedShare};
  const Explanation tied = told(asked);
  ASSERT_NE(find_warning(tied, "importanceTie"), nullptr);
  EXPECT_NE(find_warning(tied, "importanceTie")->text.find("(same grace period, same share of the node)"),
            std::string::npos);
  asked.cluster.pods[1].termination_grace_period_s = 5;
  EXPECT_EQ(find_warning(told(asked), "importanceTie"), nullptr);
}

TEST(ExplainPolicy, ASearchThatWasNotFinishedIsSaidToBe) {
  const Explanation explanation =
      tell(exactly(inverted()),
           [](const Case& asked) {
             Decision decision = reference::decide(asked);
             decision.bounded = {{.level = NodeCriterion::kPdbViolations, .found = 0, .at_least = 0},
                                 {.level = NodeCriterion::kVictimCount, .found = 3, .at_least = 2}};
             return decision;
           },
           {});
  EXPECT_NE(text(explanation).find("victimCount 3 was found, as little as 2 may be possible"),
            std::string::npos)
      << text(explanation);
}

}  // namespace
}  // namespace reprieve::cli::explain
