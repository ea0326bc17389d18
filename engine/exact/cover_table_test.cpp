// Every bound is held against every set of small problems: it is never less than what a set frees, and
// where it claims to be exact it is never more than the best does.
#include "reprieve/engine/exact/cover_table.h"

#include <gtest/gtest.h>

#include "reprieve/engine/exact/test_problem.h"

namespace reprieve::engine::exact {
namespace {

using testing::ProblemSettings, testing::random_problem, testing::totals;

std::int64_t most_of_all_sets(const Problem& problem, std::size_t place, std::int64_t count,
                              std::int64_t violations) {
  std::int64_t most = 0;
  for (std::uint32_t set = 0; set < 1U << (problem.size - place); ++set) {
    const testing::Totals total = totals(problem, set);
    if (total.count <= count && total.violations <= violations) most = std::max(most, total.freed[0]);
  }
  return most;
}

// What each wrong table would get wrong: one that takes as many of a budget as it allows but not the
// largest; that counts a violation for the largest; that forgets the limit on the count.
TEST(CoverTable, OfOneRowWithoutOverlapIsTheMostThatASetCanFree) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const Problem problem = random_problem(random, {.rows = 1});
    const std::vector<std::uint8_t> allowed(problem.size, 1);
    CoverTable table;
    table.build(problem, problem.weights_of(0), allowed, 4, 3);
    for (std::size_t place = 0; place <= problem.size; ++place) {
      for (std::int64_t count = 0; count <= 4; ++count) {
        for (std::int64_t violations = 0; violations <= 3; ++violations) {
          ASSERT_EQ(table.most(place, count, violations), most_of_all_sets(problem, place, count, violations))
              << "round " << round << " from " << place << " count " << count << " violations " << violations;
        }
      }
    }
    CoverTable unlimited;
    unlimited.build(problem, problem.weights_of(0), allowed, kUnlimited, kUnlimited);
    EXPECT_EQ(unlimited.most(1, kUnlimited, kUnlimited),
              most_of_all_sets(problem, 1, kUnlimited, kUnlimited));
    unlimited.build(problem, problem.weights_of(0), allowed, kUnlimited, 2);
    EXPECT_EQ(unlimited.most(1, kUnlimited, 2), most_of_all_sets(problem, 1, kUnlimited, 2));
  }
}

// A pod under several budgets is counted for one of them; the bound may be too high, never too low,
// whichever way the budgets are charged.
TEST(CoverTable, WithOverlappingBudgetsIsNeverLessThanASetFrees) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const Problem problem = random_problem(
        random, {.rows = 1,
                 .overlapping = true,
                 .charging = round % 2 == 0 ? Charging::kEveryBudget : Charging::kUntilViolated});
    CoverTable table;
    table.build(problem, problem.weights_of(0), std::vector<std::uint8_t>(problem.size, 1), 5, 3);
    for (std::size_t place = 0; place <= problem.size; ++place) {
      for (std::int64_t violations = 0; violations <= 3; ++violations) {
        ASSERT_GE(table.most(place, 5, violations), most_of_all_sets(problem, place, 5, violations));
      }
    }
  }
}

TEST(CoverTable, LeavesOutPodsThatMayNotGoAndThoseThatFreeLessThanNothing) {
  std::mt19937 random(3);
  Problem problem = random_problem(random, {.size = 3, .rows = 1, .budgets = 0});
  problem.weight = {5, -7, 2};
  CoverTable table;
  table.build(problem, problem.weights_of(0), std::vector<std::uint8_t>{1, 1, 1}, 3, 3);
  EXPECT_EQ(table.most(0, 3, 3), 7);
  table.build(problem, problem.weights_of(0), std::vector<std::uint8_t>{0, 1, 1}, 3, 3);
  EXPECT_EQ(table.most(0, 3, 3), 2);
}

}  // namespace
}  // namespace reprieve::engine::exact
