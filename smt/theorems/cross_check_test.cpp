// Every theorem at the bounds of the tests, decided by a second solver from the exported text.
#include "reprieve/smt/theorems/cross_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace reprieve::smt {
namespace {

class CrossChecked : public testing::TestWithParam<const Theorem*> {};

TEST_P(CrossChecked, BySecondSolver) {
  const SecondOpinion opinion;
  if (!opinion.available()) GTEST_SKIP() << "SKIPPED: there is no cvc5 on this machine";
  const CrossCheck check = cross_check(exported(*GetParam(), Effort::kQuick, {}), opinion, 30'000);
  EXPECT_EQ(check.fault, "");
  EXPECT_EQ(check.agreed, check.queries) << check.undecided << " undecided";
  EXPECT_GT(check.queries, 0U);
  if (std::getenv("REPRIEVE_PROOF_TIMES"))
    fmt::print("{:50} {:8.2f} s {:8} queries\n", GetParam()->name, static_cast<double>(check.time_us) / 1e6,
               check.queries);
}

std::vector<const Theorem*> cross_checked() {
  std::vector<const Theorem*> list;
  for (const Theorem& theorem : theorems()) {
    if (is_cross_checked(theorem)) list.push_back(&theorem);
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, CrossChecked, testing::ValuesIn(cross_checked()), [](const auto& tested) {
  std::string name = tested.param->name;
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

TEST(CrossCheck, AWrongOrMissingAnswerIsAFault) {
  const SecondOpinion opinion;
  if (!opinion.available()) GTEST_SKIP() << "SKIPPED: there is no cvc5 on this machine";
  Exported wrong{.smtlib = "(set-logic QF_UF)(check-sat)", .queries = 1};  // satisfiable
  EXPECT_EQ(cross_check(wrong, opinion, 1000).fault, "the two solvers disagree");
  wrong.queries = 2;
  wrong.answer = Answer::kSatisfiable;
  EXPECT_EQ(cross_check(wrong, opinion, 1000).fault, "answers are missing");
  wrong.smtlib = "(set-logic QF_LIA)(assert (+ 1))(check-sat)";
  EXPECT_NE(cross_check(wrong, opinion, 1000).fault, "");
}

}  // namespace
}  // namespace reprieve::smt
