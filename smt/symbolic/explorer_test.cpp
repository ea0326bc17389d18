#include "reprieve/smt/symbolic/explorer.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "reprieve/smt/symbolic/formula.h"

namespace reprieve::smt {
namespace {

TEST(Explorer, TakesEveryFeasiblePathOnce) {
  Terms terms;
  const ProofResult outcome = explore(
      terms,
      [](World& world) {
        const Int x = world.integer("x", 0, 9);
        int passed = 0;
        for (const int bound : {2, 5, 7}) passed += x < Int(bound) ? 1 : 0;
        world.claim("the comparisons are nested", passed == 3 ? x < 2 : passed == 2 ? x < 5 : Bool(true));
      },
      {});
  EXPECT_EQ(outcome.verdict, Verdict::kProved) << outcome.why;
  EXPECT_EQ(outcome.paths, 4U);  // of the eight turns only four are possible
}

TEST(Explorer, AFalseClaimOnOnePathIsRefutedByItsSmallestModel) {
  Terms terms;
  const ProofResult outcome = explore(terms,
                                      [](World& world) {
                                        const Int x = world.integer("x", 0, 1000),
                                                  y = world.integer("y", 0, 1000);
                                        world.minimise(x);
                                        world.minimise(y);
                                        if (x < y) world.claim("less is much less", plus(x, 5) <= y);
                                        world.claim("small", x <= 2000);
                                      },
                                      {});
  ASSERT_EQ(outcome.verdict, Verdict::kRefuted) << outcome.why;
  EXPECT_EQ(outcome.why, "less is much less");
  EXPECT_EQ(outcome.model, (Assignment{0, 1}));
}

TEST(Explorer, AnAssumptionBehindABranchEndsOnlyThatPath) {
  Terms terms;
  const ProofResult outcome = explore(terms,
                                      [](World& world) {
                                        const Int x = world.integer("x", 0, 9);
                                        if (x < 5) world.assume(x > 6);
                                        world.claim("the other half is left", x >= 5);
                                      },
                                      {});
  EXPECT_EQ(outcome.verdict, Verdict::kProved) << outcome.why;
}

TEST(Explorer, WhatIsNeverReachedProvesNothing) {
  Terms terms;
  const ProofResult outcome = explore(terms,
                                      [](World& world) {
                                        const Int x = world.integer("x", 0, 9);
                                        world.assume(x > 20);
                                        world.claim("anything", x < 0);
                                      },
                                      {});
  EXPECT_EQ(outcome.verdict, Verdict::kError);
  EXPECT_EQ(explore(terms, [](World&) {}, {}).verdict, Verdict::kError);
}

TEST(Explorer, ABodyThatIsNotTheSameOnTheSamePathIsAnError) {
  Terms terms;
  int run = 0;
  const ProofResult outcome = explore(terms,
                                      [&](World& world) {
                                        const Int x = world.integer("x", 0, 9);
                                        const bool low = static_cast<bool>(x < Int(++run));
                                        world.claim("nothing much", any_of(Bool(low), x >= 0));
                                      },
                                      {});
  EXPECT_EQ(outcome.verdict, Verdict::kError);
}

TEST(Explorer, ASumThatMayNotFitIntoInt64IsRefuted) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto add = [](std::int64_t most) {
    return [most](World& world) {
      const Int x = world.integer("x", 0, most), y = world.integer("y", 0, most);
      world.claim("a sum is no smaller", x + y >= x);
    };
  };
  Terms terms, more_terms;
  EXPECT_EQ(explore(terms, add(kMost / 2), {}).verdict, Verdict::kProved);
  const ProofResult outcome = explore(more_terms, add(kMost / 2 + 1), {});
  EXPECT_EQ(outcome.verdict, Verdict::kRefuted);
  EXPECT_EQ(outcome.why, "every sum fits into int64");
}

// Beyond what is asked for, a quotient by a symbol may be anything: 4 is not proved to be 4.
TEST(Explorer, AQuotientIsExactByANumberAndBySymbolsUpToALimit) {
  const auto divided = [](std::int64_t by, std::int64_t most) {
    return [=](World& world) {
      world.divide_up_to(3);
      const Int x = world.integer("x", 0, 100), y = world.integer("y", 1, 100);
      world.assume(x < times(most + 1, y));
      if (by > 0) {
        world.claim("by a number", all_of(times(by, x / Int(by)) <= x, x < times(by, plus(x / Int(by), 1))));
      } else {
        const Int quotient = x / y;
        world.claim("by a symbol", quotient <= Int(most));
      }
    };
  };
  Terms number, few, many;
  EXPECT_EQ(explore(number, divided(7, 1000), {}).verdict, Verdict::kProved);
  EXPECT_EQ(explore(few, divided(0, 3), {}).verdict, Verdict::kProved);
  EXPECT_EQ(explore(many, divided(0, 4), {}).verdict, Verdict::kRefuted);
}

TEST(Explorer, WhatIsDividedMustNotBeNegative) {
  Terms terms;
  const ProofResult outcome = explore(terms,
                                      [](World& world) {
                                        const Int x = world.integer("x", -1, 5);
                                        world.claim("small", x / Int(2) <= Int(2));
                                      },
                                      {});
  EXPECT_EQ(outcome.verdict, Verdict::kRefuted);
  EXPECT_EQ(outcome.why, "what is divided is not negative");
}

TEST(Explorer, OutOfTimeIsUnknown) {
  Terms terms;
  const ProofResult outcome = explore(terms,
                                      [](World& world) {
                                        int passed = 0;
                                        for (int i = 0; i < 30; ++i)
                                          passed += world.boolean("b" + std::to_string(i)) ? 1 : 0;
                                        world.claim("few", Bool(passed <= 30));
                                      },
                                      {.time_ms = 50});
  EXPECT_EQ(outcome.verdict, Verdict::kUnknown);
}

TEST(Formula, AVariableWithTwoRangesIsAnError) {
  Terms terms;
  const auto body = [](std::int64_t most) {
    return [most](World& world) { world.claim("small", world.integer("x", 0, most) <= most); };
  };
  EXPECT_EQ(prove(terms, body(1), {}).verdict, Verdict::kProved);
  EXPECT_EQ(prove(terms, body(2), {}).verdict, Verdict::kError) << "it would be at most 1 all the same";
}

TEST(Formula, ProvesRefutesAndDoesNotBranch) {
  Terms terms;
  const auto body = [](std::int64_t slack) {
    return [slack](World& world) {
      const Int x = world.integer("x"), y = world.integer("y");
      world.assume(x < y);
      world.claim("shifted", plus(x, 3) < plus(y, 3 - slack));
    };
  };
  EXPECT_EQ(prove(terms, body(0), {}).verdict, Verdict::kProved);
  EXPECT_EQ(prove(terms, body(1), {}).verdict, Verdict::kRefuted);
  const auto branch = [](World& world) { world.claim("x", Bool(world.integer("x") < 1 ? true : false)); };
  EXPECT_EQ(prove(terms, branch, {}).verdict, Verdict::kError);
}

// Catches a step that is assumed and not shown, and one that is shown and not assumed.
TEST(Formula, AStepIsShownAndThenAssumed) {
  Terms terms;
  const auto body = [](std::int64_t step) {
    return [step](World& world) {
      const Int x = world.integer("x"), y = world.integer("y");
      world.assume(x < y);
      world.step("shifted", plus(x, step) <= y);
      world.claim("so it is twice", times(2, plus(x, step)) <= times(2, y));
    };
  };
  std::vector<std::size_t> assertions;
  ProofSettings settings;
  settings.asked = [&](const std::vector<Term>& query) { assertions.push_back(query.size()); };
  EXPECT_EQ(prove(terms, body(1), settings).verdict, Verdict::kProved);
  EXPECT_EQ(assertions, (std::vector<std::size_t>{2, 3}));
  const ProofResult wrong = prove(terms, body(2), settings);
  EXPECT_EQ(wrong.verdict, Verdict::kError);
  EXPECT_EQ(wrong.why, "a step does not follow: shifted");
  EXPECT_EQ(explore(terms, body(1), {}).verdict, Verdict::kError) << "code that branches takes no steps";
}

// Catches a step that hides that the claim does not hold.
TEST(Formula, AStepDoesNotMakeAWrongClaimRight) {
  Terms terms;
  const auto body = [](World& world) {
    const Int x = world.integer("x", 0, 9);
    world.step("it is small", x < 10);
    world.claim("it is smaller", x < 9);
  };
  EXPECT_EQ(prove(terms, body, {}).verdict, Verdict::kRefuted);
  EXPECT_EQ(queries_of(terms, body).size(), 2U);
}

}  // namespace
}  // namespace reprieve::smt
