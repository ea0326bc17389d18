#include "reprieve/smt/policy/invariants.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reprieve/manifest/policy.h"
#include "reprieve/smt/policy/replay.h"

namespace reprieve::smt {
namespace {

Policy built_in(const char* name) { return manifest::find_policy(name).value(); }

// By name: proved or refuted. Every cluster that is shown has been replayed on engine and reference; one
// that they decide otherwise is an error.
std::map<std::string, Verdict> verdicts(const Policy& policy) {
  std::map<std::string, Verdict> result;
  for (const Invariant& invariant : invariants(policy)) {
    const Finding finding = decide(policy, invariant, Effort::kQuick, {});
    EXPECT_TRUE(finding.verdict == Verdict::kProved || finding.verdict == Verdict::kRefuted)
        << policy.name << " " << invariant.name << ": " << finding.why;
    EXPECT_EQ(finding.shown.has_value(),
              (finding.verdict == Verdict::kRefuted) != invariant.shown_by_a_cluster)
        << invariant.name;
    result[invariant.name] = finding.verdict;
  }
  return result;
}

void expect_refuted(const std::map<std::string, Verdict>& given, const std::set<std::string>& refuted) {
  for (const auto& [name, verdict] : given)
    EXPECT_EQ(verdict == Verdict::kRefuted, refuted.contains(name)) << name;
}

TEST(PolicyProofs, Of136TheToldIsNeverBelowTheReal) {
  expect_refuted(verdicts(built_in("kubernetes-1.36")),
                 {"told-is-not-above-real", "zero-is-found", "fewest-violations", "the-less-important-goes",
                  "best-on-its-node", "allowing-more-is-not-worse", "more-room-is-not-worse",
                  "removing-a-budget-is-not-worse", "chosen-node-violates-least", "victimCount-can-decide"});
}

TEST(PolicyProofs, Of137TheOrderOfBudgetsMatters) {
  expect_refuted(verdicts(built_in("kubernetes-1.37")),
                 {"told-is-not-below-real", "told-is-not-above-real", "zero-is-found", "fewest-violations",
                  "the-less-important-goes", "best-on-its-node", "order-of-budgets-does-not-matter",
                  "allowing-more-is-not-worse", "more-room-is-not-worse", "removing-a-budget-is-not-worse",
                  "chosen-node-violates-least", "victimCount-can-decide"});
}

TEST(PolicyProofs, OfExactAllIsBestByItsOwnOrder) {
  expect_refuted(verdicts(built_in("exact")), {"the-less-important-goes", "victimCount-can-decide"});
}

TEST(PolicyProofs, AGuaranteeIsKeptUnlessChargingStopsEarly) {
  Policy policy = built_in("guaranteed-budgets");
  policy.charging = Charging::kEveryBudget;
  EXPECT_EQ(verdicts(policy).at("never-violates"), Verdict::kProved);
}

TEST(PolicyProofs, ALevelBeforeTheSumCanDecide) {
  Policy policy = kubernetes_policy(Release::k1_36);
  policy.name = "count-first";
  policy.node_order = {NodeCriterion::kVictimCount, NodeCriterion::kPrioritySum,
                       NodeCriterion::kBudgetsTouched};
  const auto given = verdicts(policy);
  EXPECT_EQ(given.at("victimCount-can-decide"), Verdict::kProved);
  EXPECT_EQ(given.at("prioritySum-can-decide"), Verdict::kProved);
  EXPECT_EQ(given.at("budgetsTouched-can-decide"), Verdict::kProved);
}

TEST(PolicyProofs, TwoPoliciesDifferOnTheSmallestCluster) {
  const Policy old = built_in("kubernetes-1.36"), now = built_in("kubernetes-1.37");
  const Finding victims = differ(old, now, Difference::kVictims, Effort::kQuick, {});
  EXPECT_EQ(victims.verdict, Verdict::kRefuted) << victims.why;
  EXPECT_EQ(victims.shape.pods, std::vector<int>{3});
  const Finding node = differ(built_in("exact"), now, Difference::kNode, Effort::kQuick, {});
  EXPECT_EQ(node.verdict, Verdict::kRefuted) << node.why;
  for (const Difference in : {Difference::kViolations, Difference::kVictims, Difference::kNode})
    EXPECT_EQ(differ(old, old, in, Effort::kQuick, {}).verdict, Verdict::kProved);
}

TEST(PolicyProofs, WhatHasNoFormulaIsSaid) {
  Policy policy = built_in("kubernetes");
  policy.sampling = Sampling{};
  EXPECT_EQ(not_encoded(policy), "sampling");
  EXPECT_TRUE(invariants(policy).empty());
  Policy other = built_in("kubernetes");
  other.importance = {ImportanceCriterion::kPriority};
  EXPECT_NE(not_comparable(built_in("kubernetes"), other), "");
}

TEST(PolicyProofs, AnEncodingThatIsWrongIsSeen) {
  const Finding finding = differ(built_in("kubernetes-1.36"), built_in("kubernetes-1.37"),
                                 Difference::kVictims, Effort::kQuick, {});
  ASSERT_TRUE(finding.shown);
  EXPECT_NE(
      contradiction(*finding.shown, {{.candidate = true, .evicted = {true, true, true}, .violations = 3}}),
      "");
  EXPECT_NE(contradiction(*finding.shown, {{.candidate = false, .evicted = {}, .violations = 0}}), "");
  EXPECT_NE(contradiction(*finding.shown, {}), "");
}

}  // namespace
}  // namespace reprieve::smt
