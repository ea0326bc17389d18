#include "reprieve/properties/reach/reach.h"

#include <gtest/gtest.h>

#include "reprieve/properties/generators/generate.h"

namespace reprieve::reach {
namespace {

Decision nomination() {
  return {.outcome = Outcome::kNominated,
          .nominated = {"n1", "n2"},
          .cleared = {"default/q"},
          .decided_by = NodeCriterion::kLatestStart,
          .nodes = {{.node = "n1",
                     .status = NodeStatus::kCandidate,
                     .victims = {"default/p1", "default/p2", "default/p3", "default/p4", "default/p5"},
                     .violations = 2,
                     .filter_failure =
                         FilterFailure{.plugin = "NodeResourcesFit", .reasons = {"Insufficient cpu"}}},
                    {.node = "n2", .status = NodeStatus::kCandidate, .victims = {"default/p6"}},
                    {.node = "n3", .status = NodeStatus::kUnresolvable}}};
}

TEST(Reach, CountsWhatADecisionShows) {
  Case question;
  question.cluster.budgets.push_back({.name = "b1"});
  Reach reach;
  reach.add(question, nomination());
  reach.add(question, {.outcome = Outcome::kNoCandidate});
  EXPECT_EQ(reach.cases(), 2U);
  EXPECT_EQ(reach.outcomes(), (Counts{{"nominated", 1}, {"no-candidate", 1}}));
  EXPECT_EQ(reach.levels(), (Counts{{"latestStart", 1}}));
  EXPECT_EQ(reach.statuses(), (Counts{{"candidate", 2}, {"unresolvable", 1}}));
  EXPECT_EQ(reach.first_failures(), (Counts{{"NodeResourcesFit", 1}}));
  EXPECT_EQ(reach.traits(), (Counts{{"budgets over one pod 0", 1},
                                    {"cleared 1", 1},
                                    {"tie of 2", 1},
                                    {"victims 3+", 1},
                                    {"violations 2", 1}}));
  EXPECT_EQ(reach.with_feature(generators::Feature::kBudgets), 2U);
  EXPECT_EQ(reach.nominated_with_feature(generators::Feature::kBudgets), 1U);
}

TEST(Reach, TellsATotalTieFromASingleCandidate) {
  Reach reach;
  Decision decision = nomination();
  decision.decided_by.reset();
  reach.add({}, decision);
  decision.nominated = {"n1"};
  reach.add({}, decision);
  EXPECT_EQ(reach.levels(), (Counts{{"total tie", 1}, {"single candidate", 1}}));
}

TEST(Reach, OfTwoThreadsIsThatOfOne) {
  Reach one;
  Reach left;
  Reach right;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Case question = generators::generate(seed, {});
    const Decision decision = seed % 3 == 0 ? nomination() : Decision{.outcome = Outcome::kFits};
    one.add(question, decision);
    (seed % 2 == 0 ? left : right).add(question, decision);
  }
  left.merge(right);
  EXPECT_EQ(left.table(), one.table());
  EXPECT_NE(one.table().find("latestStart"), std::string::npos);
}

}  // namespace
}  // namespace reprieve::reach
