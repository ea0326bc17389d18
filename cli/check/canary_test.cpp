// The canary: a gate that never fails proves nothing. A wrong engine must make it red, and it must say what
// is wrong, on which cluster, and how to see it again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

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

// What was drawn for the law is part of what is printed: the updates, and a command that makes them again on
// the case that was written, from any folder.
TEST_F(Canary, AWrongUpdateIsShownByItsStepsAndAgainOnTheCaseAlone) {
  const std::string folder = ::testing::TempDir() + "canary-updates";
  const Ran ran =
      check("removed-node-counts-with-its-pods",
            ("check --only laws --law updates-like-rebuilding --cases 200 --out " + folder).c_str());
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("remove node "), HasSubstr("set node ")));
  const std::string words = "On the case alone: reprieve ";
  const std::size_t at = ran.out.find(words);
  ASSERT_NE(at, std::string::npos) << ran.out;
  const std::size_t from = at + words.size();
  const std::string again = ran.out.substr(from, ran.out.find('\n', from) - from);
  EXPECT_THAT(again, AllOf(HasSubstr("--draw "), HasSubstr("--corpus " + folder)));
  EXPECT_EQ(check("removed-node-counts-with-its-pods", again.c_str()).exit_code, 1) << again;
  EXPECT_EQ(check("", again.c_str()).exit_code, 0) << again;
}

// Not shrunk, but it is the case that is at fault, and nothing that was decided before.
TEST_F(Canary, WithFailFastAVectorIsShownAsItIsAndAgainOnTheCaseAlone) {
  const Ran ran = check("cordon-ignored", "check --quick --only vectors --fail-fast");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("unlike the real one"), HasSubstr("On the case alone: reprieve check"),
                             Not(HasSubstr("Asked alone")), Not(HasSubstr("On a smaller cluster"))));
}

TEST_F(Canary, WithFailFastAStageEndsWithTheFirstThingItFinds) {
  const Ran ran = check("equal-priority-is-victim", "check --quick --only corpus,laws --fail-fast -o json");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const auto report = nlohmann::json::parse(ran.out);
  EXPECT_EQ(report["stages"][1]["findings"].size(), 1U);
  EXPECT_LT(report["stages"][1]["decisions"], 500);
}

// The program under test is part of the process that judges it. One that dies takes the process with it; the
// gate goes on, and says on which case.
TEST_F(Canary, AnEngineThatDiesIsAFindingAndTheOtherStagesStillRun) {
  const std::string folder = ::testing::TempDir() + "canary-dies";
  const char* mutant = "violating-victims-listed-as-others";
  const Ran ran =
      check(mutant, ("check --quick --only corpus,random,manifests -o json --out " + folder).c_str());
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const auto report = nlohmann::json::parse(ran.out);
  ASSERT_EQ(report["stages"].size(), 3U);
  EXPECT_EQ(report["stages"][1]["verdict"], "held") << "the manifests, of which nobody dies";
  for (const int stage : {0, 2}) {
    const auto& findings = report["stages"][stage]["findings"];
    ASSERT_EQ(findings.size(), 1U);
    // A sanitizer ends a process with an exit code of its own.
    EXPECT_THAT(
        findings[0]["title"].get<std::string>(),
        testing::ContainsRegex("^engine (dies of SIG|ends the process with exit code )[^ ]+ .*on case "));
    EXPECT_THAT(findings[0]["details"].get<std::string>(), HasSubstr("engine decides "));
    const std::string text = findings[0]["case"];
    EXPECT_EQ(text.find("kind: Node"), text.rfind("kind: Node")) << "not the smallest:\n" << text;
    EXPECT_THAT(findings[0]["repeat"].get<std::string>(), testing::StartsWith("reprieve check --only "));
    const std::string again = findings[0]["repeatCase"].get<std::string>().substr(sizeof("reprieve"));
    EXPECT_EQ(check(mutant, again.c_str()).exit_code, 1) << again;
    EXPECT_EQ(check("", again.c_str()).exit_code, 0) << again;
  }
  EXPECT_EQ(report["stages"][2]["findings"][0]["seed"].is_number(), true);
}

TEST_F(Canary, AnEngineThatNeverEndsIsAFinding) {
  const Ran ran =
      check("slash-is-not-removed", "check --only random --cases 50000 --time-out 3000 --fail-fast");
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("engine does not come to an end on case seed-"),
                             HasSubstr("kind: PreemptionCase"), HasSubstr("aws://"),
                             HasSubstr("Repeat: reprieve check --only random --seed ")));
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
