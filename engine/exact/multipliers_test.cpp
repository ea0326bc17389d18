#include "reprieve/engine/exact/multipliers.h"

#include <gtest/gtest.h>

#include <limits>

#include "reprieve/engine/exact/test_problem.h"

namespace reprieve::engine::exact {
namespace {

using testing::is_in, testing::random_problem, testing::Totals, testing::totals;

bool makes_room(const Problem& problem, const Totals& total) {
  for (std::size_t r = 0; r < problem.rows; ++r) {
    if (total.freed[r] < problem.need[r]) return false;
  }
  return true;
}

// Catches a need that is rounded up or values that are rounded down, and a fine with the wrong sign.
TEST(Multipliers, EverySetThatMakesRoomMeetsTheSummedRow) {
  std::mt19937 random(1);
  int sets = 0;
  for (int round = 0; round < 300; ++round) {
    Problem problem = random_problem(random, {.rows = 1 + round % 3U});
    if (round % 4 == 0) {  // as bytes are
      for (std::int64_t& weight : problem.weight) weight = weight * 1'000'000'007 + random() % 1000;
      for (std::int64_t& need : problem.need) need *= 1'000'000'007;
    }
    std::vector<std::int64_t> costs;
    for (std::size_t i = 0; i < problem.size; ++i) costs.push_back(random() % 5);
    const std::int64_t most_cost = 1 + random() % 8;
    const std::vector<std::uint8_t> allowed(problem.size, 1);
    MultiplierLimits limits;
    limits.allowed = allowed;
    limits.count = 1 + static_cast<std::int64_t>(random() % 4);
    limits.violations = static_cast<std::int64_t>(random() % 3);
    if (round % 2 == 0) {
      limits.costs = costs;
      limits.most_cost = most_cost;
    }
    Multipliers multipliers;
    SummedRow row;
    ASSERT_TRUE(multipliers.find(problem, limits, row));
    for (std::uint32_t set = 1; set < 1U << problem.size; ++set) {
      if (!makes_room(problem, totals(problem, set))) continue;
      std::int64_t brings = 0;
      std::int64_t cost = 0;
      for (std::size_t i = 0; i < problem.size; ++i) {
        if (!is_in(problem, set, i)) continue;
        brings += row.values[i];
        cost += costs[i];
      }
      if (!limits.costs.empty() && cost > most_cost) continue;
      ++sets;
      ASSERT_GE(brings, row.need - row.fine * most_cost) << "round " << round;
    }
  }
  EXPECT_GT(sets, 1000);
}

// Two rows that no two pods can both meet: each row by itself can be met by two, their sum cannot.
TEST(Multipliers, SeeThatThePodsThatAreLargeInOneRowAreSmallInTheOther) {
  Problem problem;
  problem.size = 4;
  problem.rows = 2;
  problem.need = {20, 20};
  problem.weight = {10, 10, 1, 1, 1, 1, 10, 10};
  problem.priority.assign(4, 0);
  problem.start_us.assign(4, 0);
  problem.budgets_at.assign(5, 0);
  problem.assigned.assign(4, Problem::kNoBudget);
  const std::vector<std::uint8_t> allowed(4, 1);
  Multipliers multipliers;
  SummedRow row;
  ASSERT_TRUE(multipliers.find(problem, {allowed, 3, kUnlimited, {}, 0}, row));
  std::int64_t most = 0;
  for (const std::int64_t value : row.values) most = std::max(most, value);
  EXPECT_LT(3 * most, row.need);
}

TEST(Multipliers, OfTheLargestNumbersDoNotOverflow) {
  constexpr std::int64_t kMuch = std::numeric_limits<std::int64_t>::max() / 8;
  std::mt19937 random(2);
  Problem problem = random_problem(random, {.budgets = 0});
  for (std::int64_t& weight : problem.weight) weight = kMuch;
  problem.need = {kMuch, 1};
  const std::vector<std::uint8_t> allowed(problem.size, 1);
  Multipliers multipliers;
  SummedRow row;
  if (multipliers.find(problem, {allowed, 3, 3, {}, 0}, row)) {
    for (const std::int64_t value : row.values) EXPECT_GE(value, 0);
    EXPECT_LE(row.need, std::int64_t{1} << 61);
  }
}

}  // namespace
}  // namespace reprieve::engine::exact
