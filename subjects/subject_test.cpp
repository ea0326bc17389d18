#include "reprieve/subjects/subject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reprieve/subjects/builtin.h"
#include "reprieve/subjects/command_line.h"
#include "reprieve/subjects/expectation.h"

namespace reprieve::subjects {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Decision nominated(const std::string& node) {
  Decision decision;
  decision.outcome = Outcome::kNominated;
  decision.nominated = {node};
  NodeDecision story;
  story.node = node;
  story.status = NodeStatus::kCandidate;
  story.victims = {"default/low"};
  decision.nodes = {story};
  return decision;
}

TEST(SplitCommand, ReadsQuotesAndBackslashesAsAShell) {
  EXPECT_THAT(*split_command("a 'b c' \"d e\" f\\ g ''"), ElementsAre("a", "b c", "d e", "f g", ""));
}

TEST(SplitCommand, LeavesWhatNeedsAShellToAShell) {
  EXPECT_THAT(*split_command("cat | jq ."), ElementsAre("/bin/sh", "-c", "cat | jq ."));
  EXPECT_THAT(*split_command("A=1 run"), ElementsAre("/bin/sh", "-c", "A=1 run"));
  EXPECT_THAT(*split_command("run \"$HOME\""), ElementsAre("/bin/sh", "-c", "run \"$HOME\""));
}

TEST(SplitCommand, RefusesNothingAndAnOpenQuote) {
  EXPECT_FALSE(split_command("  "));
  EXPECT_FALSE(split_command("a 'b"));
}

TEST(MakeSubject, SaysHowToBuildAnAbsentKubeScheduler) {
  const auto subject = make_subject("kube-scheduler-0.1");
  ASSERT_FALSE(subject);
  EXPECT_THAT(subject.error(), HasSubstr("./dev kube-scheduler"));
}

TEST(MakeSubject, KnowsTheBuiltInOnesByName) {
  EXPECT_EQ((*make_subject("engine"))->name(), "engine");
  EXPECT_EQ((*make_subject("reference"))->name(), "reference");
  EXPECT_EQ((*make_subject("python3 mine.py"))->name(), "python3 mine.py");
}

TEST(SubjectFailure, IsToldFromAnHonestError) {
  Decision honest;
  honest.outcome = Outcome::kError;
  honest.reason = "policy not implemented";
  EXPECT_FALSE(is_subject_failure(honest));
  EXPECT_TRUE(is_subject_failure(subject_failure("s", "c1", "timed out")));
}

TEST(DepthDifference, LetsTheAnswerLeaveNodesOutButNotContradict) {
  Decision full = nominated("n1");
  full.decided_by = NodeCriterion::kPrioritySum;
  full.nodes.push_back({.node = "n2", .status = NodeStatus::kUnresolvable});
  Decision answer = nominated("n1");
  EXPECT_EQ(depth_difference(answer, full), "");
  answer.nodes[0].violations = 1;
  EXPECT_EQ(depth_difference(answer, full), "node n1: violations 1 against 0");
  answer.nodes.clear();
  EXPECT_EQ(depth_difference(answer, full), "node n1 of the tie is missing");
  EXPECT_EQ(depth_difference(nominated("n2"), full), "nominated [n2] against [n1]");
}

TEST(Unmet, ComparesOnlyWhatIsExpectedAndSetsAsSets) {
  Decision decision = nominated("n1");
  decision.nominated = {"n1", "n2"};
  EXPECT_THAT(unmet({}, decision), IsEmpty());
  manifest::Expectation expected;
  expected.nominated = {"n2", "n1"};
  expected.candidates["n1"] = {.victims = {"default/low"}, .violations = 0};
  EXPECT_THAT(unmet(expected, decision), IsEmpty());
}

TEST(Unmet, NamesEveryDifference) {
  manifest::Expectation expected;
  expected.outcome = Outcome::kNoCandidate;
  expected.nominated = {"n2"};
  expected.decided_by = NodeCriterion::kVictimCount;
  expected.cleared = {"default/q"};
  expected.candidates["n1"] = {.victims = {"default/other"}, .violations = 1};
  expected.nodes["n3"] = NodeStatus::kUnschedulable;
  expected.reasons["n1"] = {"Too many pods"};
  EXPECT_THAT(
      unmet(expected, nominated("n1")),
      ElementsAre("outcome: expected no-candidate, got nominated", "nominated: expected [n2], got [n1]",
                  "decidedBy: expected victimCount, got nothing", "cleared: expected [default/q], got []",
                  "victims on n1: expected [default/other], got [default/low]",
                  "violations on n1: expected 1, got 0", "node n3: expected an answer, got none",
                  "reasons of n1: expected [Too many pods], got []"));
}

}  // namespace
}  // namespace reprieve::subjects
