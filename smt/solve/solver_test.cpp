#include "reprieve/smt/solve/solver.h"

#include <gtest/gtest.h>

#include <limits>

#include "reprieve/smt/solve/second_opinion.h"
#include "reprieve/smt/terms/smtlib.h"

namespace reprieve::smt {
namespace {

// x + y < 2x, with x at most 5 and y at least 3, has the solutions y < x.
std::vector<Term> small_question(Terms& terms, std::int64_t y_least) {
  const Term x = terms.int_variable("x", {.least = {}, .greatest = 5});
  const Term y = terms.int_variable("y", {.least = y_least, .greatest = {}});
  return {terms.less(terms.add(x, y), terms.scale(2, x)),
          terms.either(terms.bool_variable("b"), Terms::kFalse)};
}

TEST(Solver, DeclaredRangesComeAlongAndGoWithTheirLevel) {
  Terms terms;
  Solver solver(terms, {.incremental = true});
  solver.push();
  for (const Term term : small_question(terms, 5)) solver.add(term);
  EXPECT_EQ(solver.check(), Answer::kUnsatisfiable);
  solver.pop();
  const Term x = terms.find_variable("x")->term;
  solver.add(terms.negate(terms.equal(x, terms.constant(0))));
  EXPECT_EQ(solver.check(), Answer::kSatisfiable);
  // Not only at the level where the variable was first met.
  solver.push();
  solver.add(terms.equal(terms.add(x, terms.find_variable("y")->term), terms.constant(9)));
  EXPECT_EQ(solver.check(), Answer::kSatisfiable);
  EXPECT_LE(solver.model()->at(0), 5);
  EXPECT_GE(solver.model()->at(1), 5);
}

TEST(Solver, AModelSatisfiesWhatWasAsked) {
  Terms terms;
  const std::vector<Term> question = small_question(terms, 3);
  Solver solver(terms, {});
  for (const Term term : question) solver.add(term);
  ASSERT_EQ(solver.check(), Answer::kSatisfiable) << solver.reason();
  for (const Term term : question) EXPECT_EQ(terms.evaluate(term, *solver.model()), 1);
}

TEST(Solver, OutOfTimeIsUnknownAndSaysSo) {
  // Which of 40 numbers up to 2^40 add up to a given sum: not in 20 ms.
  Terms terms;
  std::vector<Term> parts;
  std::uint64_t number = 1'234'567'891;  // wraps around, which a signed one must not
  for (int i = 0; i < 40; ++i) {
    number = (number * 6'364'136'223U + 1'442'695'041U) % (std::uint64_t{1} << 40);
    parts.push_back(terms.choose(terms.bool_variable("b" + std::to_string(i)),
                                 terms.constant(static_cast<std::int64_t>(number)), terms.constant(0)));
  }
  Solver solver(terms, {.time_out_ms = 20});
  solver.add(terms.equal(terms.sum(parts), terms.constant(9'999'999'999'999)));
  EXPECT_EQ(solver.check(), Answer::kUnknown);
  EXPECT_FALSE(solver.reason().empty());
}

TEST(Terms, EqualTermsAreOneAndConstantsAreFolded) {
  Terms terms;
  const Term x = terms.int_variable("x", {.least = 0, .greatest = 3}), y = terms.int_variable("y");
  EXPECT_EQ(terms.add(x, y), terms.add(y, x));
  EXPECT_EQ(terms.subtract(terms.subtract(x, terms.constant(1)), terms.constant(1)),
            terms.add(x, terms.constant(-2)));
  EXPECT_EQ(terms.less(x, terms.constant(4)), Terms::kTrue);  // seen from its range
  EXPECT_EQ(terms.both(terms.bool_variable("b"), terms.negate(terms.bool_variable("b"))), Terms::kFalse);
}

TEST(Terms, AValueBeyondInt64IsNoValue) {
  Terms terms;
  const Term x = terms.int_variable("x");
  const Assignment most = {std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(terms.evaluate(terms.add(x, terms.constant(1)), most), std::nullopt);
  EXPECT_FALSE(terms.interval(terms.add(x, terms.constant(1))).greatest);
}

TEST(Smtlib, ATermThatIsUsedTwiceIsWrittenOnce) {
  Terms terms;
  const Term x = terms.int_variable("x", {.least = -3, .greatest = {}});
  const Term twice = terms.scale(2, x);
  const std::string text = to_smtlib(
      terms, std::vector{terms.less(twice, terms.constant(4)), terms.less(terms.constant(-5), twice)},
      "why\nhow");
  EXPECT_EQ(text,
            "; why\n; how\n(set-logic QF_LIA)\n(declare-const x Int)\n(assert (<= (- 3) x))\n"
            "(define-fun $t1 () Int (* 2 x))\n(assert (not (<= 4 $t1)))\n(assert (not (<= $t1 (- 5))))\n"
            "(check-sat)\n");
}

class SecondOpinionTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!opinion.available()) GTEST_SKIP() << "SKIPPED: there is no cvc5 on this machine";
  }
  SecondOpinion opinion;
};

TEST_F(SecondOpinionTest, AgreesOnWhatWasExported) {
  for (const std::int64_t least : {3, 5}) {
    Terms terms;
    const std::vector<Term> question = small_question(terms, least);
    Solver solver(terms, {});
    for (const Term term : question) solver.add(term);
    const Opinion second = opinion.ask(to_smtlib(terms, question, ""), 10'000);
    EXPECT_EQ(second.answer, solver.check()) << second.words;
  }
}

TEST_F(SecondOpinionTest, WhatItCannotParseIsAnError) {
  EXPECT_EQ(opinion.ask("(set-logic QF_LIA)(declare-const x Int)(assert (+ x))(check-sat)", 1000).answer,
            Answer::kError);
  EXPECT_EQ(opinion.ask("", 1000).answer, Answer::kError) << "no answer is no opinion";
}

TEST(SecondOpinionAbsent, IsSaidAndNotGuessed) {
  const SecondOpinion absent("no-such-solver");
  EXPECT_FALSE(absent.available());
  EXPECT_EQ(absent.ask("(check-sat)", 1000).answer, Answer::kError);
}

}  // namespace
}  // namespace reprieve::smt
