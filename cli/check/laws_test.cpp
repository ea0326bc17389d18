// The stage `laws` of `reprieve check`, and `reprieve shrink`: what is broken is found, made small and told.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>

#include "reprieve/cli/testing.h"
#include "reprieve/properties/laws/law.h"
#include "reprieve/smt/theorems/theorem.h"

namespace reprieve::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kCounted = "violations-are-the-violating-victims";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(CheckLaws, TheEngineAndTheReferenceKeepThemAll) {
  for (const char* subject : {"engine", "reference"}) {
    const Ran ran =
        run(fmt::format("check --only laws --cases 100 --corpus corpus/laws --subject {}", subject));
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("no-victim-can-be-spared"), HasSubstr("EXCUSED"),
                               Not(HasSubstr("needs the story"))));
  }
}

TEST(CheckLaws, ABrokenLawIsShrunkAndTheRepeatedCommandFindsItAgain) {
  const Ran ran = run("check --only laws --cases 300 --corpus policies --threads 1 -o json --law " +
                      kCounted + " --subject " + kLiar);
  EXPECT_EQ(ran.exit_code, 2) << "policies are no cases";

  const Ran found =
      run("check --only laws --cases 300 --corpus corpus/a-node-that-fits-needs-no-preemption.yaml "
          "--threads 1 -o json --law " +
          kCounted + " --subject " + kLiar);
  EXPECT_EQ(found.exit_code, 1) << found.err;
  const auto json = nlohmann::json::parse(found.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << found.out;
  const auto& stage = json["stages"][0];
  EXPECT_GT(stage["laws"][0]["broken"], 10);
  ASSERT_EQ(stage["findings"].size(), 1U) << "one for each law";
  const auto& finding = stage["findings"][0];
  EXPECT_THAT(finding["details"].get<std::string>(), HasSubstr("1 violations are told, and 0 counted"));
  EXPECT_EQ(count(finding["case"], "kind: Node\n"), 1U) << finding["case"];
  EXPECT_EQ(count(finding["case"], "kind: Pod\n"), 2U) << finding["case"];
  const std::string repeat = finding["repeat"];
  EXPECT_THAT(repeat, testing::StartsWith("reprieve check --only laws --law " + kCounted + " --seed "));
  EXPECT_EQ(run(repeat.substr(9)).exit_code, 1) << repeat;
}

TEST(CheckLaws, AProgramOutsideIsNotAskedForAStory) {
  const Ran ran = run(fmt::format(
      "check --only laws --cases 50 --corpus corpus/laws --subject '{} subject engine'", REPRIEVE_PROGRAM));
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("need each node's story"), HasSubstr("needs the story")));
}

TEST(CheckLaws, ASubjectThatDiesIsAFindingAndNotSilence) {
  const Ran ran =
      run("check --only laws --cases 3 --threads 1 --corpus "
          "corpus/a-node-that-fits-needs-no-preemption.yaml --subject 'exit 3;'");
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("exit code 3"));
}

TEST(CheckLaws, TheLawsAreListedAndAnUnknownOneIsRefused) {
  const Ran list = run("check --only laws --list");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(count(list.out, "\n"), laws::all_laws().size());
  const Ran json = run("check --only laws --list -o json");
  EXPECT_EQ(nlohmann::json::parse(json.out, nullptr, false)["laws"].size(), laws::all_laws().size());
  const Ran unknown = run("check --only laws --law nope");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no law 'nope'"));
}

TEST(Shrink, WritesTheSmallestCaseThatBreaksTheLaw) {
  const std::string file = testing::TempDir() + "shrunk.yaml";
  const Ran ran = run("shrink corpus/level-1-fewest-violations-decides.yaml --law " + kCounted +
                      " --subject " + kLiar + " -o " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::ifstream in(file);
  const std::string yaml{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(yaml, AllOf(HasSubstr("breaks " + kCounted), HasSubstr("# n1: 1 violations are told")));
  EXPECT_EQ(count(yaml, "kind: Node\n"), 1U) << yaml;
  EXPECT_EQ(run("decide " + file).exit_code, 0) << "it is a case file";
  EXPECT_EQ(run("shrink " + file + " --law " + kCounted + " --subject " + kLiar).exit_code, 0)
      << "still broken";
}

TEST(Shrink, WritesTheSmallestCaseOnWhichTwoSubjectsDiffer) {
  const Ran ran = run("shrink corpus/level-1-fewest-violations-decides.yaml --against " + kLiar);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("# nodes.n1.violations"), HasSubstr("kind: PreemptionCase")));
  EXPECT_EQ(count(ran.out, "kind: Node\n"), 1U) << ran.out;
}

TEST(Shrink, RefusesACaseThatDoesNotFailAndACallThatDoesNotSayWhatFails) {
  const std::string file = "shrink corpus/level-1-fewest-violations-decides.yaml ";
  for (const auto& [options, why] : std::vector<std::pair<std::string, std::string>>{
           {"--against reference", "engine and reference agree on this case"},
           {"--law " + kCounted, "engine does not break " + kCounted},
           {"--law nope", "there is no law 'nope'"},
           {"", "either --law or --against"},
           {"--law " + kCounted + " --against reference", "either --law or --against"}}) {
    const Ran ran = run(file + options);
    EXPECT_EQ(ran.exit_code, 2) << options;
    EXPECT_THAT(ran.err, HasSubstr(why)) << options;
    EXPECT_THAT(ran.out, testing::IsEmpty()) << options;
  }
  EXPECT_EQ(run("shrink corpus/README.md --against reference").exit_code, 2);
}

TEST(LawsAndTheorems, ALawNamesTheoremsThatExist) {
  for (const laws::Law* law : laws::all_laws()) {
    if (law->theorem == "tested only") continue;
    for (const auto part : std::views::split(law->theorem, std::string_view(", "))) {
      const std::string_view name(part.begin(), part.end());
      EXPECT_NE(smt::find_theorem(name), nullptr) << law->name << " names " << name;
    }
  }
}

}  // namespace
}  // namespace reprieve::cli
