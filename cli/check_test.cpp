// `reprieve check`: that it finds what is wrong, says how to see it again, and does not pass by doing
// nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reprieve/cli/testing.h"

namespace reprieve::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Check, HoldsOnTheCorpusAndOnRandomClusters) {
  const Ran ran = run("check --only corpus,random --cases 500");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("Held on"), HasSubstr("Reached by random, 500 cases"),
                             HasSubstr("pdbViolations")));
}

TEST(Check, ShardsShareTheSeedsOfARun) {
  // 10 cases in three shards: 4, 3 and 3, each from where the one before ended.
  const char* parts[] = {"4 clusters from seed 100", "3 clusters from seed 104", "3 clusters from seed 107"};
  for (int shard = 0; shard < 3; ++shard) {
    const Ran ran = run(fmt::format("check --only random --seed 100 --cases 10 --shard {}/3", shard));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(parts[shard]));
  }
}

TEST(Check, TheFirstShardAloneRunsWhatCannotBeShared) {
  const Ran ran = run("check --only corpus,random --cases 4 --shard 1/2");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("shard 0 of 2 runs it"), HasSubstr("2 clusters from seed 3")));
}

TEST(Check, RefusesAShardThatIsNone) {
  for (const char* shard : {"3/3", "1", "a/b", "0/0", "-1/2", "1/2/3"}) {
    const Ran ran = run(fmt::format("check --only random --cases 10 --shard={}", shard));
    EXPECT_EQ(ran.exit_code, 2) << shard;
    EXPECT_THAT(ran.err, HasSubstr("--shard")) << shard;
  }
  EXPECT_EQ(run("check --only random --cases 2 --shard 0/3").exit_code, 2);
}

TEST(Check, FindsALiarShrinksAndSaysHowToRepeat) {
  const Ran ran = run("check --only random --cases 2000 --threads 1 --against " + kLiar);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("violations"), HasSubstr("kind: PreemptionCase"), HasSubstr("Seed: "),
                    HasSubstr("Repeat: reprieve check --only random --seed "), HasSubstr("Failed: random.")));
  // One node, one victim and the preemptor are enough to show it.
  const std::string nodes = "kind: Node\n";
  const std::size_t first = ran.out.find(nodes);
  ASSERT_NE(first, std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find(nodes, first + 1), std::string::npos) << ran.out;
}

TEST(Check, TheRepeatedCommandFindsItAgain) {
  const Ran ran = run("check --only random --cases 2000 --threads 1 -o json --against " + kLiar);
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out;
  const std::string repeat = json["stages"][0]["findings"][0]["repeat"];
  ASSERT_TRUE(repeat.starts_with("reprieve ")) << repeat;
  EXPECT_EQ(run(repeat.substr(9)).exit_code, 1) << repeat;
}

TEST(Check, FindsALiarInTheCorpus) {
  const Ran ran =
      run("check --only corpus --corpus corpus/a-disrupted-pod-is-not-charged-again.yaml --subject " + kLiar);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out,
              HasSubstr("does not decide corpus/a-disrupted-pod-is-not-charged-again.yaml as expected"));
}

TEST(Check, ReportsASubjectThatDies) {
  const Ran ran = run("check --only random --cases 3 --threads 1 --subject 'exit 3;'");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("exit code 3"), HasSubstr("case seed-1")));
}

TEST(Check, GoesOnWhenASubjectFailsOnOneCase) {
  const std::string dies_once = fmt::format(
      "'while read -r line; do case $line in *\\\"seed-5\\\"*) exit 7;; *) echo \"$line\" | {} subject "
      "engine;; "
      "esac; done'",
      REPRIEVE_PROGRAM);
  const Ran ran = run("check --only random --cases 20 --threads 1 --against " + dies_once);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("20 clusters"), HasSubstr("1 unanswered"),
                             HasSubstr("no answer to case seed-5"), HasSubstr("exit code 7"),
                             HasSubstr("kind: PreemptionCase"), HasSubstr("engine 0 mismatches")));
}

