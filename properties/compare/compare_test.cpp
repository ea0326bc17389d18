#include "reprieve/properties/compare/compare.h"

#include <gtest/gtest.h>

namespace reprieve::compare {
namespace {

Pod running(std::string name, std::int32_t priority, TimeUs start_time_us) {
  Pod pod;
  pod.name = std::move(name);
  pod.node_name = "n1";
  pod.priority = priority;
  pod.start_time_us = start_time_us;
  return pod;
}

/// a and b are equally important, c less.
Case question() {
  Case result;
  result.cluster.pods = {running("a", 10, 1), running("b", 10, 1), running("c", 5, 1)};
  return result;
}

Decision decision() {
  return {.outcome = Outcome::kNominated,
          .nominated = {"n1", "n2"},
          .cleared = {"default/q", "default/r"},
          .decided_by = NodeCriterion::kPrioritySum,
          .nodes = {{.node = "n1",
                     .status = NodeStatus::kCandidate,
                     .victims = {"default/a", "default/b", "default/c"},
                     .violations = 1},
                    {.node = "n2", .status = NodeStatus::kCandidate, .victims = {"default/x"}},
                    {.node = "n3",
                     .status = NodeStatus::kUnschedulable,
                     .reasons = {"Insufficient cpu", "Insufficient memory"}}}};
}

std::vector<std::string> fields(const std::vector<Difference>& differences) {
  std::vector<std::string> result;
  for (const Difference& difference : differences) result.push_back(difference.field);
  return result;
}

/// The fields in which the decision differs from the edited one, each way round.
template <class Edit>
std::vector<std::string> after(Edit edit, const Options& options = {}) {
  Decision edited = decision();
  edit(edited);
  const auto there = fields(compare(question(), decision(), edited, options));
  EXPECT_EQ(there, fields(compare(question(), edited, decision(), options)));
  return there;
}

using Fields = std::vector<std::string>;

TEST(Compare, OfAnInvalidSelectorOnlyThatItIsOneIsCompared) {
  Decision one = decision(), other = decision();
  one.nodes[2].reasons = {"parsing pod: requiredAffinityTerms: key: Invalid value"};
  other.nodes[2].reasons = {"parsing pod: invalid label selector"};
  EXPECT_EQ(fields(compare(question(), one, other)), Fields{});
  other.nodes[2].reasons = {"parsing node: invalid label selector"};
  EXPECT_EQ(fields(compare(question(), one, other)), Fields{"nodes.n3.reasons"});
}

TEST(Compare, AcceptsWhatKubernetesLeavesArbitrary) {
  EXPECT_EQ(after([](Decision&) {}), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.nominated = {"n2", "n1"}; }), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.cleared = {"default/r", "default/q"}; }), Fields{});
  EXPECT_EQ(after([](Decision& d) { std::swap(d.nodes[0], d.nodes[2]); }), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.nodes[2].reasons = {"Insufficient memory", "Insufficient cpu"}; }),
            Fields{});
  EXPECT_EQ(after([](Decision& d) { d.nodes[0].victims = {"default/b", "default/a", "default/c"}; }),
            Fields{});
}

TEST(Compare, SeesVictimsOutOfTheOrderOfImportance) {
  EXPECT_EQ(after([](Decision& d) { d.nodes[0].victims = {"default/a", "default/c", "default/b"}; }),
            Fields{"nodes.n1.victims"});
}

TEST(Compare, SeesEachFieldThatDiffers) {
  EXPECT_EQ(after([](Decision& d) { d.nominated = {"n1"}; }), Fields{"nominated"});
  EXPECT_EQ(after([](Decision& d) { d.cleared = {"default/q"}; }), Fields{"cleared"});
  EXPECT_EQ(after([](Decision& d) { d.decided_by.reset(); }), Fields{"decidedBy"});
  EXPECT_EQ(after([](Decision& d) { d.nodes[0].violations = 0; }), Fields{"nodes.n1.violations"});
  EXPECT_EQ(after([](Decision& d) { d.nodes[0].victims.pop_back(); }), Fields{"nodes.n1.victims"});
  EXPECT_EQ(after([](Decision& d) { d.nodes[2].reasons.pop_back(); }), Fields{"nodes.n3.reasons"});
  EXPECT_EQ(after([](Decision& d) { d.nodes[2].status = NodeStatus::kUnresolvable; }),
            Fields{"nodes.n3.status"});
  EXPECT_EQ(after([](Decision& d) { d.nodes.pop_back(); }), Fields{"nodes.n3"});
}

