// reprieve prove, as it is called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "reprieve/cli/testing.h"
#include "reprieve/smt/solve/second_opinion.h"

namespace reprieve::cli {
namespace {

using testing::HasSubstr;

TEST(Prove, TellsTheVerdictAndWhatItHoldsFor) {
  const Ran ran = run("prove engine-irreducible fewest-violations-1.37 --effort quick --contrasts -o json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out;
  ASSERT_EQ(json["theorems"].size(), 4U);
  EXPECT_EQ(json["theorems"][0]["verdict"], "proved");
  EXPECT_EQ(json["theorems"][0]["scope"], "every cluster");
  EXPECT_EQ(json["theorems"][1]["verdict"], "refuted");
  EXPECT_EQ(json["theorems"][2]["verdict"], "refuted");
  EXPECT_EQ(json["theorems"][2]["scope"], "3 pods x 1 resource x 1 budget");
}

TEST(Prove, AsksASecondSolverAndCountsWhatItDecides) {
  if (!smt::SecondOpinion().available()) GTEST_SKIP() << "SKIPPED: there is no cvc5 on this machine";
  const Ran ran = run(
      "prove engine-irreducible engine-charging-1.36 fewest-violations-1.37 --second-opinion --bounds 3x1x1 "
      "--sample 20 -o json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto theorems = nlohmann::json::parse(ran.out, nullptr, false)["theorems"];
  ASSERT_EQ(theorems.size(), 3U) << ran.out;
  EXPECT_EQ(theorems[0]["secondOpinion"]["agreed"], theorems[0]["secondOpinion"]["drawnFrom"]);
  EXPECT_EQ(theorems[1]["secondOpinion"]["agreed"], 20);
  EXPECT_GT(theorems[1]["secondOpinion"]["drawnFrom"], 20);
  EXPECT_EQ(theorems[2]["secondOpinion"]["agreed"], 2) << "the statement and its contrast";
}

TEST(Prove, UnknownIsNotAsExpected) {
  const Ran ran = run("prove engine-selection-1.36 --effort nightly --time 1");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("unknown, WRONG"));
  EXPECT_THAT(ran.out, HasSubstr("out of time after"));
}

TEST(Prove, WritesACaseThatDecides) {
  const auto folder = std::filesystem::temp_directory_path() / "reprieve-prove-test";
  std::filesystem::remove_all(folder);
  ASSERT_EQ(run("prove level-5-never-decides --effort quick --write-cases " + folder.string()).exit_code, 0);
  const Ran ran = run("decide " + (folder / "not-level-5-never-decides.yaml").string());
  EXPECT_THAT(ran.out, HasSubstr("Decided by:  latestStart"));
  std::filesystem::remove_all(folder);
}

TEST(Prove, JudgesAPolicyAndReportsToCi) {
  const std::string file = testing::TempDir() + "/proofs.xml";
  const Ran ran = run("prove kubernetes-1.36 --effort quick -o json --junit " + file);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_EQ(json["policy"], "kubernetes-1.36");
  EXPECT_EQ(json["invariants"][0]["name"], "no-victim-can-be-spared");
  EXPECT_EQ(json["invariants"][0]["verdict"], "proved");
  EXPECT_TRUE(std::filesystem::file_size(file) > 1000);
}

TEST(Prove, ShowsWhereTwoPoliciesDiffer) {
  const Ran ran = run("prove --differ kubernetes-1.36 kubernetes-1.37 --effort quick");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("victims: they differ, on 3 pods"));
  EXPECT_THAT(ran.out, HasSubstr("kind: PreemptionCase"));
  EXPECT_EQ(run("prove --differ exact exact --effort quick").exit_code, 0);
  EXPECT_EQ(run("prove --differ exact no-such-policy").exit_code, 2);
}

TEST(Prove, AnUnknownNameIsAWrongCall) {
  const Ran ran = run("prove no-such-theorem");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "error: there is no theorem 'no-such-theorem' (`reprieve prove --list` names them)\n");
}

}  // namespace
}  // namespace reprieve::cli
