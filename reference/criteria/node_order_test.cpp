// Each criterion of nodeOrder: what it measures of a candidate, and its direction.
#include <gtest/gtest.h>

#include "reprieve/reference/ranking.h"
#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using testing::app;
using testing::budget;
using testing::kMinute;
using testing::kNoon;
using testing::running;

/// The key of evicting all pods, which are on one node of 4 CPUs, in this order.
CandidateKey key(std::vector<Pod> pods, std::vector<NodeCriterion> order = Policy{}.node_order,
                 std::vector<DisruptionBudget> budgets = {}) {
  Case question = testing::question({testing::node("n")}, std::move(pods));
  question.policy.node_order = std::move(order);
  question.cluster.budgets = std::move(budgets);
  const Situation situation(question, testing::preemptor(question));
  return key_of(situation, {.node = 0, .victims = situation.nodes[0].pods, .violations = 0});
}

bool wins(const CandidateKey& a, const CandidateKey& b, NodeCriterion criterion) {
  EXPECT_FALSE(is_better(b, a, {criterion}));
  return is_better(a, b, {criterion});
}

TEST(NodeOrder, ShiftsEachPriorityInTheSum) {
  EXPECT_EQ(key({running("high", "n", 1, 7), running("low", "n", 1, -2147483647 - 1)}).priority_sum,
            (std::int64_t{1} << 31) + 7);
}

TEST(NodeOrder, ReadsTheFirstVictimAtLevelTwoButSearchesAtLevelFive) {
  // An extender may list a low victim first.
  Pod low = running("low", "n", 1, 1);
  low.start_time_us = kNoon - kMinute;
  const Pod high = running("high", "n", 1, 9);
  Pod later = running("later", "n", 1, 9);
  later.start_time_us = kNoon + kMinute;
  const CandidateKey result = key({low, later, high});
  EXPECT_EQ(result.highest_priority, 1);
  EXPECT_EQ(result.earliest_start_us, kNoon);
}

TEST(NodeOrder, CountsAMissingStartAsNowOnlyWhenNoneIsKnown) {
  Pod unknown = running("unknown", "n", 1, 9);
  unknown.start_time_us.reset();
  const Pod known = running("known", "n", 1, 9);
  EXPECT_EQ(key({unknown, known}).earliest_start_us, kNoon);
  EXPECT_EQ(key({unknown}).earliest_start_us, std::nullopt);
}

TEST(NodeOrder, MeasuresTheOtherCriteriaOnlyWhenTheyAreNamed) {
  EXPECT_EQ(key({running("a", "n", 1)}).requested_share, std::nullopt);
  EXPECT_EQ(key({running("a", "n", 1)}).budgets_touched, std::nullopt);
}

TEST(NodeOrder, RequestedShareIsOfAllVictimsTogetherAndTheSmallerWins) {
  const std::vector<NodeCriterion> order = {NodeCriterion::kRequestedShare};
  Pod by_memory = running("by-memory", "n", 0);
  by_memory.containers[0].requests["memory"] = {.units = 1 << 29};
  const CandidateKey together = key({running("a", "n", 1), running("b", "n", 2), by_memory}, order);
  EXPECT_EQ(together.requested_share, (Share{3, 4}));  // not (1/4 + 1/2 + 1/2): CPU, then memory
  EXPECT_TRUE(wins(key({running("a", "n", 2)}, order), together, NodeCriterion::kRequestedShare));
}

TEST(NodeOrder, RequestedShareCountsAPodOnceThatIsListedTwice) {
  Case question = testing::question({testing::node("n")}, {running("a", "n", 1)});
  question.policy.node_order = {NodeCriterion::kRequestedShare};
  const Situation situation(question, testing::preemptor(question));
  const Pod* a = situation.nodes[0].pods.front();
  const CandidateKey twice = key_of(situation, {.node = 0, .victims = {a, a}, .violations = 0});
  EXPECT_EQ(twice.requested_share, (Share{1, 4}));
  EXPECT_EQ(twice.victim_count, 2);
}

TEST(NodeOrder, BudgetsTouchedCountsBudgetsNotPodsAndFewerWins) {
  const std::vector<NodeCriterion> order = {NodeCriterion::kBudgetsTouched};
  DisruptionBudget seen = budget("seen", app("a"), 5);
  seen.disrupted_pods = {"a"};
  DisruptionBudget elsewhere = budget("elsewhere", app("a"), 5);
  elsewhere.namespace_ = "other";
  const std::vector<DisruptionBudget> budgets = {budget("one", app("a"), 100), budget("other", app("b"), 0),
                                                 budget("none", app("c"), 0), seen, elsewhere};
  Pod twin = running("twin", "n", 1);
  twin.labels = {{"app", "a"}};
  const CandidateKey one = key({running("a", "n", 1), twin}, order, budgets);
  EXPECT_EQ(one.budgets_touched, 2);  // "one", and "seen" by the twin, which it does not list
  EXPECT_EQ(key({running("a", "n", 1)}, order, budgets).budgets_touched, 1);
  const CandidateKey two = key({running("b", "n", 1), running("a", "n", 1), twin}, order, budgets);
  EXPECT_TRUE(wins(one, two, NodeCriterion::kBudgetsTouched));
}

}  // namespace
}  // namespace reprieve::reference
