// Why the relations of some laws leave something as it is: were it changed as well, the decision would be
// another. Beside each stands what does hold.
#include <gtest/gtest.h>

#include "reprieve/properties/laws/testing.h"
#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

using testing::budget;
using testing::kMinute;
using testing::kNoon;
using testing::node;
using testing::question;
using testing::running;

/// Engine and reference agree in all of this.
Decision decide(const Case& asked) {
  subjects::EngineSubject engine;
  subjects::ReferenceSubject reference;
  Decision decision = engine.decide(asked);
  EXPECT_EQ(decision.nominated, reference.decide(asked).nominated);
  return decision;
}

std::vector<std::string> victims(const Case& asked) {
  const Decision decision = decide(asked);
  EXPECT_EQ(decision.outcome, Outcome::kNominated);
  return decision.nodes.front().victims;
}

TEST(PodOrder, DecidesBetweenEqualPods) {
  Case asked = question({node("n1", 2)}, {running("a", "n1", 1), running("b", "n1", 1)});
  EXPECT_EQ(victims(asked), std::vector<std::string>{"default/b"});
  std::swap(asked.cluster.pods[0], asked.cluster.pods[1]);
  EXPECT_EQ(victims(asked), std::vector<std::string>{"default/a"});
}

TEST(BudgetOrder, DecidesWhereChargingStopsAtTheFirstThatIsViolated) {
  // "both" is under an exhausted budget and under one that allows one disruption, which "one" needs too.
  Case asked = question({node("n1", 2)}, {running("both", "n1", 1), running("one", "n1", 1)});
  asked.cluster.pods[0].labels = {{"app", "both"}, {"tier", "x"}};
  asked.cluster.pods[1].labels = {{"tier", "x"}};
  asked.cluster.pods.back().containers[0].requests["cpu"] = {.units = 2};
  DisruptionBudget over_tier = budget("tier", "", 1);
  over_tier.selector->match_labels = {{"tier", "x"}};
  asked.cluster.budgets = {budget("exhausted", "both", 0), over_tier};
  EXPECT_EQ(decide(asked).nodes.front().violations, 1);
  std::swap(asked.cluster.budgets[0], asked.cluster.budgets[1]);
  EXPECT_EQ(decide(asked).nodes.front().violations, 2);
  asked.policy = kubernetes_policy(Release::k1_36);  // charges every budget
  EXPECT_EQ(decide(asked).nodes.front().violations, 2);
  std::swap(asked.cluster.budgets[0], asked.cluster.budgets[1]);
  EXPECT_EQ(decide(asked).nodes.front().violations, 2);
}

TEST(BystanderLabel, PutsAPodWithoutLabelsUnderABudget) {
  Case asked = question({node("n1", 1)}, {running("a", "n1", 1)});
  asked.cluster.pods[0].labels.clear();
  DisruptionBudget all_but_b = budget("b", "", 0);
  all_but_b.selector = LabelSelector{
      .match_labels = {}, .match_expressions = {{.key = "app", .op = SelectorOperator::kDoesNotExist}}};
  asked.cluster.budgets = {all_but_b};
  EXPECT_EQ(decide(asked).nodes.front().violations, 0);
  asked.cluster.pods[0].labels = {{"new", "label"}};
  EXPECT_EQ(decide(asked).nodes.front().violations, 1);
}

TEST(ResourcesScaled, HalfAByteOfEachPodIsAWholeOneUntilItIsDoubled) {
  Case asked = question({node("n1", 4)}, {running("a", "n1", 1), running("b", "n1", 1)});
  asked.cluster.nodes[0].allocatable["memory"] = {.units = 2};
  asked.cluster.pods[0].containers[0].requests["memory"] = {.units = 0, .milli = 500};
  asked.cluster.pods[1].containers[0].requests["memory"] = {.units = 0, .milli = 500};
  asked.cluster.pods[2].containers[0].requests["memory"] = {.units = 1};
  EXPECT_EQ(decide(asked).outcome, Outcome::kNominated);  // 1 + 1 + 1 > 2
  asked.cluster.nodes[0].allocatable["memory"] = {.units = 4};
  for (Pod& pod : asked.cluster.pods) {
    Quantity& memory = pod.containers[0].requests["memory"];
    memory = memory + memory;
  }
  EXPECT_EQ(decide(asked).outcome, Outcome::kFits);  // 1 + 1 + 2 <= 4
}

TEST(PrioritiesShifted, TurnLevelThreeAtTheLowestPriority) {
  // One pod of priority p against two of the least there is: 2^31 + p against 2 * (2^31 + least).
  constexpr std::int32_t kLeast = -2'147'483'648;
  const auto asked_with = [](std::int32_t low, std::int32_t shift) {
    Case asked = question({node("n1", 2), node("n2", 2)},
                          {running("one", "n1", 2, low + shift), running("two", "n2", 1, low + shift),
                           running("three", "n2", 1, low + shift)});
    asked.cluster.pods.back().containers[0].requests["cpu"] = {.units = 2};
    return asked;
  };
  // At the lowest priority both sums are 0 and level 4 decides; one above, level 3 does.
  EXPECT_EQ(decide(asked_with(kLeast, 0)).decided_by, NodeCriterion::kVictimCount);
  EXPECT_EQ(decide(asked_with(kLeast, 1)).decided_by, NodeCriterion::kPrioritySum);
}

TEST(OwnNomination, OfANodeThatIsNotNamedChangesTheReason) {
  Case asked = question({node("n1", 4), node("n2", 1)}, {running("a", "n2", 1)});
  asked.cluster.pods.back().affinity.required_node_affinity = NodeSelector{
      .terms = {{.match_expressions = {},
                 .match_fields = {{.key = "metadata.name", .op = SelectorOperator::kIn, .values = {"n2"}}}}}};
  const Decision before = decide(asked);
  asked.cluster.pods.back().nominated_node_name = "n1";
  const Decision after = decide(asked);
  EXPECT_EQ(before.nominated, after.nominated);
  EXPECT_NE(before.nodes[0].reasons, after.nodes[0].reasons);
}

TEST(StartTimes, ShiftedPastTheClockWouldBeLaterThanAMissingOne) {
  // Earlier is more important; a missing start is now. So of these two the first is evicted ...
  Case asked = question({node("n1", 2)}, {running("a", "n1", 1), running("b", "n1", 1)});
  asked.cluster.pods[0].start_time_us.reset();
  EXPECT_EQ(victims(asked), std::vector<std::string>{"default/a"});
  // ... as it is with any start in the past.
  asked.cluster.pods[1].start_time_us = kNoon - 1000 * kMinute;
  EXPECT_EQ(victims(asked), std::vector<std::string>{"default/a"});
}

}  // namespace
}  // namespace reprieve::laws
