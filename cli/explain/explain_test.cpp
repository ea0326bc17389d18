#include "reprieve/cli/explain/explain.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reprieve/cli/explain/json.h"
#include "reprieve/cli/explain/test_cluster.h"
#include "reprieve/cli/explain/text.h"

namespace reprieve::cli::explain {
namespace {

using test::budget;
using test::kMinute_us;
using test::kNewYear_us;
using test::labelled;
using test::node;
using test::pod;
using test::question;
using test::told;

bool says(const std::vector<std::string>& sentences, std::string_view words) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(words) != std::string::npos) return true;
  }
  return false;
}

std::string changes(const std::vector<Change>& all) {
  std::string text;
  for (const Change& change : all) text += change.kind + ": if " + change.text + ": " + change.then + "\n";
  return text;
}

Case two_candidates() {
  return question({.nodes = {node("a", 2), node("b", 2)}, .pods = {pod("x", "a", 5, 2), pod("y", "b", 7, 2)}},
                  2);
}

TEST(Explain, TheSummaryNamesPodNodeVictimsAndTheLevelThatDecided) {
  const Explanation e = told(two_candidates());
  ASSERT_EQ(e.summary.size(), 2U);
  EXPECT_EQ(e.summary[0],
            "default/high (priority 1000) fits on no node as things stand. The scheduler nominates a for it "
            "and evicts "
            "1 pod there: default/x.");
  EXPECT_EQ(e.summary[1],
            "a is preferred to b, the runner-up of 2 candidates, because a's most important victim has a "
            "lower priority: 5 against 7.");
}

TEST(Explain, TheRunnerUpsWayToWinIsOneThatWasDecided) {
  const Explanation e = told(two_candidates());
  ASSERT_TRUE(e.rivalry.has_value());
  EXPECT_EQ(e.rivalry->runner_up, "b");
  EXPECT_EQ(e.rivalry->decided_by, NodeCriterion::kHighestPriority);
  EXPECT_EQ(changes(e.rivalry->changes),
            "room: if b had 2 more cpu: b fits without any eviction\n"
            "priority: if default/y had priority 4: b is chosen, evicting default/y\n");
}

TEST(Explain, LargerBudgetsLetARunnerUpWinThatLostByViolations) {
  const Explanation e = told(question({.nodes = {node("a", 2), node("b", 2)},
                                       .pods = {pod("x", "a", 50, 2), labelled(pod("y", "b", 7, 2), "web")},
                                       .budgets = {budget("web", "web", 0)}},
                                      2));
  ASSERT_TRUE(e.rivalry.has_value());
  EXPECT_EQ(e.rivalry->decided_by, NodeCriterion::kPdbViolations);
  EXPECT_NE(
      changes(e.rivalry->changes)
          .find("budget: if budget default/web allowed 1 disruption more: b is chosen, evicting default/y"),
      std::string::npos)
      << changes(e.rivalry->changes);
}

TEST(Explain, ALaterStartLetsARunnerUpWinThatLostByStart) {
  const Explanation e =
      told(question({.nodes = {node("a", 2), node("b", 2)},
                     .pods = {pod("x", "a", 5, 2, kNewYear_us + kMinute_us), pod("y", "b", 5, 2)}},
                    2));
  ASSERT_TRUE(e.rivalry.has_value());
  EXPECT_EQ(e.rivalry->decided_by, NodeCriterion::kLatestStart);
  EXPECT_NE(changes(e.rivalry->changes).find("default/y had started at 2026-01-01T00:01:01Z"),
            std::string::npos);
}

