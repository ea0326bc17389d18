#include "reprieve/reference/importance.h"

#include <gtest/gtest.h>

#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using testing::kMinute;
using testing::kNoon;
using testing::Names;
using testing::running;

Names sorted(const std::vector<Pod>& pods, const Policy& policy) {
  std::vector<Listed> listed;
  for (std::size_t i = 0; i < pods.size(); ++i) listed.push_back({&pods[i], i});
  const Node on_node = testing::node("n");
  sort_by_importance(policy, NodeInfo(on_node), listed);
  Names names;
  for (const Listed& pod : listed) names.push_back(pod.pod->name);
  return names;
}

Pod started(const std::string& name, std::int32_t priority, std::optional<TimeUs> at) {
  Pod pod = running(name, "n", 1, priority);
  pod.start_time_us = at;
  return pod;
}

TEST(Importance, IsPriorityThenTheEarlierStart) {
  const std::vector<Pod> pods = {started("late", 5, kNoon + kMinute), started("low", 1, kNoon - kMinute),
                                 started("early", 5, kNoon)};
  EXPECT_EQ(sorted(pods, kubernetes_policy(Release::k1_37)), (Names{"early", "late", "low"}));
}

TEST(Importance, LeavesEqualsInTheOrderOfTheList) {
  const std::vector<Pod> pods = {started("a", 5, kNoon), started("b", 5, kNoon), started("c", 5, kNoon)};
  EXPECT_EQ(sorted(pods, kubernetes_policy(Release::k1_36)), (Names{"a", "b", "c"}));
}

TEST(Importance, TakesAMissingStartForNow) {
  const std::vector<Pod> pods = {started("unstarted", 5, std::nullopt), started("started", 5, kNoon)};
  EXPECT_EQ(sorted(pods, kubernetes_policy(Release::k1_36)), (Names{"started", "unstarted"}));
  EXPECT_EQ(sorted(pods, kubernetes_policy(Release::k1_37)), (Names{"started", "unstarted"}));
}

TEST(Importance, OfPodsWithoutAStartPrefersTheLaterListedIn136AndTheEarlierIn137) {
  const std::vector<Pod> pods = {started("a", 5, std::nullopt), started("b", 5, std::nullopt),
                                 started("c", 5, std::nullopt)};
  EXPECT_EQ(sorted(pods, kubernetes_policy(Release::k1_36)), (Names{"c", "b", "a"}));
  EXPECT_EQ(sorted(pods, kubernetes_policy(Release::k1_37)), (Names{"a", "b", "c"}));
}

TEST(Importance, FollowsThePolicysCriteria) {
  Policy policy = kubernetes_policy(Release::k1_37);
  policy.importance = {ImportanceCriterion::kStartTime};
  const std::vector<Pod> pods = {started("high", 9, kNoon), started("early", 1, kNoon - kMinute)};
  EXPECT_EQ(sorted(pods, policy), (Names{"early", "high"}));
}

}  // namespace
}  // namespace reprieve::reference
