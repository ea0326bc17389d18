#include "reprieve/cli/check/effort.h"

#include <gtest/gtest.h>

#include <vector>

#include "reprieve/cli/check/stage.h"

namespace reprieve::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<seconds> budgets(Effort effort) {
  std::vector<seconds> all;
  for (const auto& stage : all_stages()) all.emplace_back(stage->budget_s().at(effort));
  return all;
}

/// What the stages get, one after the other, of which each takes `part` percent.
std::vector<milliseconds> shares(const std::vector<seconds>& wanted, milliseconds left, int part) {
  milliseconds later{0};
  for (const seconds own : wanted) later += own;
  std::vector<milliseconds> all;
  for (const seconds own : wanted) {
    later -= own;
    all.push_back(share_of_time(left, own, later));
    left -= all.back() * part / 100;
  }
  return all;
}

TEST(Effort, ARunEndsInTimeAndEachStageHasAtLeastHalfOfItsBudget) {
  for (const Effort effort : {Effort::kQuick, Effort::kUsual, Effort::kFull}) {
    const std::vector<seconds> wanted = budgets(effort);
    const seconds whole{kRun_s.at(effort)};
    for (int part = 0; part <= 100; part += 5) {
      const std::vector<milliseconds> given = shares(wanted, whole, part);
      milliseconds taken{0};
      for (std::size_t i = 0; i < given.size(); ++i) {
        EXPECT_GE(given[i], milliseconds{wanted[i]} / 2) << i << " " << part;
        EXPECT_LE(given[i], wanted[i]) << i << " " << part;
        taken += given[i] * part / 100;
      }
      EXPECT_LE(taken, whole) << part;
    }
  }
}

TEST(Effort, AStageThatTheOthersLeaveTimeForHasAllOfIt) {
  EXPECT_EQ(share_of_time(seconds{100}, seconds{30}, seconds{70}), seconds{30});
  EXPECT_EQ(share_of_time(seconds{50}, seconds{30}, seconds{60}), seconds{20});
}

TEST(Effort, AStageThatComesTooLateHasHalfOfIt) {
  EXPECT_EQ(share_of_time(seconds{-5}, seconds{30}, seconds{60}), seconds{15});
}

}  // namespace
}  // namespace reprieve::cli