TEST(Explain, TheNearestMissIsTheNodeShortOfTheLeast) {
  const Explanation e =
      told(question({.nodes = {node("small", 4), node("near", 9)},
                     .pods = {pod("x", "small", 1, 4), pod("y", "near", 1, 2), pod("z", "near", 2000, 7)}},
                    4));
  EXPECT_EQ(e.decision.outcome, Outcome::kNominated);  // small fits once x is gone

  const Explanation none = told(question({.nodes = {node("far", 6), node("near", 9)},
                                          .pods = {pod("v", "far", 1, 1), pod("w", "far", 2000, 5),
                                                   pod("y", "near", 1, 2), pod("z", "near", 2000, 6)}},
                                         4));
  EXPECT_EQ(none.decision.outcome, Outcome::kNoCandidate);
  ASSERT_TRUE(none.nearest_miss.has_value());
  EXPECT_EQ(none.nearest_miss->node, "near");
  EXPECT_TRUE(
      says(none.summary,
           "The nearest miss is near: with every lower-priority pod gone, 3 of near's 9 cpu is free and "
           "default/high needs 4."));
}

TEST(Explain, NodesThatMatterComeFirst) {
  Cluster cluster{.nodes = {node("cordoned", 9), node("hopeless", 2), node("worse", 2), node("chosen", 2)},
                  .pods = {pod("w", "hopeless", 2000, 1), pod("x", "worse", 7, 2), pod("y", "chosen", 5, 2)}};
  cluster.nodes[0].unschedulable = true;
  const Explanation e = told(question(cluster, 2));
  std::vector<std::string> order;
  for (const std::size_t index : e.node_order) order.push_back(e.decision.nodes[index].node);
  EXPECT_EQ(order, (std::vector<std::string>{"chosen", "worse", "hopeless", "cordoned"}));
}

TEST(Explain, AVictimIsToldWhyAndWhatWouldHaveSparedIt) {
  const Explanation e = told(two_candidates(), {.victim = "default/x"});
  ASSERT_TRUE(e.victim.has_value());
  EXPECT_EQ(e.victim->fate, "evicted");
  EXPECT_TRUE(says(e.victim->sentences, "none of a's 2 cpu is free and default/high needs 2"));
  EXPECT_TRUE(says(e.victim->other_choices,
                   "On a no set of lower-priority pods without it makes room (1 set decided)."));
  EXPECT_TRUE(says(e.victim->other_choices, "b, evicting default/y"));
  EXPECT_EQ(changes(e.victim->changes),
            "room: if a had 2 more cpu: a fits without any eviction\n"
            "priority: if default/x had priority 8 (7 is not enough): b is chosen, evicting default/y\n");
}

TEST(Explain, AVictimThatOthersWereSparedBeforeIsToldOfThem) {
  const Explanation e = told(
      question({.nodes = {node("a", 2)},
                .pods = {labelled(pod("more", "a", 20, 1), "web"), labelled(pod("less", "a", 10, 1), "web")},
                .budgets = {budget("web", "web", 1)}},
               1),
      {.victim = "default/more"});
  ASSERT_TRUE(e.victim.has_value());
  EXPECT_TRUE(says(e.victim->sentences, "default/less is less important but had been put back before it"));
  EXPECT_TRUE(says(e.victim->other_choices, "On a itself, evicting default/less makes room too."));
  EXPECT_NE(changes(e.victim->changes).find("budget default/web allowed 1 disruption more"),
            std::string::npos);
}

TEST(Explain, APodThatIsNoVictimIsToldWhy) {
  const Case asked =
      question({.nodes = {node("a", 2), node("b", 2), node("c", 1)},
                .pods = {pod("gone", "a", 5, 1), pod("stays", "a", 6, 1), pod("elsewhere", "b", 7, 2),
                         pod("equal", "c", 1000, 1), pod("waiting", "", 1, 1)}},
               1);
  const auto fate = [&](const std::string& name) { return told(asked, {.victim = name}).victim->fate; };
  EXPECT_EQ(fate("default/gone"), "evicted");
  EXPECT_EQ(fate("default/stays"), "reprieved");
  EXPECT_EQ(fate("default/elsewhere"), "onOtherNode");
  EXPECT_EQ(fate("default/equal"), "notLower");
  EXPECT_EQ(fate("default/waiting"), "pending");
  EXPECT_EQ(fate("default/high"), "preemptor");
  EXPECT_EQ(fate("default/nobody"), "absent");
}

