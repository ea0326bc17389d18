// The laws of two decisions as RapidCheck properties, over cases that our generator makes and our shrinker
// makes small. What the cases reach is printed with the tests.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "reprieve/manifest/write.h"
#include "reprieve/properties/generators/valid.h"
#include "reprieve/properties/laws/law.h"
#include "reprieve/properties/rapidcheck/arbitrary_case.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve {
namespace {

using laws::Verdict;

std::string level_of(const Decision& decision) {
  if (decision.outcome != Outcome::kNominated) return std::string(to_string(decision.outcome));
  return decision.decided_by ? std::string(to_string(*decision.decided_by))
                             : "one candidate, or a tie of all";
}

laws::Judgement hold(const laws::Law& law, const Case& question, subjects::Subject& subject,
                     std::uint64_t draw) {
  const Decision decision = subject.decide(question);
  generators::Random random(draw);
  laws::Facts facts(question, decision);
  return laws::hold(law, {question, decision, subject, random, facts});
}

class EveryLaw : public ::testing::TestWithParam<const laws::Law*> {};

TEST_P(EveryLaw, HoldsForTheEngine) {
  const laws::Law& law = *GetParam();
  rc::detail::checkGTest([&law](const Case& question, std::uint64_t draw) {
    subjects::EngineSubject engine(subjects::EngineDepths::kFull);
    const laws::Judgement judgement = hold(law, question, engine, draw);
    RC_CLASSIFY(judgement.verdict == Verdict::kHolds, "the law speaks");
    RC_CLASSIFY(judgement.excused_by != nullptr, "an exception covers it");
    RC_TAG(level_of(engine.decide(question)));
    if (judgement.verdict != Verdict::kBroken) return;
    RC_LOG() << judgement.why() << "\n" << manifest::write_case_yaml(question);
    RC_FAIL("the law is broken");
  });
}

std::string test_name(const ::testing::TestParamInfo<const laws::Law*>& info) {
  std::string name(info.param->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(TwoDecisions, EveryLaw, ::testing::ValuesIn(laws::two_decisions_laws()), test_name);

RC_GTEST_PROP(ArbitraryCase, IsValidAndShrinksToValidOnes, (const Case& question)) {
  RC_ASSERT(!generators::find_fault(question));
  for (const Case& smaller : rapidcheck::smaller_cases(question)) {
    RC_ASSERT(!generators::find_fault(smaller));
    RC_ASSERT(smaller != question);
  }
}

/// RapidCheck finds what is asked for, and what it shows is small enough to be read.
TEST(ArbitraryCase, OfAFaultIsMadeSmall) {
  Case smallest;
  const auto result = rc::detail::checkTestable([&smallest](const Case& question) {
    subjects::ReferenceSubject reference;
    const Decision decision = reference.decide(question);
    const bool fails =
        std::ranges::any_of(decision.nodes, [](const NodeDecision& node) { return node.violations > 0; });
    if (fails) smallest = question;
    RC_ASSERT(!fails);
  });
  ASSERT_TRUE(result.is<rc::detail::FailureResult>());
  EXPECT_EQ(smallest.cluster.nodes.size(), 1U) << manifest::write_case_yaml(smallest);
  EXPECT_LE(smallest.cluster.pods.size(), 3U) << manifest::write_case_yaml(smallest);
}

}  // namespace
}  // namespace reprieve
