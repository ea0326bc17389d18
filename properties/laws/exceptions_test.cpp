// Every exception is needed, and covers what it was made for: the smallest case on which the bare judge
// says that the law is broken is kept, and asked again here.
#include <gtest/gtest.h>

#include <algorithm>

#include "reprieve/manifest/read.h"
#include "reprieve/properties/laws/testing.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

struct Entry {
  const Law* law;
  const Exception* exception;
};

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const Law* law : one_decision_laws()) {
    for (const Exception& exception : law->exceptions) all.push_back({law, &exception});
  }
  return all;
}

class Exceptions : public ::testing::TestWithParam<Entry> {
 protected:
  void SetUp() override {
    const auto input = manifest::read_files({CORPUS "/" + std::string(GetParam().exception->smallest)});
    ASSERT_TRUE(input) << manifest::to_string(input.error());
    auto read = manifest::to_case(*input);
    ASSERT_TRUE(read) << manifest::to_string(read.error());
    question = std::move(*read);
    decision = reference.decide(question);
    ASSERT_NE(decision.outcome, Outcome::kError) << decision.reason;
  }

  subjects::ReferenceSubject reference;  // decides under every policy
  Case question;
  Decision decision;
};

TEST_P(Exceptions, TheSmallestCaseBreaksTheBareLaw) {
  const Judgement judgement = testing::judge_bare(*GetParam().law, question, decision, reference);
  EXPECT_EQ(judgement.verdict, Verdict::kBroken) << "the exception is no longer needed";
}

TEST_P(Exceptions, TheSmallestCaseIsOneForWhichTheLawIsClaimed) {
  EXPECT_TRUE(GetParam().law->claimed_for(question.policy)) << "the exception is never asked";
}

TEST_P(Exceptions, TheExceptionCoversIt) {
  const Judgement judgement = testing::hold_against(*GetParam().law, question, decision, reference);
  EXPECT_EQ(judgement.verdict, Verdict::kSilent) << judgement.why();
  EXPECT_EQ(judgement.excused_by, GetParam().exception)
      << "covered by " << (judgement.excused_by == nullptr ? "nothing" : judgement.excused_by->name);
}

std::string entry_name(const ::testing::TestParamInfo<Entry>& info) {
  std::string name = std::string(info.param.law->name) + "__" + std::string(info.param.exception->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(OneDecision, Exceptions, ::testing::ValuesIn(entries()), entry_name);

}  // namespace
}  // namespace reprieve::laws
