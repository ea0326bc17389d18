// The search against every set of small problems.
#include "reprieve/engine/exact/branch.h"

#include <gtest/gtest.h>

#include <optional>

#include "reprieve/engine/exact/test_problem.h"

namespace reprieve::engine::exact {
namespace {

using testing::is_in, testing::random_problem, testing::Totals, testing::totals;

bool is_within(const Problem& problem, const Totals& total, const Limits& limits) {
  for (std::size_t r = 0; r < problem.rows; ++r) {
    if (total.freed[r] < problem.need[r]) return false;
  }
  return total.count <= limits.count && total.violations <= limits.violations && total.sum <= limits.sum &&
         total.first >= limits.first;
}

// Counting up spares the most important pods first.
std::optional<std::uint32_t> first_of_all_sets(const Problem& problem, const Limits& limits) {
  for (std::uint32_t set = 1; set < 1U << problem.size; ++set) {
    if (is_within(problem, totals(problem, set), limits)) return set;
  }
  return std::nullopt;
}

std::uint32_t as_set(std::span<const std::uint8_t> evicted) {
  std::uint32_t set = 0;
  for (const std::uint8_t one : evicted) set = set * 2 + one;
  return set;
}

Limits random_limits(std::mt19937& random, const Problem& problem) {
  Limits limits;
  if (random() % 2 == 0) limits.violations = random() % 3;
  if (random() % 2 == 0) limits.count = 1 + random() % problem.size;
  if (random() % 3 == 0) limits.first = random() % 4;
  if (random() % 3 == 0) {
    limits.sum = static_cast<std::int64_t>(1 + random() % problem.size) * (kPriorityShift + 2);
  }
  return limits;
}

void expect_first(std::uint32_t seed, bool overlapping, Charging charging) {
  std::mt19937 random(seed);
  int found = 0;
  for (int round = 0; round < 600; ++round) {
    const Problem problem =
        random_problem(random, {.rows = 1 + round % 3U, .overlapping = overlapping, .charging = charging});
    Branch branch;
    branch.begin(problem, nullptr, true);
    for (int question = 0; question < 3; ++question) {  // one problem is asked many times
      const Limits limits = random_limits(random, problem);
      Effort effort{1'000'000};
      const Found answer = branch.first(limits, effort);
      const auto expected = first_of_all_sets(problem, limits);
      ASSERT_EQ(answer, expected ? Found::kYes : Found::kNo) << "round " << round;
      if (!expected) continue;
      ++found;
      ASSERT_EQ(as_set(branch.evicted()), *expected) << "round " << round;
    }
  }
  EXPECT_GT(found, 200);
}

// Also what catches a replacement that is none: one that frees less of some row, is of higher priority,
// or violates a budget that the other did not.
TEST(Branch, FindsTheFirstSetWithinTheLimits) { expect_first(1, false, Charging::kEveryBudget); }
TEST(Branch, FindsItWhereBudgetsOverlap) { expect_first(2, true, Charging::kEveryBudget); }
TEST(Branch, FindsItWhereChargingStopsAtTheFirstViolation) {
  expect_first(3, true, Charging::kUntilViolated);
}

// Pod 2 is charged to three budgets that allow one each, unless the first is used up: with pod 0 gone it
// is the one violation, with pod 1 gone instead, which has no budget, pods 3 and 4 are two.
TEST(Branch, APodWithoutABudgetMayViolateMoreThanOneThatUsesABudgetUp) {
  Problem problem;
  problem.size = 5;
  problem.rows = 1;
  problem.need = {7};
  problem.weight = {1, 1, 2, 2, 2};
  problem.priority.assign(5, 0);
  problem.start_us = {1, 2, 3, 4, 5};
  problem.charging = Charging::kUntilViolated;
  problem.allowed = {1, 1, 1};
  problem.budgets = {{0, false}, {0, false}, {1, false}, {2, false}, {1, false}, {2, false}};
  problem.budgets_at = {0, 1, 1, 4, 5, 6};
  problem.assigned = {0, Problem::kNoBudget, 0, 1, 2};
  problem.overlapping = true;
  Branch branch;
  branch.begin(problem, nullptr, true);
  Effort effort{1'000};
  ASSERT_EQ(branch.first({.violations = 1}, effort), Found::kYes);
  EXPECT_EQ(as_set(branch.evicted()), 0b10111U);
}

TEST(Branch, FindsTheLeastSumWithinTheLimits) {
  std::mt19937 random(4);
  for (int round = 0; round < 600; ++round) {
    Problem problem = random_problem(random, {});
    if (round % 2 == 0) {  // a huge priority makes three small ones the better choice
      for (std::size_t i = 0; i < 2; ++i) problem.priority[i] += 2'000'000'000;
    }
    Branch branch;
    branch.begin(problem, nullptr, true);
    const Limits limits = random_limits(random, problem);
    Effort effort{1'000'000};
    const Found answer = branch.least_sum(limits, 0, effort);
    std::optional<std::int64_t> least;
    for (std::uint32_t set = 1; set < 1U << problem.size; ++set) {
      const Totals total = totals(problem, set);
      if (is_within(problem, total, limits)) least = std::min(least.value_or(total.sum), total.sum);
    }
    ASSERT_EQ(answer, least ? Found::kYes : Found::kNo) << "round " << round;
    if (!least) continue;
    ASSERT_EQ(totals(problem, as_set(branch.evicted())).sum, *least) << "round " << round;
  }
}

TEST(Branch, StopsWhenTheEffortIsSpentAndCanBeAskedAgain) {
  std::mt19937 random(5);
  Problem problem = random_problem(random, {.budgets = 0});
  problem.need.assign(2, 8);
  problem.weight.assign(2 * problem.size, 2);
  Branch branch;
  branch.begin(problem, nullptr, false);
  Effort little{2};
  EXPECT_EQ(branch.first({}, little), Found::kStopped);
  Effort enough{100};
  EXPECT_EQ(branch.first({}, enough), Found::kYes);
  EXPECT_EQ(as_set(branch.evicted()), 0b0001111U);
}

}  // namespace
}  // namespace reprieve::engine::exact
