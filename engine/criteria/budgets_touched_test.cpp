#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

using testing::budget, testing::node, testing::pod, testing::question, testing::running, testing::told;
using ::testing::ElementsAre;

Pod labelled(Pod pod, Labels labels) {
  pod.labels = std::move(labels);
  return pod;
}

// n1's two victims share a budget; n2's one victim is under two, which both allow it.
TEST(BudgetsTouched, CountsEachBudgetOnceAndWhateverItAllows) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.pods = {labelled(running("a", "n1", 0, 2), {{"app", "x"}}),
                  labelled(running("b", "n1", 0, 2), {{"app", "x"}}),
                  labelled(running("c", "n2", 0, 4), {{"app", "y"}}), pod("in", 10, 4)};
  cluster.budgets = {budget("x", 0, {{"app", "x"}}), budget("y", 5, {{"app", "y"}}),
                     budget("z", 5, {{"app", "y"}})};
  Case q = question(cluster);
  q.policy.node_order = {NodeCriterion::kBudgetsTouched};
  const Decision decision = decide(q, Depth::kFull);
  EXPECT_EQ(told(decision, "n1").key->budgets_touched, 1);
  EXPECT_EQ(told(decision, "n2").key->budgets_touched, 2);
  EXPECT_THAT(decision.nominated, ElementsAre("n1"));
  EXPECT_EQ(decision.decided_by, NodeCriterion::kBudgetsTouched);
}

TEST(BudgetsTouched, ABudgetThatListsThePodAsDisruptedDoesNotCountForIt) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {labelled(running("a", "n1", 0, 4), {{"app", "x"}}), pod("in", 10, 4)};
  cluster.budgets = {budget("x", 0, {{"app", "x"}}), budget("y", 0, {{"app", "x"}})};
  cluster.budgets[0].disrupted_pods = {"a"};
  Case q = question(cluster);
  q.policy.node_order = {NodeCriterion::kBudgetsTouched};
  EXPECT_EQ(told(decide(q, Depth::kFull), "n1").key->budgets_touched, 1);
}

TEST(BudgetsTouched, APodThatAnExtenderNamesTwiceCountsOnce) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4)};
  cluster.pods = {labelled(running("a", "n1", 0, 4), {{"app", "x"}}), pod("in", 10, 4)};
  cluster.budgets = {budget("x", 0, {{"app", "x"}})};
  Case q = question(cluster);
  q.policy.node_order = {NodeCriterion::kBudgetsTouched, NodeCriterion::kRequestedShare};
  Extender extender;
  extender.answer = ExtenderNodes{{"n1", {.victims = {"default/a", "default/a"}, .violations = 0}}};
  q.extenders = {extender};
  const Decision decision = decide(q, Depth::kFull);
  EXPECT_EQ(told(decision, "n1").key->budgets_touched, 1);
  EXPECT_EQ(told(decision, "n1").key->requested_share, (Share{1, 1}));
  EXPECT_EQ(told(decision, "n1").key->victim_count, 2);
}

}  // namespace
}  // namespace reprieve::engine