TEST(Check, JudgesTheReferenceTooWhenAProgramOutsideIsHeldToBeRight) {
  const Ran ran = run("check --only random --cases 500 --keep-going --threads 1 --against " + kLiar);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("500 clusters"), Not(HasSubstr("reference 0 mismatches")),
                             HasSubstr("reference was judged too: it differs in the same field.")));
}

TEST(Check, WhatIsRecordedIsHeldAgain) {
  const std::string file = testing::TempDir() + "recorded.jsonl.gz";
  std::filesystem::remove(file);
  const std::string record = fmt::format(
      "check --only random --cases 40 --threads 1 --record {} --against '{} subject reference' --release ",
      file, REPRIEVE_PROGRAM);
  EXPECT_EQ(run(record + "1.36").exit_code, 0);
  EXPECT_EQ(run(record + "1.37").exit_code, 0);  // the same requests, under the other release
  const Ran held = run("check --only vectors --vectors " + file);
  EXPECT_EQ(held.exit_code, 0) << held.out << held.err;
  EXPECT_THAT(held.out, HasSubstr("1 files, 1"));  // about 160 decisions: 40 cases, 2 releases, 2 subjects
  const std::string honest = fmt::format("'{} subject engine'", REPRIEVE_PROGRAM);
  EXPECT_EQ(run("check --only vectors --vectors " + file + " --subject " + honest).exit_code, 0);
  EXPECT_EQ(run("check --only vectors --vectors " + file + " --subject " + kLiar).exit_code, 1);
}

TEST(Check, RecordsOnlyWhatAProgramOutsideDecides) {
  const Ran ran = run("check --only random --cases 5 --record /dev/null");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--record needs a program outside"));
}

TEST(Check, SaysWhatWasSkippedAndWhy) {
  const Ran ran = run("check --cases 20 --corpus corpus/a-disrupted-pod-is-not-charged-again.yaml");
  EXPECT_THAT(ran.out,
              HasSubstr("vectors        not run: neither --vectors nor REPRIEVE_VECTORS names a folder"));
}

TEST(Check, AStageThatIsAskedForMustRun) {
  const Ran ran = run("check --only vectors --corpus corpus/a-disrupted-pod-is-not-charged-again.yaml");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("error: --only: stage vectors cannot run"));
}

TEST(Check, AStageThatComparedNothingIsAFailure) {
  const std::string file = testing::TempDir() + "empty.jsonl";
  std::ofstream(file).close();
  const Ran ran = run("check --only vectors --vectors " + file);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("nothing was compared"));
}

TEST(Check, DoesNotDependOnTheNumberOfThreads) {
  const auto without_times = [](const std::string& text) {
    auto json = nlohmann::json::parse(text, nullptr, false);
    for (auto& stage : json["stages"]) stage.erase("seconds");
    return json;
  };
  EXPECT_EQ(
      without_times(run("check --only random --cases 300 --features node-local --threads 1 -o json").out),
      without_times(run("check --only random --cases 300 --features node-local --threads 2 -o json").out));
}

TEST(Check, WalksASmallScopeToTheEnd) {
  const Ran ran = run("check --only exhaustive --scope nodes=2,pods=2,budgets=1,starts=1");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out,
              testing::ContainsRegex("exhaustive held +[0-9]+ of [0-9]+ clusters: nodes=2,pods=2,budgets=1"));
}

TEST(Check, FindsALiarInASmallScopeAndTheIndexRepeatsIt) {
  const Ran ran = run("check --only exhaustive --scope pods=2 --threads 2 -o json --against " + kLiar);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out;
  const std::string repeat = json["stages"][0]["findings"][0]["repeat"];
  ASSERT_THAT(repeat, testing::ContainsRegex("--scope nodes=2,pods=2,[^ ]* --from [0-9]+ --cases 1 "));
  EXPECT_EQ(run(repeat.substr(9)).exit_code, 1) << repeat;
}

