#include "reprieve/subjects/subject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reprieve/subjects/builtin.h"
#include "reprieve/subjects/command_line.h"

namespace reprieve::subjects {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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

}  // namespace
}  // namespace reprieve::subjects
