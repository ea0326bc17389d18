// What is compared, who is better, and when the optimum must be.
#include "reprieve/cli/compare/choice.h"

#include <gtest/gtest.h>

#include "reprieve/manifest/policy.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::cli::comparison {
namespace {

Node node(std::string name, std::int64_t cpu) {
  return {.name = std::move(name), .allocatable = {{"cpu", {.units = cpu}}, {"pods", {.units = 110}}}};
}

Pod pod(std::string name, std::string on, std::int32_t priority, std::int64_t cpu, std::string label = {}) {
  Pod made{.name = std::move(name), .priority = priority, .node_name = std::move(on)};
  made.containers = {{.name = "c", .requests = {{"cpu", {.units = cpu}}}}};
  if (!made.node_name.empty()) made.start_time_us = 1'767'225'600'000'000;
  if (!label.empty()) made.labels["app"] = std::move(label);
  return made;
}

DisruptionBudget budget(std::string app, std::int32_t allowed) {
  return {.name = app,
          .selector = LabelSelector{.match_labels = {{"app", std::move(app)}}},
          .disruptions_allowed = allowed};
}

Case question(Cluster cluster, std::int64_t cpu) {
  Case made{.name = "test", .cluster = std::move(cluster), .preemptor = "default/high"};
  made.cluster.pods.push_back(pod("high", "", 1000, cpu));
  return made;
}

Policy named(std::string_view name) { return *manifest::find_policy(name); }

Pairing paired(Case asked, const Policy& old_policy, const Policy& new_policy) {
  subjects::ReferenceSubject reference;
  return pair(reference, asked, old_policy, new_policy, judge_of(old_policy, new_policy));
}

/// Kubernetes spares the large pod and evicts the two small ones: two violations instead of one.
Case large_and_small() {
  return question({.nodes = {node("n", 4)},
                   .pods = {pod("large", "n", 3, 2, "a"), pod("x", "n", 2, 1, "a"), pod("y", "n", 1, 1, "a")},
                   .budgets = {budget("a", 0)}},
                  2);
}

TEST(Choice, FewerRealViolationsWin) {
  const Pairing pairing = paired(large_and_small(), named("kubernetes"), named("exact"));
  ASSERT_TRUE(pairing.both_nominate());
  EXPECT_TRUE(pairing.same_node);
  EXPECT_FALSE(pairing.same_victims);
  EXPECT_EQ(pairing.old_choice->key.violations, 2);
  EXPECT_EQ(pairing.new_choice->key.violations, 1);
  EXPECT_LT(pairing.better, 0);
  EXPECT_EQ(pairing.by, NodeCriterion::kPdbViolations);
  EXPECT_EQ(pairing.difference(), "new better by pdbViolations");
  EXPECT_EQ(gain(NodeCriterion::kPdbViolations, pairing.old_choice->key, pairing.new_choice->key), 1);
}

TEST(Choice, TheSameTheOtherWayRound) {
  const Pairing pairing = paired(large_and_small(), named("exact"), named("kubernetes"));
  EXPECT_GT(pairing.better, 0);
  EXPECT_EQ(pairing.difference(), "old better by pdbViolations");
  EXPECT_FALSE(breaks(pairing, never_worse(named("exact"), named("kubernetes"))));
  EXPECT_TRUE(breaks(pairing, Side::kNew));
}

TEST(Choice, AMiscountIsNoDifferenceOfTheChoice) {
  // One violation is reported of a pod whose eviction violates nothing.
  Case asked = question({.nodes = {node("n", 4)},
                         .pods = {pod("first", "n", 2, 1, "a"), pod("second", "n", 1, 3, "a")},
                         .budgets = {budget("a", 1)}},
                        3);
  const Pairing pairing = paired(asked, named("kubernetes"), named("exact"));
  EXPECT_EQ(pairing.old_choice->reported, 1);
  EXPECT_EQ(pairing.old_choice->key.violations, 0);
  EXPECT_EQ(pairing.better, 0);
  EXPECT_EQ(pairing.difference(), "other count");
}

TEST(Choice, OfATieThatBothKnowTheSameNodeIsCompared) {
  Case asked = question({.nodes = {node("a", 2), node("b", 2)},
                         .pods = {pod("x", "a", 1, 2), pod("y", "b", 1, 2), pod("z", "b", 0, 0)}},
                        2);
  Policy only_violations = named("kubernetes");
  only_violations.node_order = {NodeCriterion::kPdbViolations};
  Policy by_share = only_violations;
  by_share.node_order = {NodeCriterion::kVictimCount};
  const Pairing pairing = paired(asked, only_violations, by_share);
  EXPECT_EQ(pairing.old_decision.nominated, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(pairing.same_node);
  EXPECT_EQ(pairing.old_choice->node, pairing.new_choice->node);
  EXPECT_EQ(pairing.difference(), "");
}

TEST(Choice, ACandidateIsBetterThanNone) {
  Case asked = large_and_small();
  Policy guaranteed = named("kubernetes");
  guaranteed.budgets.guaranteed = true;
  const Pairing pairing = paired(asked, named("kubernetes"), guaranteed);
  EXPECT_FALSE(pairing.both_nominate());
  EXPECT_GT(pairing.better, 0);
  EXPECT_EQ(pairing.difference(), "outcome nominated, no-candidate");
}

TEST(Choice, IsJudgedByTheOptimumsLevelsAndElseByTheNewOnes) {
  Policy old_policy = named("kubernetes");
  Policy new_policy = named("kubernetes");
  new_policy.node_order = {NodeCriterion::kBudgetsTouched};
  EXPECT_EQ(judge_of(old_policy, new_policy).node_order, new_policy.node_order);
  EXPECT_EQ(judge_of(old_policy, new_policy).charging, Charging::kEveryBudget);
  EXPECT_EQ(judge_of(old_policy, new_policy).violations, ViolationCount::kActual);
  EXPECT_EQ(judge_of(named("exact"), new_policy), named("exact"));
  Policy exact = named("exact");
  exact.charging = Charging::kUntilViolated;
  EXPECT_EQ(judge_of(old_policy, exact).charging, Charging::kUntilViolated);
}

TEST(Choice, NothingIsClaimedWhereTheOtherMayChooseWhatTheOptimumMayNot) {
  const Policy exact = named("exact");
  EXPECT_EQ(never_worse(named("kubernetes"), exact), Side::kNew);
  EXPECT_EQ(never_worse(exact, named("kubernetes")), Side::kOld);
  EXPECT_EQ(never_worse(named("kubernetes-1.36"), exact), std::nullopt) << "another release's filters";
  EXPECT_EQ(never_worse(named("kubernetes"), named("kubernetes-1.36")), std::nullopt);
  Policy sampled = exact;
  sampled.sampling = Sampling{};
  EXPECT_EQ(never_worse(named("kubernetes"), sampled), std::nullopt);
  Policy guaranteed = exact;
  guaranteed.budgets.guaranteed = true;
  EXPECT_EQ(never_worse(named("kubernetes"), guaranteed), std::nullopt);
  EXPECT_EQ(never_worse(named("guaranteed-budgets"), guaranteed), Side::kNew);
  EXPECT_EQ(never_worse(guaranteed, exact), Side::kNew);
}

TEST(Choice, WhatWasNotProvedAndWhatAnExtenderSaidBreaksNothing) {
  Pairing pairing = paired(large_and_small(), named("exact"), named("kubernetes"));
  ASSERT_TRUE(breaks(pairing, Side::kNew));
  pairing.new_decision.bounded = {{.level = NodeCriterion::kPdbViolations, .found = 2, .at_least = 1}};
  EXPECT_FALSE(breaks(pairing, Side::kNew));
  pairing.new_decision.bounded.clear();
  pairing.has_extenders = true;
  EXPECT_FALSE(breaks(pairing, Side::kNew));
}

TEST(Choice, AGainIsInTheLevelsUnitAndPositiveWhereTheNewIsBetter) {
  const CandidateKey worse{.highest_priority = 5,
                           .priority_sum = (std::int64_t{2} << 31) + 8,
                           .victim_count = 2,
                           .earliest_start_us = 10'000'000,
                           .requested_share = Share{3, 4},
                           .budgets_touched = 3};
  const CandidateKey better{.highest_priority = -1,
                            .priority_sum = (std::int64_t{1} << 31) - 1,
                            .victim_count = 1,
                            .earliest_start_us = 70'000'000,
                            .requested_share = Share{1, 2},
                            .budgets_touched = 1};
  EXPECT_EQ(gain(NodeCriterion::kHighestPriority, worse, better), 6);
  EXPECT_EQ(gain(NodeCriterion::kPrioritySum, worse, better), 9) << "without the shift";
  EXPECT_EQ(gain(NodeCriterion::kVictimCount, worse, better), 1);
  EXPECT_EQ(gain(NodeCriterion::kLatestStart, worse, better), 60);
  EXPECT_EQ(gain(NodeCriterion::kRequestedShare, worse, better), 250'000);
  EXPECT_EQ(gain(NodeCriterion::kBudgetsTouched, worse, better), 2);
  EXPECT_EQ(gain(NodeCriterion::kVictimCount, better, worse), -1);
  CandidateKey now = better;
  now.earliest_start_us.reset();
  now.requested_share = Share{1, 0};
  EXPECT_EQ(gain(NodeCriterion::kLatestStart, worse, now), std::nullopt);
  EXPECT_EQ(gain(NodeCriterion::kRequestedShare, worse, now), std::nullopt);
}

}  // namespace
}  // namespace reprieve::cli::comparison
