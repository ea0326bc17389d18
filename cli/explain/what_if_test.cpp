#include "reprieve/cli/explain/what_if.h"

#include <gtest/gtest.h>

#include "reprieve/cli/explain/test_cluster.h"
#include "reprieve/cli/explain/victim_sets.h"

namespace reprieve::cli::explain {
namespace {

using test::node;
using test::pod;
using test::question;

Decision decide(const Case& asked) { return reference::decide(asked); }

// What WhatIf says of the node without exactly these pods.
bool fits(const Case& asked, const std::string& node, const PodSet& gone) {
  const Decision decision = decide(asked);
  WhatIf what_if(asked, decision, decide, 1'000'000);
  return what_if.fits_without(node, gone);
}

TEST(WhatIf, ASetFitsWhenExactlyItsPodsAreGone) {
  const Case asked =
      question({.nodes = {node("a", 3)}, .pods = {pod("x", "a", 1, 1), pod("y", "a", 1, 2)}}, 2);
  EXPECT_FALSE(fits(asked, "a", {}));
  EXPECT_FALSE(fits(asked, "a", {"default/x"}));
  EXPECT_TRUE(fits(asked, "a", {"default/y"}));
}

TEST(WhatIf, PodsNominatedToTheNodeStillCount) {
  Cluster cluster{.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 2)}};
  cluster.pods.push_back(pod("nominated", "", 2000, 1));
  cluster.pods.back().nominated_node_name = "a";
  EXPECT_FALSE(fits(question(cluster, 2), "a", {"default/x"}));
  cluster.pods.back().priority = 1;  // below the preemptor: its claim does not count
  EXPECT_TRUE(fits(question(cluster, 2), "a", {"default/x"}));
}

TEST(WhatIf, PodsThatTerminateHoldTheirRoomUnlessTheyAreInTheSet) {
  Cluster cluster{.nodes = {node("a", 2)}, .pods = {pod("x", "a", 1, 1), pod("leaving", "a", 1, 1)}};
  cluster.pods.back().deletion_time_us = test::kNewYear_us;
  EXPECT_FALSE(fits(question(cluster, 2), "a", {"default/x"}));
  EXPECT_TRUE(fits(question(cluster, 2), "a", {"default/x", "default/leaving"}));
}

TEST(WhatIf, ThePreemptorsOwnNominationDoesNotKeepItFromFitting) {
  // It waits for a pod that terminates because of preemption: not eligible to preempt again.
  Case asked = question({.nodes = {node("a", 2)}, .pods = {pod("leaving", "a", 1, 2)}}, 2);
  asked.cluster.pods[0].deletion_time_us = test::kNewYear_us;
  asked.cluster.pods[0].conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  asked.cluster.pods[1].nominated_node_name = "a";
  ASSERT_EQ(decide(asked).outcome, Outcome::kIneligible);
  EXPECT_TRUE(fits(asked, "a", {"default/leaving"}));
}

TEST(WhatIf, AntiAffinityFromAnotherNodeOfTheZoneStillRepels) {
  // The node is looked at alone, so what repels from afar has to be kept.
  Cluster cluster{.nodes = {node("a", 2), node("b", 9)},
                  .pods = {pod("x", "a", 1, 2), pod("repels", "b", 2000, 9)}};
  for (Node& each : cluster.nodes) each.labels["zone"] = "z";
  cluster.pods[1].affinity.required_pod_anti_affinity = {
      {.label_selector = LabelSelector{.match_labels = {{"app", "high"}}},
       .namespaces = {"default"},
       .topology_key = "zone"}};
  Case asked = question(cluster, 2);
  EXPECT_TRUE(fits(asked, "a", {"default/x"}));
  asked.cluster.pods.back().labels["app"] = "high";
  EXPECT_FALSE(fits(asked, "a", {"default/x"}));
}

TEST(WhatIf, DecidingAgainWithoutAChangeGivesTheSameAnswer) {
  Cluster cluster{.nodes = {node("a", 2), node("b", 2), node("full", 1)},
                  .pods = {pod("x", "a", 5, 2), pod("y", "b", 4, 2), pod("big", "full", 2000, 1)}};
  cluster.pods[2].affinity.required_pod_anti_affinity = {
      {.label_selector = LabelSelector{.match_labels = {{"no", "body"}}},
       .topology_key = "kubernetes.io/hostname"}};
  const Case asked = question(cluster, 2);
  const Decision decision = decide(asked);
  WhatIf what_if(asked, decision, decide, 1'000'000);
  const auto again = what_if.after([](Case&) {});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->nominated, decision.nominated);
  EXPECT_EQ(again->decided_by, decision.decided_by);
  EXPECT_EQ(*find_node(*again, "a"), *find_node(decision, "a"));
}

