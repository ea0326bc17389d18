// Each criterion of importance: its direction, what a missing value means, and that equals are equal.
#include "reprieve/reference/importance.h"

#include <gtest/gtest.h>

#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using testing::container;
using testing::running;

/// On a node of 4 CPUs and 2^30 bytes.
bool is_more_important(ImportanceCriterion criterion, const Pod& a, const Pod& b) {
  Policy policy = kubernetes_policy(Release::k1_37);
  policy.importance = {criterion};
  const Node node = testing::node("n");
  return more_important(policy, NodeInfo(node), {&a, 0}, {&b, 1});
}

void expect_order(ImportanceCriterion criterion, const Pod& more, const Pod& less) {
  EXPECT_TRUE(is_more_important(criterion, more, less));
  EXPECT_FALSE(is_more_important(criterion, less, more));
}

void expect_equal(ImportanceCriterion criterion, const Pod& a, const Pod& b) {
  EXPECT_FALSE(is_more_important(criterion, a, b));
  EXPECT_FALSE(is_more_important(criterion, b, a));
}

TEST(ImportanceCriteria, RequestedShareSparesTheLargerPod) {
  Pod by_cpu = running("by-cpu", "n", 2);
  Pod by_memory = running("by-memory", "n", 1);
  by_memory.containers[0].requests["memory"] = {.units = 3 << 28};
  expect_order(ImportanceCriterion::kRequestedShare, by_memory, by_cpu);
  by_memory.containers[0].requests["memory"] = {.units = 1 << 29};
  expect_equal(ImportanceCriterion::kRequestedShare, by_memory, by_cpu);
}

TEST(ImportanceCriteria, RequestedShareCountsWhatThePodHolds) {
  // Resized down in its spec, not yet on the node.
  const Pod plain = running("plain", "n", 2);
  Pod resized = running("resized", "n", 1);
  expect_order(ImportanceCriterion::kRequestedShare, plain, resized);
  resized.container_statuses = {
      {.name = "c", .has_resources = true, .requests = ResourceList{{"cpu", {.units = 3}}}}};
  expect_order(ImportanceCriterion::kRequestedShare, resized, plain);
}

TEST(ImportanceCriteria, TerminationGracePeriodSparesThePodThatTakesLonger) {
  Pod slow = running("slow", "n", 1);
  slow.termination_grace_period_s = 31;
  const Pod unsaid = running("unsaid", "n", 1);
  Pod quick = running("quick", "n", 1);
  quick.termination_grace_period_s = 0;
  expect_order(ImportanceCriterion::kTerminationGracePeriod, slow, unsaid);
  expect_order(ImportanceCriterion::kTerminationGracePeriod, unsaid, quick);
  slow.termination_grace_period_s = 30;
  expect_equal(ImportanceCriterion::kTerminationGracePeriod, slow, unsaid);
}

TEST(ImportanceCriteria, PriorityAndStartTimeCountOnlyWhereTheyAreNamed) {
  Pod high = running("high", "n", 1, 9);
  Pod early = running("early", "n", 1, 1);
  early.start_time_us = testing::kNoon - testing::kMinute;
  expect_order(ImportanceCriterion::kPriority, high, early);
  expect_order(ImportanceCriterion::kStartTime, early, high);
  expect_equal(ImportanceCriterion::kRequestedShare, high, early);
}

}  // namespace
}  // namespace reprieve::reference