TEST(Check, AScopeThatIsNoneIsAWrongCall) {
  for (const char* call :
       {"--scope pods=99", "--scope knots=2", "--only exhaustive --scope pods=1 --from 999"}) {
    const Ran ran = run(std::string("check ") + call);
    EXPECT_EQ(ran.exit_code, 2) << call;
    EXPECT_THAT(ran.err, testing::MatchesRegex("error: [^\n]+\n")) << call;
  }
}

TEST(Check, ListsItsStages) {
  const Ran ran = run("check --list");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("corpus"), HasSubstr("vectors"), HasSubstr("random"), Not(HasSubstr("error"))));
}

TEST(Check, ListsItsStagesForMachinesToo) {
  const auto json = nlohmann::json::parse(run("check --list -o json").out, nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["stages"][0]["stage"], "corpus");
}

TEST(Check, AFileThatIsNoneOfItsSortIsAWrongCall) {
  for (const char* call :
       {"--only corpus --corpus nope", "--only corpus --corpus nope.yaml", "--only corpus --corpus README.md",
        "--only trace --trace nope", "--only vectors --vectors README.md"}) {
    const Ran ran = run(std::string("check ") + call);
    EXPECT_EQ(ran.exit_code, 2) << call;
    EXPECT_THAT(ran.err, testing::MatchesRegex("error: [^\n]+\n")) << call;
    EXPECT_THAT(ran.out, testing::IsEmpty()) << call;
  }
}

TEST(Check, AnExpectationOfANodeThatDoesNotExistIsNamed) {
  const std::string file = testing::TempDir() + "absent-node.yaml";
  std::ofstream(file) << R"(apiVersion: reprieve.dev/v1alpha1
kind: PreemptionCase
metadata: {name: absent-node}
spec:
  preemptor: default/high
expect:
  nodes: {zz: fits}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "1", pods: "9"}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: high}, spec: {priority: 9, containers: [{name: c}]}}
)";
  const Ran ran = run("check --only corpus --corpus " + file);
  EXPECT_EQ(ran.exit_code, 2) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("absent-node.yaml: expect.nodes: the case has no node zz"));
}

TEST(CheckPolicy, HoldsEveryCaseToAPolicyOfAFile) {
  const std::string file = testing::TempDir() + "/check-policy.yaml";
  std::ofstream(file) << "apiVersion: reprieve.dev/v1alpha1\nkind: PreemptionPolicy\nmetadata: {name: mine}\n"
                         "spec: {violations: actual, nodeOrder: [budgetsTouched, requestedShare]}\n";
  const Ran ran =
      run("check --only corpus,random --cases 300 --pods-per-node 3 --threads 1 -o json --policy " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto report = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_EQ(report["policy"], "mine");
  const auto& levels = report["stages"][1]["reached"]["decidedBy"];
  EXPECT_TRUE(levels.contains("budgetsTouched")) << report["stages"][1]["reached"];
  EXPECT_FALSE(levels.contains("pdbViolations"));
}

TEST(CheckPolicy, RefusesWhatIsNoneAndARelease) {
  const Ran none = run("check --only random --policy nonsense");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--policy: no policy and no file of the name"));
  const Ran both = run("check --only random --policy exact --release 1.36");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("names its release itself"));
}

TEST(CheckPolicy, RepeatsAFindingUnderTheSamePolicy) {
  const Ran ran =
      run("check --only random --cases 2000 --threads 1 --pods-per-node 4 --policy guaranteed-budgets "
          "--against " +
          kLiar);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("--pods-per-node 4"));
  EXPECT_THAT(ran.out, HasSubstr("--policy guaranteed-budgets"));
}

}  // namespace
}  // namespace reprieve::cli
