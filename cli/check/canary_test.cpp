// The canary: a gate that never fails proves nothing. A wrong engine must make it red, and it must say what
// is wrong, on which cluster, and how to see it again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "reprieve/cli/testing.h"

namespace reprieve::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Canary : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv("REPRIEVE_MUTANT"); }
  void TearDown() override { unsetenv("REPRIEVE_MUTANT"); }
  static Ran check(const char* mutant, const char* arguments) {
    setenv("REPRIEVE_MUTANT", mutant, 1);
    return run(arguments);
  }
};

TEST_F(Canary, AWrongEngineMakesTheGateRedWithTheLawTheClusterAndTheCommand) {
  const Ran ran = check("equal-priority-is-victim", "check --quick --budget 2");
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("victims-have-lower-priority"), HasSubstr("kind: PreemptionCase"),
                             HasSubstr("Repeat: reprieve check --only"), HasSubstr("Failed: ")));
}

TEST_F(Canary, TheSameGateIsGreenWithoutIt) {
  const Ran ran = check("", "check --quick --only corpus,random,laws --budget 2");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("Failed")));
}

TEST_F(Canary, AMutantThatThereIsNotIsRefused) {
  const Ran ran = check("no-such-mutant", "check --only corpus");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("REPRIEVE_MUTANT"));
}

}  // namespace
}  // namespace reprieve::cli