TEST(WhatIf, AChangeToOneNodeIsDecidedAmongTheLeadersAndThatNode) {
  Cluster cluster;
  for (const char* name : {"a", "b", "c", "d"}) {
    cluster.nodes.push_back(node(name, 2));
    cluster.pods.push_back(pod(std::string("on-") + name, name, 5 + name[0] - 'a', 2));
  }
  const Case asked = question(cluster, 2);
  const Decision decision = decide(asked);
  std::size_t nodes = 0;
  WhatIf what_if(
      asked, decision,
      [&](const Case& changed) {
        nodes = changed.cluster.nodes.size();
        return decide(changed);
      },
      1'000'000);
  what_if.set_leaders({"a", "b"});
  const auto worse =
      what_if.after([](Case& changed) { find_pod(changed.cluster, "default/on-a")->priority = 500; }, "a");
  EXPECT_EQ(nodes, 2U);
  ASSERT_TRUE(worse.has_value());
  EXPECT_EQ(worse->nominated, std::vector<std::string>{"b"});
  const auto better =
      what_if.after([](Case& changed) { find_pod(changed.cluster, "default/on-d")->priority = 1; }, "d");
  EXPECT_EQ(nodes, 3U);
  ASSERT_TRUE(better.has_value());
  EXPECT_EQ(better->nominated, std::vector<std::string>{"d"});
  ASSERT_TRUE(what_if.after([](Case&) {}).has_value());
  EXPECT_EQ(nodes, 4U);
}

TEST(WhatIf, NothingIsDecidedBeyondTheLimit) {
  const Case asked = question({.nodes = {node("a", 1)}, .pods = {pod("x", "a", 1, 1)}}, 1);
  const Decision decision = decide(asked);
  WhatIf what_if(asked, decision, decide, 4);  // one decision costs a node, two pods and itself
  EXPECT_TRUE(what_if.fits_without("a", {"default/x"}));
  EXPECT_FALSE(what_if.exhausted());
  EXPECT_FALSE(what_if.fits_without("a", {"default/x"}));
  EXPECT_TRUE(what_if.exhausted());
}

TEST(VictimSets, AllSubsetsAreDecidedWhenThereAreFew) {
  const Case asked = question(
      {.nodes = {node("a", 3)}, .pods = {pod("x", "a", 3, 1), pod("y", "a", 2, 1), pod("z", "a", 1, 1)}}, 1);
  const Decision decision = decide(asked);
  WhatIf what_if(asked, decision, decide, 1'000'000);
  const BudgetBook book(what_if);
  const Search found = search(decision.nodes.front(), what_if, book);
  EXPECT_TRUE(found.exhaustive);
  EXPECT_EQ(found.subsets, 7U);
  EXPECT_EQ(found.sets.size(), 7U);
  EXPECT_EQ(found.sets.front().pods, std::vector<std::string>{"default/z"});
}

TEST(VictimSets, WithManyPotentialVictimsASetWithoutTheVictimIsStillFound) {
  // Twelve pods under a budget that allows eleven: the last is classed violating and spared first.
  Cluster cluster{.nodes = {node("a", 12)}};
  for (int i = 0; i < 12; ++i) {
    cluster.pods.push_back(test::labelled(pod("p" + std::to_string(10 + i), "a", 50 - i, 1), "web"));
  }
  cluster.budgets = {test::budget("web", "web", 11)};
  const Case asked = question(cluster, 1);
  const Decision decision = decide(asked);
  ASSERT_EQ(decision.nodes.front().victims, std::vector<std::string>{"default/p20"});
  WhatIf what_if(asked, decision, decide, 1'000'000);
  const BudgetBook book(what_if);
  const Search found = search(decision.nodes.front(), what_if, book);
  EXPECT_FALSE(found.exhaustive);
  ASSERT_FALSE(found.sets.empty());
  EXPECT_EQ(found.sets.front().pods, std::vector<std::string>{"default/p21"});
}

}  // namespace
}  // namespace reprieve::cli::explain
