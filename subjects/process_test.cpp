#include "reprieve/subjects/process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace reprieve::subjects {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A process that runs the fake subject with these arguments.
ProcessSubject fake(std::vector<std::string> arguments, int time_out_ms = 5'000) {
  arguments.insert(arguments.begin(), FAKE_SUBJECT);
  return ProcessSubject({.name = "fake", .argv = std::move(arguments), .time_out_ms = time_out_ms});
}

std::vector<Case> cases(std::size_t count) {
  std::vector<Case> cases(count);
  for (std::size_t i = 0; i < count; ++i) {
    cases[i].name = fmt::format("c{}", i);
    cases[i].preemptor = "default/high";
    cases[i].cluster.pods.resize(1);
    cases[i].cluster.pods[0].name = "high";
  }
  return cases;
}

/// All are answered but `index`, whose failure is returned.
std::string only_failure(const std::vector<Decision>& decisions, std::size_t index) {
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    EXPECT_EQ(is_subject_failure(decisions[i]), i == index) << i << ": " << decisions[i].reason;
    EXPECT_EQ(decisions[i].outcome, i == index ? Outcome::kError : Outcome::kNoCandidate) << i;
  }
  return index < decisions.size() ? decisions[index].reason : "";
}

TEST(ProcessSubject, AnswersManyCasesFromOneProcess) {
  auto subject = fake({});
  EXPECT_EQ(only_failure(subject.decide_all(cases(500)), 500), "");
  EXPECT_EQ(subject.decide(cases(1)[0]).outcome, Outcome::kNoCandidate);
}

TEST(ProcessSubject, ReportsACrashWithItsSignalAndGoesOn) {
  EXPECT_THAT(only_failure(fake({"--crash", "c7"}).decide_all(cases(20)), 7),
              AllOf(HasSubstr("case c7"), HasSubstr("killed by signal 6 (Aborted)")));
}

TEST(ProcessSubject, ReportsAnExitWithItsCodeAndItsPanic) {
  EXPECT_THAT(only_failure(fake({"--exit", "c0"}).decide_all(cases(5)), 0),
              AllOf(HasSubstr("exit code 3"), HasSubstr("panic: runtime error: index out of range")));
}

TEST(ProcessSubject, BlamesTheRightCaseEvenIfAnswersAreHeldBack) {
  EXPECT_THAT(only_failure(fake({"--hold", "--crash", "c6"}).decide_all(cases(8)), 6), HasSubstr("case"));
}

TEST(ProcessSubject, ReportsATimeOutAndGoesOn) {
  EXPECT_THAT(only_failure(fake({"--hang", "c3"}, 200).decide_all(cases(6)), 3),
              AllOf(HasSubstr("case c3"), HasSubstr("no answer within 200 ms")));
}

TEST(ProcessSubject, ReportsALineThatIsNoAnswer) {
  EXPECT_THAT(only_failure(fake({"--junk", "c2"}).decide_all(cases(6)), 2),
              AllOf(HasSubstr("not an answer"), HasSubstr("I0101 starting up")));
}

TEST(ProcessSubject, ReportsAnAnswerToAnotherCase) {
  EXPECT_THAT(only_failure(fake({"--swap", "c4"}).decide_all(cases(6)), 4),
              HasSubstr("an answer to case 'another'"));
}

TEST(ProcessSubject, ReportsADeathInTheMiddleOfALine) {
  EXPECT_THAT(only_failure(fake({"--half", "c1"}).decide_all(cases(3)), 1),
              AllOf(HasSubstr("exit code 4"), HasSubstr("in the middle of a line: {\"id\":\"c1")));
}

TEST(ProcessSubject, ReportsACrashThatDoesNotComeBack) {
  const std::string file =
      fmt::format("{}/once-{}", std::filesystem::temp_directory_path().string(), getpid());
  const auto decisions = fake({"--once-crash", "c5", file}).decide_all(cases(20));
  std::filesystem::remove(file);
  std::size_t failures = 0;
  for (const Decision& decision : decisions) {
    if (!is_subject_failure(decision)) continue;
    ++failures;
    EXPECT_THAT(decision.reason, AllOf(HasSubstr("killed by signal 6"), HasSubstr("did not happen again")));
  }
  EXPECT_EQ(failures, 1U);
}

TEST(ProcessSubject, GivesUpOnAProgramThatNeverAnswers) {
  ProcessSubject subject({.name = "absent", .argv = {"/nonexistent/program"}, .give_up_after = 3});
  const auto decisions = subject.decide_all(cases(10));
  ASSERT_EQ(decisions.size(), 10U);
  EXPECT_THAT(decisions[0].reason, HasSubstr("cannot start /nonexistent/program: No such file or directory"));
  EXPECT_THAT(decisions[9].reason, HasSubstr("not asked after 3 failures in a row"));
}

TEST(ProcessSubject, EndsWhatTheProgramHasStarted) {
  const auto begun = std::chrono::steady_clock::now();
  {
    ProcessSubject subject(
        {.name = "shell", .argv = {"/bin/sh", "-c", "sleep 60; true"}, .time_out_ms = 100});
    EXPECT_TRUE(is_subject_failure(subject.decide(cases(1)[0])));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

}  // namespace
}  // namespace reprieve::subjects
