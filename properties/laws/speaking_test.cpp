// A law that is always silent proves nothing, and neither does an exception that excuses everything: how
// often each law of one decision speaks on generated clusters.
#include <gtest/gtest.h>

#include <map>
#include <string_view>

#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/laws/testing.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

struct Count {
  int holds = 0;
  int excused = 0;
};
using Counts = std::map<std::string_view, Count>;

Policy exact_policy() {
  Policy policy = kubernetes_policy(Release::k1_37);
  policy.victims = VictimSearch::kExact;
  policy.violations = ViolationCount::kActual;
  policy.charging = Charging::kEveryBudget;
  return policy;
}

Policy guaranteed_policy() {
  Policy policy = kubernetes_policy(Release::k1_36);
  policy.budgets.guaranteed = true;
  return policy;
}

// Also checks that none is broken.
Counts count(int cases, const std::optional<Policy>& policy) {
  subjects::ReferenceSubject reference;
  Counts counts;
  generators::Random random(1);
  generators::GeneratorSettings settings;
  settings.policy = policy;
  for (int seed = 0; seed < cases; ++seed) {
    const Case question = generators::generate(static_cast<std::uint64_t>(seed), settings);
    const Decision decision = reference.decide(question);
    Facts facts(question, decision);
    for (const Law* law : one_decision_laws()) {
      const Judgement judgement = hold(*law, {question, decision, reference, random, facts});
      if (judgement.verdict == Verdict::kHolds) ++counts[law->name].holds;
      if (judgement.excused_by != nullptr) ++counts[law->name].excused;
      if (judgement.verdict == Verdict::kBroken) {
        ADD_FAILURE() << law->name << " is broken on seed " << seed << ": " << judgement.why();
      }
    }
  }
  return counts;
}

TEST(LawsSpeak, EachHoldsInOneOfSeventyCasesOfTheMixThatItIsFor) {
  constexpr int kCases = 2100;
  constexpr int kOwnPolicyCases = 700;
  const Counts kubernetes = count(kCases, std::nullopt);
  const Counts exact = count(kOwnPolicyCases, exact_policy());
  const Counts guaranteed = count(kOwnPolicyCases, guaranteed_policy());
  for (const Law* law : one_decision_laws()) {
    const auto holds = [&](const Counts& counts) {
      const auto found = counts.find(law->name);
      return found == counts.end() ? 0 : found->second.holds;
    };
    EXPECT_TRUE(holds(kubernetes) * 70 >= kCases || holds(exact) * 70 >= kOwnPolicyCases ||
                holds(guaranteed) * 70 >= kOwnPolicyCases)
        << law->name << ": " << holds(kubernetes) << ", " << holds(exact) << ", " << holds(guaranteed);
  }
}

TEST(LawsSpeak, ExceptionsExcuseNoMoreThanAQuarterOfWhatALawSpeaksAbout) {
  for (const auto& [law, counted] : count(2100, std::nullopt)) {
    EXPECT_LE(counted.excused * 3, counted.holds) << law;
  }
}

}  // namespace
}  // namespace reprieve::laws
