#include "reprieve/engine/exact/cover_proof.h"

#include <gtest/gtest.h>

#include <random>

namespace reprieve::engine::exact {
namespace {

struct Draw {
  std::mt19937& random;
  int below(int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); }
  double limit(int bound) { return below(3) == 0 ? kInfinite<double> : below(bound); }
};

Evictable random_pods(Draw draw) {
  Evictable pods;
  pods.size = 1 + static_cast<std::size_t>(draw.below(8));
  pods.stride = pods.size + 1;
  pods.rows = 1 + static_cast<std::size_t>(draw.below(3));
  pods.weight.resize(pods.rows * pods.stride);
  for (std::size_t r = 0; r < pods.rows; ++r) {
    double all = 0;
    for (std::size_t i = 0; i < pods.size; ++i) {
      pods.weight[r * pods.stride + i] = draw.below(6);
      all += pods.weight[r * pods.stride + i];
    }
    pods.need.push_back(draw.below(static_cast<int>(all) + 1));
  }
  double priority = -2;
  for (std::size_t i = 0; i < pods.size; ++i) {
    pods.priority.push_back(priority += draw.below(3));
    pods.start_us.push_back(draw.below(4));
    pods.violates.push_back(draw.below(3) == 0 ? 1 : 0);
  }
  return pods;
}

Allowance random_allowance(Draw draw, const Evictable& pods) {
  Allowance allowance;
  allowance.violations = draw.limit(3);
  allowance.priority = draw.below(3) == 0 ? kInfinite<double> : pods.priority.front() + draw.below(6);
  if (draw.below(3) == 0) allowance.start_us = draw.below(4);
  allowance.count = draw.limit(6);
  allowance.least = pods.priority.front();
  if (allowance.count < kInfinite<double>) allowance.extra = draw.limit(8);
  return allowance;
}

// Every set by itself.
bool possible(const Evictable& pods, const Allowance& allowance) {
  for (unsigned set = 0; set < (1U << pods.size); ++set) {
    double count = 0;
    double violations = 0;
    double extra = 0;
    bool within = true;
    std::vector<double> missing = pods.need;
    for (std::size_t i = 0; i < pods.size; ++i) {
      if ((set >> i & 1U) == 0) continue;
      count += 1;
      violations += pods.violates[i];
      extra += pods.priority[i] - allowance.least;
      within = within && (pods.priority[i] < allowance.priority ||
                          (pods.priority[i] == allowance.priority && pods.start_us[i] >= allowance.start_us));
      for (std::size_t r = 0; r < pods.rows; ++r) missing[r] -= pods.weight[r * pods.stride + i];
    }
    for (const double row : missing) within = within && row <= 0;
    if (within && count <= allowance.count && violations <= allowance.violations &&
        extra <= allowance.extra) {
      return true;
    }
  }
  return false;
}

// What was found for one node is tried on the next, which is another one here.
TEST(CoverProof, HoldsOnlyWhereNoSetMakesRoom) {
  std::mt19937 random(1);
  PriceFinder prices;
  std::size_t rows = 0;
  int proved = 0;
  int known = 0;
  int unproved = 0;
  for (int round = 0; round < 100'000; ++round) {
    Draw draw{random};
    const Evictable pods = random_pods(draw);
    if (pods.rows != rows || round % 50 == 0) prices.begin(rows = pods.rows);
    const Allowance allowance = random_allowance(draw, pods);
    const bool before = prices.proved_before(pods, allowance, 0);
    const bool now = prices.find(pods, allowance, 0);
    const bool any = possible(pods, allowance);
    ASSERT_FALSE((before || now) && any) << "round " << round;
    proved += before || now ? 1 : 0;
    known += before ? 1 : 0;
    unproved += !any && !before && !now ? 1 : 0;
  }
  EXPECT_GT(proved, 20'000);
  EXPECT_GT(known, 10'000);
  EXPECT_LT(unproved * 4, proved);  // fractions of pods would do
}

}  // namespace
}  // namespace reprieve::engine::exact
