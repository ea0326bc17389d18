#include <gtest/gtest.h>

#include <set>

#include "reprieve/properties/laws/one_decision.h"
#include "reprieve/properties/laws/testing.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

TEST(Registry, NamesAreUniqueAndEachIsFound) {
  std::set<std::string_view> names;
  for (const Law* law : all_laws()) {
    EXPECT_TRUE(names.insert(law->name).second) << law->name;
    EXPECT_EQ(find_law(law->name), law);
  }
  EXPECT_EQ(find_law("no-such-law"), nullptr);
}

TEST(Registry, EveryLawSaysWhatItClaims) {
  for (const Law* law : all_laws()) {
    EXPECT_TRUE(law->sentence.ends_with('.')) << law->name;
    EXPECT_FALSE(law->statement.empty()) << law->name;
    EXPECT_FALSE(law->theorem.empty()) << law->name;
    EXPECT_FALSE(law->claimed_for_text.empty()) << law->name;
    EXPECT_NE(law->claimed_for, nullptr) << law->name;
    EXPECT_NE(law->judge, nullptr) << law->name;
  }
}

TEST(Registry, EachListHoldsLawsOfItsArity) {
  for (const Law* law : one_decision_laws()) EXPECT_EQ(law->arity, Arity::kOneDecision) << law->name;
  for (const Law* law : two_decisions_laws()) EXPECT_EQ(law->arity, Arity::kTwoDecisions) << law->name;
}

TEST(VictimsHaveLowerPriority, HoldsForTheEngineAndIsBrokenByAnEqualOne) {
  Case asked = testing::question({testing::node("n1", 1)}, {testing::running("low", "n1", 1)});
  subjects::EngineSubject engine;
  EXPECT_EQ(testing::hold_against(kVictimsHaveLowerPriority, asked, engine).verdict, Verdict::kHolds);

  const Decision decision = engine.decide(asked);
  asked.cluster.pods.front().priority = 100;
  const Judgement judgement = testing::hold_against(kVictimsHaveLowerPriority, asked, decision, engine);
  EXPECT_EQ(judgement.verdict, Verdict::kBroken);
  EXPECT_EQ(judgement.why(), "n1: the victim default/low has priority 100, the preemptor 100");
}

}  // namespace
}  // namespace reprieve::laws
