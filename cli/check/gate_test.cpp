// `reprieve check` as a gate: budgets, seeds, repeats, reports for a CI system, and that it says what it did
// not cover.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reprieve/cli/testing.h"

namespace reprieve::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Gate, TheSameCommitHasTheSameSeedAndAnotherOneAnother) {
  const auto seed = [](const std::string& commit) {
    const Ran ran = run("check --only random --cases 10 -o json --commit " + commit);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto report = nlohmann::json::parse(ran.out);
    EXPECT_EQ(report["commit"], commit);
    return report["seed"].get<std::uint64_t>();
  };
  EXPECT_EQ(seed("7ebb750"), seed("7ebb750"));
  EXPECT_NE(seed("7ebb750"), seed("7ebb751"));
}

TEST(Gate, RefusesWhatContradictsItself) {
  for (const char* options : {"--seed 1 --commit a", "--quick --full", "--repeat 0", "--budget=-1"}) {
    EXPECT_EQ(run(fmt::format("check --only random --cases 10 {}", options)).exit_code, 2) << options;
  }
}

TEST(Gate, AStageThatRunsOutOfItsBudgetSaysHowMuchItLeftOut) {
  const Ran ran = run("check --only random --cases 100000000 --budget 1");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("random     cut"), HasSubstr("Not covered"),
                             HasSubstr("of 100,000,000 cases: its time was over")));
  EXPECT_EQ(run("check --only random --cases 100000000 --budget 1 --complete").exit_code, 1);
}

TEST(Gate, WhatIsAskedForByNumberIsDoneWhateverTheTime) {
  const Ran ran = run("check --only random --cases 3000");
  EXPECT_THAT(ran.out, AllOf(HasSubstr("3,000 clusters"), Not(HasSubstr("its time was over"))));
}

TEST(Gate, EachRepeatHasOtherSeedsAndAFailingOneIsNamed) {
  const Ran held = run("check --only random --cases 200 --repeat 2 --seed 5");
  EXPECT_EQ(held.exit_code, 0) << held.err;
  EXPECT_THAT(held.out,
              AllOf(HasSubstr("200 clusters from seed 5,"), HasSubstr("200 clusters from seed 1000000005,"),
                    HasSubstr("Held 2 of 2 times.")));
  const Ran failed = run("check --only random --cases 200 --repeat 2 --seed 5 --against " + kLiar);
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  EXPECT_THAT(failed.out, HasSubstr("Held 0 of 2 times. Not with the seeds 5, 1000000005."));
}

TEST(Gate, JUnitHasACaseForEachStageAndTheSmallestCaseOfAFailure) {
  const std::string file = (std::filesystem::path(testing::TempDir()) / "gate.xml").string();
  Ran ran = run("check --only corpus,random --cases 100 --junit " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(text_of(file),
              AllOf(HasSubstr("tests=\"2\" failures=\"0\""), HasSubstr("testcase name=\"corpus\""),
                    HasSubstr("testcase name=\"random\"")));
  ran = run(fmt::format("check --only random --cases 200 --junit {} --against {}", file, kLiar));
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(text_of(file), AllOf(HasSubstr("failures=\"1\""), HasSubstr("kind: PreemptionCase"),
                                   HasSubstr("Repeat: reprieve check --only random --seed")));
  EXPECT_EQ(run("check --only random --cases 10 --junit /nowhere/at/all.xml").exit_code, 2);
}

TEST(Gate, ChangedCasesOfTheCorpusFindALiar) {
  const Ran held = run("check --only fuzz --cases 300");
  EXPECT_EQ(held.exit_code, 0) << held.out << held.err;
  EXPECT_THAT(held.out, HasSubstr("300 changed cases from seed 1"));
  const Ran ran = run("check --only fuzz --cases 300 --against " + kLiar);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("violations"), HasSubstr("kind: PreemptionCase"),
                             HasSubstr("Repeat: reprieve check --only fuzz --seed")));
}

TEST(Gate, WhatIsWrittenReadsAsItself) {
  const Ran ran = run("check --only manifests --cases 200");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("200 clusters from seed 1, each as YAML and as a request"));
}

TEST(Gate, MoreWorkForTheSameDecisionsIsFound) {
  namespace fs = std::filesystem;
  const fs::path source = REPRIEVE_SOURCE;
  const fs::path folder = fs::path(testing::TempDir()) / "gate-operations";
  fs::remove_all(folder);
  fs::create_directories(folder / "corpus");
  fs::create_directories(folder / "bench");
  fs::copy_file(source / "corpus" / "large-violating-pod-takes-the-room-of-two.yaml",
                folder / "corpus" / "a.yaml");
  std::ifstream in(source / "bench" / "operations.json");
  auto recorded = nlohmann::ordered_json::parse(in);
  const auto check = [&] {
    std::ofstream(folder / "bench" / "operations.json") << recorded.dump();
    return run("check --only operations --corpus " + (folder / "corpus").string());
  };
  const Ran held = check();
  EXPECT_EQ(held.exit_code, 0) << held.out << held.err;
  const auto right = recorded["uniform, exact: steps"];
  recorded["uniform, exact: steps"] = 1'000'000;
  const Ran fewer = check();
  EXPECT_EQ(fewer.exit_code, 1) << fewer.out << fewer.err;
  EXPECT_THAT(fewer.out, AllOf(HasSubstr("uniform, exact: steps"), HasSubstr("1,000,000 ->")));
  recorded["uniform, exact: steps"] = right;
  recorded["uniform, kubernetes-1.37: nodes tried"] = 1;
  const Ran grown = check();
  EXPECT_EQ(grown.exit_code, 1) << grown.out << grown.err;
  EXPECT_THAT(grown.out, AllOf(HasSubstr("uniform, kubernetes-1.37: nodes tried"), HasSubstr("1 ->"),
                               HasSubstr("--record-operations")));
}

TEST(Gate, AProgramOutsideIsNotJudgedByTheoremsAboutThisOne) {
  for (const char* stage : {"theorems", "manifests", "live"}) {
    const Ran ran = run(fmt::format("check --only {} --against {}", stage, kLiar));
    EXPECT_EQ(ran.exit_code, 2) << stage;
    EXPECT_THAT(ran.err, HasSubstr("cannot run")) << stage;
  }
}

}  // namespace
}  // namespace reprieve::cli