TEST(Explain, ARunnerUpThatWouldOnlyTieIsToldThePriorityThatIsEnough) {
  // With 5 for y both nodes tie, and a is listed first.
  EXPECT_EQ(
      told(two_candidates()).rivalry->needs,
      "its most important victim would have to have priority 4 or lower (5 is not enough); default/y has 7.");
}

TEST(Explain, OnlyBudgetsThatStillAllowSomethingAreSetToZero) {
  const auto asked = [](std::int32_t allowed) {
    Pod x = labelled(labelled(pod("x", "a", 5, 2), "one"), "two");
    return question(
        {.nodes = {node("a", 2), node("b", 2)},
         .pods = {std::move(x), labelled(pod("y", "b", 7, 2), "none")},
         .budgets = {budget("one", "one", allowed), budget("two", "two", 2), budget("none", "none", 1)}},
        2);
  };
  EXPECT_NE(changes(told(asked(3), {.victim = "default/x"}).victim->changes)
                .find("if budgets default/one and default/two allowed no disruption: b"),
            std::string::npos);
  Case exhausted = asked(0);
  exhausted.cluster.budgets[1].disruptions_allowed = 0;
  exhausted.cluster.budgets[2].disruptions_allowed = 0;
  EXPECT_EQ(changes(told(exhausted, {.victim = "default/x"}).victim->changes).find("no disruption"),
            std::string::npos);
}

TEST(Explain, APodThatStaysIsToldWhoPaysForIt) {
  const Explanation e =
      told(question({.nodes = {node("a", 4)},
                     .pods = {pod("large", "a", 3, 2), pod("small-a", "a", 2, 1), pod("small-b", "a", 1, 1)}},
                    2),
           {.victim = "default/large"});
  EXPECT_EQ(e.victim->fate, "reprieved");
  EXPECT_TRUE(says(e.victim->sentences, "paid for by default/small-a and default/small-b"));
}

Case with_extender(std::vector<std::string> answer) {
  Case asked =
      question({.nodes = {node("a", 3)}, .pods = {pod("low", "a", 1, 1), pod("boss", "a", 2000, 1)}}, 2);
  asked.extenders = {{.name = "ext"}};
  asked.extenders[0].answer.emplace();
  if (!answer.empty()) (*asked.extenders[0].answer)["a"] = {.victims = std::move(answer)};
  return asked;
}

TEST(Explain, WhoAnExtenderSparesAndWhoItNamesAreToldApart) {
  const Case asked = with_extender({"default/boss"});
  EXPECT_EQ(told(asked, {.victim = "default/low"}).victim->fate, "sparedByExtender");
  const Explanation e = told(asked, {.victim = "default/boss"});
  EXPECT_EQ(e.victim->fate, "evicted");
  EXPECT_TRUE(says(e.victim->sentences, "because extender ext named it"));
  const std::string text = to_text(told(asked), {});
  EXPECT_NE(text.find("spared by extender"), std::string::npos) << text;
  EXPECT_NE(text.find("evicted (extender)"), std::string::npos) << text;
}

TEST(Explain, ANodeThatAnExtenderDroppedWasNotTriedInVain) {
  const Explanation e = told(with_extender({}));
  EXPECT_TRUE(says(e.summary, "Eviction would make room on a, but the extenders left no candidate."));
  const std::string text = to_text(e, {});
  EXPECT_NE(text.find("dropped by extender ext (would have evicted default/low)"), std::string::npos) << text;
  EXPECT_EQ(text.find("in vain"), std::string::npos) << text;
}

TEST(Explain, AnExtendersErrorIsADecisionThatNamesIt) {
  Case asked = with_extender({});
  asked.extenders[0].answer.reset();
  asked.extenders[0].error = "boom";
  const Explanation e = told(asked);
  EXPECT_TRUE(e.ended_by_extender);
  EXPECT_TRUE(says(e.summary, "the attempt ended with an error of extender ext: boom"));
}

