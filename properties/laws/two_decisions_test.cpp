// The laws of two decisions: each speaks about a sensible share of the default mix, holds for engine and
// reference there, and needs its exceptions.
#include "reprieve/properties/laws/two_decisions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "reprieve/manifest/read.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/laws/testing.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

constexpr int kDraws = 64;  // of the relation, for one case

struct Share {
  int held = 0;
  int silent = 0;
  int excused = 0;
};

/// Every law held against the cases of some seeds.
std::map<std::string_view, Share> hold_all(subjects::Subject& subject, std::uint64_t cases,
                                           const generators::GeneratorSettings& settings = {}) {
  std::map<std::string_view, Share> shares;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const Case question = generators::generate(seed, settings);
    const Decision decision = subject.decide(question);
    for (const Law* law : two_decisions_laws()) {
      const Judgement judgement = testing::hold_against(*law, question, decision, subject, seed);
      Share& share = shares[law->name];
      share.held += judgement.verdict == Verdict::kHolds ? 1 : 0;
      share.silent += judgement.verdict == Verdict::kSilent ? 1 : 0;
      share.excused += judgement.excused_by != nullptr ? 1 : 0;
      if (judgement.verdict != Verdict::kBroken) continue;
      ADD_FAILURE() << law->name << " is broken: " << judgement.why() << "\n"
                    << manifest::write_case_yaml(question);
      return shares;
    }
  }
  return shares;
}

TEST(TwoDecisions, TheEngineKeepsEveryLawAndEachSpeaksOftenEnough) {
  constexpr int kCases = 800;
  subjects::EngineSubject engine(subjects::EngineDepths::kFull);
  for (const auto& [law, share] : hold_all(engine, kCases)) {
    if (law == kExactAtMostGreedy.name) continue;  // of another policy: below
    // The rarest: laws about a sample, about nominations, and the one that draws one case in sixteen.
    EXPECT_GE(share.held * 100, kCases * 4) << law << " held " << share.held << " of " << kCases;
    EXPECT_LE(share.excused * 100, kCases * 4) << law << " was excused " << share.excused << " times";
  }
}

TEST(TwoDecisions, TheReferenceKeepsEveryLaw) {
  subjects::ReferenceSubject reference;
  hold_all(reference, 400);
}

TEST(TwoDecisions, OtherPoliciesKeepEveryLawThatIsClaimedForThem) {
  subjects::ReferenceSubject reference;
  Policy exact = kubernetes_policy(Release::k1_36);
  exact.victims = VictimSearch::kExact;
  exact.violations = ViolationCount::kActual;
  Policy guaranteed = kubernetes_policy(Release::k1_37);
  guaranteed.budgets = {.guaranteed = true, .below_priority = 100};
  Policy shares = kubernetes_policy(Release::k1_37);
  shares.importance = {ImportanceCriterion::kPriority, ImportanceCriterion::kRequestedShare,
                       ImportanceCriterion::kTerminationGracePeriod};
  shares.node_order = {NodeCriterion::kBudgetsTouched, NodeCriterion::kRequestedShare,
                       NodeCriterion::kPdbViolations};
  for (Policy* policy : {&exact, &guaranteed, &shares}) {
    policy->name = "own";
    generators::GeneratorSettings settings;
    settings.policy = *policy;
    auto shares_of = hold_all(reference, 150, settings);
    if (policy != &exact) continue;
    EXPECT_GE(shares_of[kExactAtMostGreedy.name].held, 30U);
  }
}

struct Entry {
  const Law* law;
  const Exception* exception;
};

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const Law* law : two_decisions_laws()) {
    for (const Exception& exception : law->exceptions) all.push_back({law, &exception});
  }
  return all;
}

class TwoDecisionsExceptions : public ::testing::TestWithParam<Entry> {
 protected:
  void SetUp() override {
    const auto input = manifest::read_files({CORPUS "/" + std::string(GetParam().exception->smallest)});
    ASSERT_TRUE(input) << manifest::to_string(input.error());
    auto read = manifest::to_case(*input);
    ASSERT_TRUE(read) << manifest::to_string(read.error());
    question = std::move(*read);
  }

  Case question;
};

TEST_P(TwoDecisionsExceptions, AreNeededOnTheSmallestCaseAndCoverIt) {
  subjects::EngineSubject engine;
  subjects::ReferenceSubject reference;  // decides under every policy
  for (subjects::Subject* subject :
       {static_cast<subjects::Subject*>(&engine), static_cast<subjects::Subject*>(&reference)}) {
    const Law& law = *GetParam().law;
    ASSERT_TRUE(law.claimed_for(question.policy)) << "the exception is never asked";
    const Decision decision = subject->decide(question);
    if (subject == &engine && decision.outcome == Outcome::kError) continue;  // not that policy
    int broken = 0;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      if (testing::judge_bare(law, question, decision, *subject, draw).verdict != Verdict::kBroken) continue;
      ++broken;
      const Judgement judgement = testing::hold_against(law, question, decision, *subject, draw);
      ASSERT_EQ(judgement.verdict, Verdict::kSilent) << judgement.why();
      EXPECT_EQ(judgement.excused_by, GetParam().exception) << judgement.excused_by->name;
    }
    EXPECT_GT(broken, 0) << "the exception is no longer needed by the " << subject->name();
  }
}

std::string test_name(const ::testing::TestParamInfo<Entry>& info) {
  std::string name = std::string(info.param.law->name) + "__" + std::string(info.param.exception->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kept, TwoDecisionsExceptions, ::testing::ValuesIn(entries()), test_name);

}  // namespace
}  // namespace reprieve::laws
