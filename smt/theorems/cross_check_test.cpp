// Every theorem, decided by a second solver from the exported text.
#include "reprieve/smt/theorems/cross_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace reprieve::smt {
namespace {

// At the bounds of the tests, and all that can be asked of at 6 pods x 2 resources x 2 budgets
// (smt/README.md).
struct Asked {
  const Theorem* theorem;
  Bounds bounds;
};

class CrossChecked : public testing::TestWithParam<Asked> {};

// A machine that is slow decides as much: the time of one query is its own processor's.
TEST_P(CrossChecked, BySecondSolver) {
  const SecondOpinion opinion;
  if (!opinion.available()) GTEST_SKIP() << "SKIPPED: there is no cvc5 on this machine";
  const auto& [theorem, bounds] = GetParam();
  Terms terms;
  const Exported statement = exported(*theorem, terms, bounds, false, {}, {.size = 200});
  const CrossCheck check = cross_check(*theorem, statement, bounds, {}, opinion, 30'000);
  EXPECT_EQ(check.fault, "");
  EXPECT_EQ(check.agreed, check.queries) << check.undecided << " undecided";
  EXPECT_GT(check.queries, 0U);
}

std::vector<Asked> quick() {
  std::vector<Asked> list;
  for (const Theorem& theorem : theorems()) list.push_back({&theorem, theorem.quick});
  return list;
}

std::string name_of(const testing::TestParamInfo<Asked>& tested) {
  std::string name = tested.param.theorem->name;
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

// The statements about the rules, and the two phases of the shipped code. `reprieve prove --second-opinion
// --bounds 6x2x2` asks all others too, as far as the first solver explores them.
std::vector<Asked> at_6x2x2() {
  std::vector<Asked> list;
  for (const Theorem& theorem : theorems()) {
    const bool phase = theorem.name.contains("-charging-1") || theorem.name.ends_with("-reprieve");
    if (theorem.kind == Kind::kBounded && (!theorem.explored || phase))
      list.push_back({&theorem, within(theorem, {.pods = 6, .resources = 2, .budgets = 2})});
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(At6x2x2, CrossChecked, testing::ValuesIn(at_6x2x2()), name_of);
INSTANTIATE_TEST_SUITE_P(Quick, CrossChecked, testing::ValuesIn(quick()), name_of);

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