TEST(Explain, AnAnswerAboutAVictimLeavesTheRestOutAndOneNodeKeepsItsRival) {
  const Explanation e = told(two_candidates(), {.victim = "default/x"});
  EXPECT_EQ(to_text(e, {}).find("\nNodes"), std::string::npos);
  EXPECT_NE(to_text(e, {.all = true}).find("\nNodes"), std::string::npos);
  EXPECT_NE(to_text(told(two_candidates()), {.node = "a"}).find("Why a and not b"), std::string::npos);
}

TEST(Explain, NamesOfPodsAreNeverShortened) {
  const std::string name(60, 'n');
  const Explanation e = told(question({.nodes = {node("a", 2)}, .pods = {pod(name, "a", 1, 2)}}, 2));
  const std::string text = to_text(e, {.width = 80});
  EXPECT_NE(text.find("  default/" + name + "  1"), std::string::npos) << text;
}

TEST(Explain, WithoutAnyEvictionAPodIsToldSo) {
  const Case asked = question({.nodes = {node("a", 4)}, .pods = {pod("x", "a", 1, 1)}}, 1);
  const Explanation e = told(asked, {.victim = "default/x"});
  EXPECT_EQ(e.decision.outcome, Outcome::kFits);
  EXPECT_EQ(e.victim->fate, "noEviction");
  EXPECT_TRUE(says(e.summary, "needs no eviction: it fits on 1 of 1 node as things stand (a)."));
}

TEST(Explain, AnIneligiblePodIsToldWhatItWaitsFor) {
  Case asked = question({.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 2)}}, 2);
  asked.cluster.pods.back().preemption_policy = PreemptionPolicy::kNever;
  const Explanation e = told(asked);
  EXPECT_EQ(e.decision.outcome, Outcome::kIneligible);
  EXPECT_TRUE(says(e.summary, "preemptionPolicy"));
}

TEST(Explain, WhatCannotBeDecidedIsSaidAndNothingElse) {
  Case asked = two_candidates();
  asked.preemptor = "default/x";  // runs already
  const Explanation e = told(asked, {.victim = "default/y"});
  EXPECT_EQ(e.decision.outcome, Outcome::kError);
  EXPECT_EQ(e.summary.size(), 1U);
  EXPECT_FALSE(e.victim.has_value());
}

TEST(Explain, JsonCarriesEveryNodeAndEveryPotentialVictim) {
  const nlohmann::ordered_json json = to_json(told(two_candidates(), {.victim = "default/x"}));
  EXPECT_EQ(json["kind"], "Explanation");
  EXPECT_EQ(json["decidedBy"], "highestPriority");
  ASSERT_EQ(json["nodes"].size(), 2U);
  EXPECT_EQ(json["nodes"][0]["potentialVictims"][0]["notReprieved"]["shortfalls"][0]["resource"], "cpu");
  EXPECT_EQ(json["rivalry"]["levels"][1]["decides"], true);
  EXPECT_EQ(json["victim"]["fate"], "evicted");
}

TEST(Explain, AManyNodedClusterIsSummedUpByReasonAndToldInFullOnRequest) {
  Cluster cluster;
  for (int i = 0; i < 30; ++i) {
    cluster.nodes.push_back(node("n" + std::to_string(i), 4));
    cluster.nodes.back().unschedulable = true;
  }
  const Explanation e = told(question(cluster, 1));
  const std::string brief = to_text(e, {});
  EXPECT_NE(brief.find("n0: unresolvable, node(s) were unschedulable (and 29 nodes like it)"),
            std::string::npos)
      << brief;
  EXPECT_EQ(brief.find("n17"), std::string::npos);
  EXPECT_NE(to_text(e, {.all = true}).find("n17: ruled out"), std::string::npos);
  const std::string one = to_text(e, {.node = "n17"});
  EXPECT_NE(one.find("n17: ruled out"), std::string::npos);
  EXPECT_EQ(one.find("n16"), std::string::npos);
}

}  // namespace
}  // namespace reprieve::cli::explain
