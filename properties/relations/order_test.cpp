#include "reprieve/properties/relations/order.h"

#include "reprieve/properties/relations/testing.h"

namespace reprieve::relations {
namespace {

using generators::Random;
using testing::expect_valid;
using testing::for_each_case;

std::size_t place_of(const Case& question, const std::string& pod) {
  const auto& pods = question.cluster.pods;
  return static_cast<std::size_t>(std::ranges::find(pods, pod, full_name) - pods.begin());
}

TEST(Reordered, NodesAreTheSameOnesAndNothingElseChanges) {
  int moved = 0;
  for_each_case([&](const Case& question, Random& random) {
    Case other = with_nodes_reordered(question, random);
    expect_valid(other);
    EXPECT_TRUE(testing::is_permutation(other.cluster.nodes, question.cluster.nodes));
    moved += other.cluster.nodes != question.cluster.nodes ? 1 : 0;
    other.cluster.nodes = question.cluster.nodes;
    EXPECT_EQ(other, question);
  });
  EXPECT_GT(moved, 150);
}

TEST(Reordered, PodsAreTheSameOnesAndEqualsKeepTheirOrder) {
  int moved = 0;
  int equals = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_pods_reordered(question, random);
    expect_valid(other);
    ASSERT_TRUE(testing::is_permutation(other.cluster.pods, question.cluster.pods));
    moved += other.cluster.pods != question.cluster.pods ? 1 : 0;
    const auto& pods = question.cluster.pods;
    for (std::size_t i = 0; i < pods.size(); ++i) {
      for (std::size_t k = i + 1; k < pods.size(); ++k) {
        if (pods[i].node_name.empty() || pods[i].node_name != pods[k].node_name) continue;
        if (pods[i].priority != pods[k].priority || pods[i].start_time_us != pods[k].start_time_us) continue;
        ++equals;
        EXPECT_LT(place_of(other, full_name(pods[i])), place_of(other, full_name(pods[k])));
      }
    }
  });
  EXPECT_GT(moved, 350);
  EXPECT_GT(equals, 150);
}

TEST(Reordered, PodsThatDifferOnlyInWhatThePolicyDoesNotAskKeepTheirOrder) {
  Case question = generators::generate(1, {});
  Pod pod;
  pod.node_name = "n1";
  question.cluster.pods.clear();
  for (const int minute : {3, 1, 2}) {
    pod.name = std::to_string(minute);
    pod.start_time_us = minute;
    question.cluster.pods.push_back(pod);
  }
  question.policy.importance = {ImportanceCriterion::kPriority};
  Random random(1);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(with_pods_reordered(question, random), question);
}

TEST(Reordered, PodsWithoutAStartTimeKeepTheirOrderWhateverIsAskedAfterIt) {
  Case question = generators::generate(1, {});
  Pod pod;
  pod.node_name = "n1";
  question.cluster.pods.clear();
  for (const int seconds : {3, 1, 2}) {
    pod.name = std::to_string(seconds);
    pod.termination_grace_period_s = seconds;
    question.cluster.pods.push_back(pod);
  }
  const auto moves = [&](std::vector<ImportanceCriterion> importance) {
    question.policy.importance = std::move(importance);
    bool moved = false;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Random random(seed);
      moved = moved || with_pods_reordered(question, random).cluster.pods != question.cluster.pods;
    }
    return moved;
  };
  EXPECT_FALSE(moves({ImportanceCriterion::kStartTime, ImportanceCriterion::kTerminationGracePeriod}));
  EXPECT_TRUE(moves({ImportanceCriterion::kTerminationGracePeriod, ImportanceCriterion::kStartTime}));
}

TEST(Reordered, BudgetsThatShareAPodKeepTheirOrderOnlyWhenChargingStops) {
  int moved_over_a_common_pod = 0;
  int moved = 0;
  for_each_case(
      [&](const Case& question, Random& random) {
        const Case other = with_budgets_reordered(question, random);
        expect_valid(other);
        ASSERT_TRUE(testing::is_permutation(other.cluster.budgets, question.cluster.budgets));
        const auto& before = question.cluster.budgets;
        const auto& after = other.cluster.budgets;
        for (std::size_t i = 0; i < before.size(); ++i) {
          for (std::size_t k = i + 1; k < before.size(); ++k) {
            if (std::ranges::find(after, before[i]) < std::ranges::find(after, before[k])) continue;
            ++moved;
            if (!may_overlap(before[i], before[k], question.cluster)) continue;
            ++moved_over_a_common_pod;
            EXPECT_EQ(question.policy.charging, Charging::kEveryBudget);
          }
        }
      },
      1500);
  EXPECT_GT(moved, 250);
  EXPECT_GT(moved_over_a_common_pod, 10);
}

TEST(Reordered, ListsHoldTheSameElements) {
  int moved = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_lists_reordered(question, random);
    expect_valid(other);
    moved += other != question ? 1 : 0;
    ASSERT_EQ(other.cluster.pods.size(), question.cluster.pods.size());
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const Pod& a = question.cluster.pods[i];
      const Pod& b = other.cluster.pods[i];
      EXPECT_EQ(full_name(a), full_name(b));
      EXPECT_EQ(a.containers.size(), b.containers.size());
      EXPECT_TRUE(testing::is_permutation(a.tolerations, b.tolerations));
      EXPECT_EQ(a.init_containers, b.init_containers);
      EXPECT_EQ(a.volumes, b.volumes);
      EXPECT_EQ(a.conditions, b.conditions);
    }
  });
  EXPECT_GT(moved, 200);
}

TEST(MayCharge, SaysNoForWhatTheSchedulerPassesOver) {
  Pod pod{.namespace_ = "default", .name = "p", .labels = {{"app", "a"}}};
  DisruptionBudget budget{.name = "b", .selector = LabelSelector{.match_labels = {{"app", "a"}}}};
  EXPECT_TRUE(may_charge(budget, pod));
  EXPECT_FALSE(may_charge(budget, {.namespace_ = "other", .name = "p", .labels = {{"app", "a"}}}));
  EXPECT_FALSE(may_charge(budget, {.namespace_ = "default", .name = "p", .labels = {}}));
  EXPECT_FALSE(may_charge(budget, {.namespace_ = "default", .name = "p", .labels = {{"app", "b"}}}));
  budget.disrupted_pods = {"p"};
  EXPECT_FALSE(may_charge(budget, pod));
  budget = {.name = "b", .selector = LabelSelector{}};
  EXPECT_FALSE(may_charge(budget, pod));
  budget.selector.reset();
  EXPECT_FALSE(may_charge(budget, pod));
}

}  // namespace
}  // namespace reprieve::relations