TEST(Compare, LooksOnlyAtWhatTheOptionsAskFor) {
  EXPECT_EQ(after([](Decision& d) { d.nodes.pop_back(); }, {.common_nodes_only = true}), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.cleared.clear(); }, {.cleared = false}), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.decided_by.reset(); }, {.decided_by = false}), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.nodes[2].reasons.clear(); }, {.reasons = false}), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.nodes[1].tried = true; }), Fields{});
  EXPECT_EQ(after([](Decision& d) { d.nodes[1].tried = true; }, {.story = true}), Fields{"nodes.n2.tried"});
}

TEST(Compare, TakesAnyNodeOfTheTieWhenTheOtherSideNamesOne) {
  Decision one = decision();
  one.nominated = {"n2"};
  EXPECT_TRUE(compare(question(), decision(), one, {.chosen_only = true}).empty());
  one.nominated = {"n3"};
  EXPECT_EQ(fields(compare(question(), decision(), one, {.chosen_only = true})), Fields{"nominated"});
  one.nominated = {};
  EXPECT_EQ(fields(compare(question(), decision(), one, {.chosen_only = true})), Fields{"nominated"});
}

TEST(Compare, TellsTheReasonsOfIneligiblePodsApartAndNotThoseOfErrors) {
  const Decision never{.outcome = Outcome::kIneligible,
                       .reason = "not eligible due to preemptionPolicy=Never."};
  const Decision terminating{.outcome = Outcome::kIneligible, .reason = "another"};
  EXPECT_EQ(fields(compare({}, never, terminating)), Fields{"reason"});
  const Decision error{.outcome = Outcome::kError, .reason = "one"};
  const Decision other_error{.outcome = Outcome::kError, .reason = "another"};
  EXPECT_TRUE(compare({}, error, other_error).empty());
  EXPECT_EQ(fields(compare({}, never, error)), Fields{"outcome"});
}

TEST(Compare, AsksWhyThereIsNoCandidateWhenBudgetsAreGuaranteed) {
  Decision refused{.outcome = Outcome::kNoCandidate,
                   .reason = "no candidate without violating a PodDisruptionBudget"};
  const Decision hopeless{.outcome = Outcome::kNoCandidate};
  Case guaranteed;
  guaranteed.policy.budgets.guaranteed = true;
  EXPECT_EQ(fields(compare(guaranteed, refused, hopeless)), Fields{"reason"});
  EXPECT_TRUE(compare({}, refused, hopeless).empty());
}

TEST(Compare, SeesTheLevelsThatKubernetesDoesNotKnowWhereBothTellThem) {
  Decision left = decision();
  left.nodes[0].key = CandidateKey{.requested_share = Share{3, 4}, .budgets_touched = 2};
  Decision right = left;
  right.nodes[0].key->requested_share = Share{1, 0};
  right.nodes[0].key->budgets_touched = 1;
  EXPECT_EQ(fields(compare(question(), left, right)),
            (Fields{"nodes.n1.levels.requestedShare", "nodes.n1.levels.budgetsTouched"}));
  EXPECT_EQ(fields(compare(question(), left, right, {.story = true})), Fields{"nodes.n1.key"});
  EXPECT_EQ(compare(question(), left, right, {.story = true})[0].left,
            "(0, 0, 0, 0, now, share 3/4, 2 budgets)");
  right.nodes[0].key.reset();
  EXPECT_TRUE(compare(question(), left, right).empty());
}

TEST(Compare, TheKindOfADifferenceIsTheSameOnEveryNodeAndAtEveryPlace) {
  EXPECT_EQ(kind_of({.field = "nodes.n1.victims"}), "nodes.*.victims");
  EXPECT_EQ(kind_of({.field = "nodes.n2.potentialVictims[11]"}), "nodes.*.potentialVictims");
  EXPECT_EQ(kind_of({.field = "nominated"}), "nominated");
}

