#include "reprieve/cli/explain/facts.h"

#include <gtest/gtest.h>

#include "reprieve/cli/explain/test_cluster.h"

namespace reprieve::cli::explain {
namespace {

using test::node;
using test::pod;
using test::question;

const Facts kFacts{.preemptor = "default/high"};

TEST(Facts, AShortfallSaysWhatIsFreeOfWhatAndWhoNeedsHowMuch) {
  EXPECT_EQ(in_words(Shortfall{"cpu", 500, 800, 1000}, kFacts, "n1"),
            "200m of n1's 1 cpu is free and default/high needs 500m");
}

TEST(Facts, AmountsThatWouldLookEqualAreSpelledOut) {
  const std::int64_t gi = std::int64_t{1} << 30;
  EXPECT_EQ(in_words(Shortfall{"memory", gi, 0, gi - 1}, kFacts, "n1"),
            "1073741823 of n1's 1073741823 memory is free and default/high needs 1073741824");
}

TEST(Facts, AnOvercommittedNodeHasMoreInUseThanItHas) {
  EXPECT_EQ(in_words(Shortfall{"cpu", 1000, 3000, 2000}, kFacts, "n1"),
            "1 more cpu than n1's 2 is in use already and default/high needs 1");
}

TEST(Facts, ExtremeAmountsDoNotOverflow) {
  EXPECT_NE(in_words(Shortfall{"cpu", INT64_MAX, INT64_MAX, 0}, kFacts, "n1"), "");
}

TEST(Facts, ANominatedPodThatIsCountedIsNamedWithWhatItAsks) {
  Case asked = question({.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 1)}}, 2);
  asked.cluster.pods.push_back(pod("nominated", "", 2000, 1));
  asked.cluster.pods.back().nominated_node_name = "a";
  asked.cluster.pods.push_back(pod("lower", "", 1, 1));
  asked.cluster.pods.back().nominated_node_name = "a";
  const Decision decision = reference::decide(asked);
  const Facts facts = facts_of(asked, decision);
  const FilterFailure failure{
      .plugin = "NodeResourcesFit", .shortfalls = {{"cpu", 2000, 1000, 2000}}, .with_nominated = true};
  EXPECT_EQ(in_words(failure, facts, "a", {}),
            "1 of a's 2 cpu is free and default/high needs 2 (NodeResourcesFit), counting default/nominated "
            "(priority 2000, 1 cpu): pods of equal or higher priority that are nominated to a count");
}

TEST(Facts, TheHolderOfAPortIsNamedUnlessItIsGone) {
  Case asked = question({.nodes = {node("a", 4)}, .pods = {pod("x", "a", 1, 1), pod("y", "a", 2, 1)}}, 1);
  for (Pod& each : asked.cluster.pods) {
    if (each.name != "y") each.containers[0].ports = {{.container_port = 80, .host_port = 80}};
  }
  const Facts facts = facts_of(asked, reference::decide(asked));
  const FilterFailure failure{.plugin = "NodePorts", .reasons = {"no free ports"}};
  EXPECT_EQ(in_words(failure, facts, "a", {}), "host port 80/TCP is held by default/x (NodePorts)");
  EXPECT_EQ(in_words(failure, facts, "a", {"default/x"}), "no free ports (NodePorts)");
}

NodeDecision two_found() {
  return {.node = "n",
          .status = NodeStatus::kCandidate,
          .victims = {"d/a", "d/b"},
          .tried = true,
          .potential_victims = {{.pod = "d/a", .priority = 2, .evicted = true},
                                {.pod = "d/b", .priority = 1, .evicted = true},
                                {.pod = "d/c"}}};
}

TEST(Facts, WhatAnExtenderDidIsReadOffTheVictims) {
  NodeDecision seen = two_found();
  EXPECT_FALSE(effect_of_extenders(seen).any());
  seen.victims = {"d/b", "d/a"};
  EXPECT_TRUE(effect_of_extenders(seen).reordered);
  seen.victims = {"d/c", "d/a"};
  EXPECT_EQ(effect_of_extenders(seen).spared, std::vector<std::string>{"d/b"});
  EXPECT_EQ(effect_of_extenders(seen).added, std::vector<std::string>{"d/c"});
  seen.status = NodeStatus::kUnschedulable;
  EXPECT_TRUE(effect_of_extenders(seen).dropped);
  seen.emptied_failure = FilterFailure{};
  EXPECT_FALSE(effect_of_extenders(seen).dropped);
}

}  // namespace
}  // namespace reprieve::cli::explain
