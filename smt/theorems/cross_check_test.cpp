// Every theorem, decided by a second solver from the exported text, at the bounds of the tests. At 6 x 2 x 2
// it is asked in the night (`reprieve prove --second-opinion --bounds 6x2x2`): minutes of a processor.
#include "reprieve/smt/theorems/cross_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace reprieve::smt {
namespace {

class CrossChecked : public testing::TestWithParam<const Theorem*> {};

// A machine that is slow decides as much: the time of one query is its own processor's.
TEST_P(CrossChecked, BySecondSolver) {
  const SecondOpinion opinion;
  if (!opinion.available()) GTEST_SKIP() << "SKIPPED: there is no cvc5 on this machine";
  const Theorem& theorem = *GetParam();
  Terms terms;
  const Exported statement = exported(theorem, terms, theorem.quick, false, {}, {.size = 200});
  const CrossCheck check = cross_check(theorem, statement, theorem.quick, {}, opinion, 30'000);
  EXPECT_EQ(check.fault, "");
  EXPECT_EQ(check.agreed, check.queries) << check.undecided << " undecided";
  EXPECT_GT(check.queries, 0U);
}

std::vector<const Theorem*> all() {
  std::vector<const Theorem*> list;
  for (const Theorem& theorem : theorems()) list.push_back(&theorem);
  return list;
}

std::string name_of(const testing::TestParamInfo<const Theorem*>& tested) {
  std::string name = tested.param->name;
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Theorems, CrossChecked, testing::ValuesIn(all()), name_of);

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
