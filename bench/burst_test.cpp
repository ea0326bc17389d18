#include "reprieve/bench/burst.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reprieve/bench/results.h"

namespace reprieve::bench {
namespace {

using generators::Workload;

TEST(Burst, EachStepDecidesAsOnASnapshotThatIsBuiltAnew) {
  for (const Workload workload : {Workload::kUniform, Workload::kExhaustedBudgets, Workload::kIdenticalNodes,
                                  Workload::kSpreadAntiAffinity}) {
    for (const int budgets : {0, 4}) {
      for (const Applied applied : {Applied::kNominated, Applied::kBound}) {
        const auto setup = setup_of(workload, 12, 10, budgets, {});
        EXPECT_EQ(burst_disagreement(setup, 30, 35, applied, 1), "");
      }
    }
  }
}

TEST(Burst, TakingItBackLeavesTheSameBurstToBeDone) {
  Burst burst(setup_of(Workload::kUniform, 12, 10, 4, {}), 20, 35, Applied::kNominated);
  std::vector<std::vector<std::string>> first, second;
  for (int k = 0; k < burst.count(); ++k) first.push_back(burst.step().nominated);
  ASSERT_GT(burst.victims(), 0);
  burst.undo();
  for (int k = 0; k < burst.count(); ++k) second.push_back(burst.step().nominated);
  EXPECT_EQ(first, second);
}

TEST(Results, TheExponentIsThePowerOfTheSize) {
  EXPECT_DOUBLE_EQ(exponent(1000, 5, 50'000, 250), 1);
  EXPECT_DOUBLE_EQ(exponent(10, 3, 1000, 3), 0);
  EXPECT_DOUBLE_EQ(exponent(10, 1, 100, 100), 2);
}

}  // namespace
}  // namespace reprieve::bench
