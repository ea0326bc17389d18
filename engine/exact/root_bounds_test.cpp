#include "reprieve/engine/exact/root_bounds.h"

#include <gtest/gtest.h>

#include "reprieve/engine/exact/test_problem.h"

namespace reprieve::engine::exact {
namespace {

using testing::random_problem, testing::Totals, testing::totals;

struct Least {
  std::int64_t violations = kUnlimited;
  std::int64_t count = kUnlimited;  // with at most one violation
};

Least of_all_sets(const Problem& problem) {
  Least least;
  for (std::uint32_t set = 0; set < 1U << problem.size; ++set) {
    const Totals total = totals(problem, set);
    bool room = true;
    for (std::size_t r = 0; r < problem.rows; ++r) room = room && total.freed[r] >= problem.need[r];
    if (!room) continue;
    least.violations = std::min(least.violations, total.violations);
    if (total.violations <= 1) least.count = std::min(least.count, total.count);
  }
  return least;
}

TEST(RootBounds, OfOneRowWithoutOverlapAreReached) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const Problem problem = random_problem(random, {.rows = 1});
    RootBounds bounds;
    bounds.read(problem, std::vector<std::uint8_t>(problem.size, 1));
    const Least least = of_all_sets(problem);
    ASSERT_EQ(bounds.least_violations(), least.violations) << round;
    ASSERT_EQ(bounds.least_count(1), least.count) << round;
  }
}

TEST(RootBounds, AreNeverPassedFromBelow) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const Problem problem = random_problem(
        random, {.rows = 1 + round % 3U,
                 .overlapping = true,
                 .charging = round % 2 == 0 ? Charging::kEveryBudget : Charging::kUntilViolated});
    RootBounds bounds;
    bounds.read(problem, std::vector<std::uint8_t>(problem.size, 1));
    const Least least = of_all_sets(problem);
    ASSERT_LE(bounds.least_violations(), least.violations) << round;
    ASSERT_LE(bounds.least_count(1), least.count) << round;
  }
}

}  // namespace
}  // namespace reprieve::engine::exact
