#include "reprieve/mutants/mutant.h"

#include <gtest/gtest.h>

namespace reprieve::mutants {
namespace {

#ifdef REPRIEVE_MUTANTS

template <class Int>
Int one() {
  return REPRIEVE_MUTANT("test-one", Int(1), Int(2));
}

TEST(Mutant, IsWrongOnlyWhileItIsActive) {
  EXPECT_EQ(one<long>(), 1);
  {
    const Active active("test-one");
    EXPECT_EQ(one<long>(), 2);
    EXPECT_EQ(one<short>(), 2);  // in a template, whatever the type
    const Active none("");
    EXPECT_EQ(one<long>(), 1);
  }
  EXPECT_EQ(one<long>(), 1);
}

TEST(Mutant, LeavesTheSideThatIsNotUsedUnevaluated) {
  int right = 0;
  int wrong = 0;
  const auto count = [](int& number) { return ++number; };
  (void)REPRIEVE_MUTANT("test-two", count(right), count(wrong));
  EXPECT_EQ(right, 1);
  EXPECT_EQ(wrong, 0);
}

#else

// Any expression may stand there, even one that does not compile: it is not in the program.
static_assert(REPRIEVE_MUTANT("test-one", 1, no_such_name) == 1);

TEST(Mutant, IsNotInABuildThatShips) { SUCCEED(); }

#endif

}  // namespace
}  // namespace reprieve::mutants