TEST(Compare, TellsProvedDecisionsFromBoundedOnes) {
  Decision left = decision();
  left.bounded = {{.level = NodeCriterion::kPrioritySum, .found = 3, .at_least = 2}};
  EXPECT_EQ(fields(compare(question(), left, decision())), Fields{"bounded"});
  EXPECT_EQ(compare(question(), left, decision())[0].left, "bounded: prioritySum 3 of 2");
  Decision right = left;
  right.bounded[0].at_least = 1;
  EXPECT_TRUE(compare(question(), left, right).empty());
}

TEST(Compare, TakesAnAbsentTerminationGracePeriodForThirtySeconds) {
  Case q = question();
  q.policy.importance = {ImportanceCriterion::kTerminationGracePeriod};
  q.cluster.pods[1].termination_grace_period_s = 30;
  q.cluster.pods[2].termination_grace_period_s = 31;
  Decision swapped = decision();
  swapped.nodes[0].victims = {"default/b", "default/a", "default/c"};
  EXPECT_TRUE(compare(q, decision(), swapped).empty());
  swapped.nodes[0].victims = {"default/c", "default/a", "default/b"};
  EXPECT_EQ(fields(compare(q, decision(), swapped)), Fields{"nodes.n1.victims"});
}

TEST(Compare, SeesADifferentStoryOfTheSameDecision) {
  Decision left = decision();
  left.nodes[0].potential_victims = {{.pod = "default/a", .priority = 10, .evicted = true}};
  left.nodes[0].key = CandidateKey{.violations = 1, .victim_count = 3};
  Decision right = left;
  right.nodes[0].potential_victims[0].violating = true;
  right.nodes[0].key->victim_count = 2;
  EXPECT_EQ(fields(compare(question(), left, right, {.story = true})),
            (Fields{"nodes.n1.key", "nodes.n1.potentialVictims[0]"}));
}

TEST(Compare, HoldsADecisionAgainstAnExpectationAsFarAsItGoes) {
  EXPECT_TRUE(compare(question(), manifest::Expectation{}, decision()).empty());
  manifest::Expectation expected{
      .outcome = Outcome::kNominated,
      .nominated = std::vector<std::string>{"n2", "n1"},
      .decided_by = NodeCriterion::kPrioritySum,
      .cleared = std::vector<std::string>{"default/r", "default/q"},
      .candidates = {{"n1", {.victims = {"default/b", "default/a", "default/c"}, .violations = 1}}},
      .nodes = {{"n3", NodeStatus::kUnschedulable}},
      .reasons = {{"n3", {"Insufficient memory", "Insufficient cpu"}}}};
  EXPECT_TRUE(compare(question(), expected, decision()).empty());

  expected.outcome = Outcome::kFits;
  expected.nominated = std::vector<std::string>{"n1"};
  expected.decided_by = NodeCriterion::kVictimCount;
  expected.cleared = std::vector<std::string>{};
  expected.candidates.at("n1").violations = 0;
  expected.candidates.emplace("n9", manifest::Expectation::Candidate{});
  expected.nodes.at("n3") = NodeStatus::kUnresolvable;
  expected.reasons.at("n3") = {"Insufficient cpu"};
  EXPECT_EQ(fields(compare(question(), expected, decision())),
            (Fields{"outcome", "nominated", "cleared", "decidedBy", "nodes.n1.violations", "nodes.n9",
                    "nodes.n3.status", "nodes.n3.reasons"}));
}

TEST(Compare, PrintsBothSidesOfEachDifference) {
  const std::vector<Difference> differences = {{"nodes.n1.victims", "[default/a]", "[default/b]"}};
  EXPECT_EQ(to_string(differences, "engine", "reference"),
            "nodes.n1.victims\n  engine     [default/a]\n  reference  [default/b]\n");
}

TEST(Compare, ClearedNominationsOfAnotherChosenNodeAreNoDifference) {
  Decision other = decision();
  other.nominated = {"n2", "n1"};  // the same tie, but another node of it was taken
  other.cleared = {};
  EXPECT_TRUE(compare(question(), decision(), other).empty());
  other.nominated = {"n1", "n2"};
  EXPECT_EQ(fields(compare(question(), decision(), other)), std::vector<std::string>{"cleared"});
}

}  // namespace
}  // namespace reprieve::compare
