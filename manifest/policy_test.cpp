#include "reprieve/manifest/policy.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "reprieve/manifest/criteria.h"
#include "reprieve/manifest/read_test_util.h"
#include "reprieve/manifest/write.h"

namespace reprieve::manifest {
namespace {

using testing::HasSubstr;

std::string policy_yaml(std::string_view spec) {
  return "apiVersion: reprieve.dev/v1alpha1\nkind: PreemptionPolicy\nmetadata: {name: mine}\nspec: " +
         std::string(spec) + "\n";
}

Policy read_policy(std::string_view spec) {
  const Input input = must_read(policy_yaml(spec));
  EXPECT_TRUE(input.policy);
  return input.policy.value_or(Policy{});
}

TEST(Policies, TheBuiltInOnesAreCompiledInAndAllRead) {
  EXPECT_THAT(builtin_policy_names(), testing::ElementsAre("kubernetes-1.36", "kubernetes-1.37", "kubernetes",
                                                           "exact", "guaranteed-budgets"));
  for (const std::string& name : builtin_policy_names()) {
    const auto policy = find_policy(name);
    ASSERT_TRUE(policy) << to_string(policy.error());
    EXPECT_EQ(policy->name, name);
    EXPECT_FALSE(validate(*policy));
    EXPECT_EQ(must_read(write_policy_yaml(*policy)).policy, *policy);
  }
  EXPECT_EQ(*find_policy("kubernetes-1.36"), kubernetes_policy(Release::k1_36));
  EXPECT_EQ(*find_policy("kubernetes-1.37"), kubernetes_policy(Release::k1_37));
  EXPECT_EQ(*find_policy("kubernetes"), Policy{});
  EXPECT_EQ(find_policy("exact")->victims, VictimSearch::kExact);
  EXPECT_EQ(find_policy("exact")->violations, ViolationCount::kActual);
  EXPECT_TRUE(find_policy("guaranteed-budgets")->budgets.guaranteed);
}

TEST(Policies, AnUnknownNameListsThoseThatAreKnown) {
  EXPECT_EQ(to_string(find_policy("kubernets").error()),
            "no policy and no file of the name \"kubernets\"; built in are kubernetes-1.36, kubernetes-1.37, "
            "kubernetes, exact, guaranteed-budgets");
}

TEST(Policies, WhatIsNotSaidIsAsTheReleaseDoesIt) {
  EXPECT_EQ(read_policy("{}").charging, Charging::kUntilViolated);
  EXPECT_EQ(read_policy("{release: \"1.36\"}").charging, Charging::kEveryBudget);
  EXPECT_EQ(read_policy("{release: 1.36}").release, Release::k1_36) << "without quotes it is a number";
  EXPECT_EQ(read_policy("{victims: exact}").violations, ViolationCount::kActual);
  EXPECT_EQ(read_policy("{victims: exact}").charging, Charging::kEveryBudget);
  EXPECT_EQ(read_policy("{release: \"1.36\", charging: untilViolated}").charging, Charging::kUntilViolated);
}

TEST(Policies, EveryFieldIsRead) {
  const Policy policy = read_policy(
      "{release: \"1.36\", victims: greedy, budgets: {guaranteed: {belowPriority: 10}}, charging: "
      "untilViolated, violations: actual, "
      "importance: [requestedShare, terminationGracePeriod, startTime, priority], nodeOrder: "
      "[budgetsTouched, requestedShare, victimCount], "
      "sampling: {minPercentage: 5, minAbsolute: 3, offset: 7}}");
  EXPECT_EQ(policy.name, "mine");
  EXPECT_EQ(policy.budgets, (BudgetGuarantee{.guaranteed = true, .below_priority = 10}));
  EXPECT_EQ(policy.violations, ViolationCount::kActual);
  EXPECT_EQ(policy.importance.size(), 4U);
  EXPECT_EQ(policy.node_order.front(), NodeCriterion::kBudgetsTouched);
  EXPECT_EQ(policy.sampling, (Sampling{.min_percentage = 5, .min_absolute = 3, .offset = 7}));
  EXPECT_EQ(must_read(write_policy_yaml(policy)).policy, policy);
  EXPECT_EQ(read_policy("{budgets: guaranteed}").budgets, BudgetGuarantee{.guaranteed = true});
  EXPECT_EQ(read_policy("{budgets: {guaranteed: {}}}").budgets, BudgetGuarantee{.guaranteed = true});
  EXPECT_EQ(read_policy("{budgets: {guaranteed: null}}").budgets, BudgetGuarantee{.guaranteed = true});
  EXPECT_EQ(read_policy("{budgets: bestEffort, sampling: none}").sampling, std::nullopt);
}

TEST(Policies, AMistakeInAnyFieldNamesItAndWhatIsAllowed) {
  const auto error = [](std::string_view spec) { return must_fail(policy_yaml(spec)); };
  EXPECT_EQ(error("{victim: greedy}"),
            "in.yaml:4:16: spec.victim: unknown field; allowed are release, victims, budgets, charging, "
            "violations, importance, "
            "nodeOrder, sampling");
  EXPECT_THAT(error("{release: \"1.35\"}"),
              HasSubstr("spec.release: unknown value \"1.35\"; allowed are 1.36, 1.37"));
  EXPECT_THAT(error("{release: 1.35}"), HasSubstr("spec.release: unknown release 1.35; allowed are"));
  EXPECT_THAT(error("{victims: best}"),
              HasSubstr("spec.victims: unknown value \"best\"; allowed are greedy, exact"));
  EXPECT_THAT(error("{budgets: always}"),
              HasSubstr("spec.budgets: unknown value \"always\"; allowed are bestEffort, guaranteed"));
  EXPECT_THAT(error("{budgets: {guarantee: {}}}"),
              HasSubstr("spec.budgets.guarantee: unknown field; allowed is guaranteed"));
  EXPECT_THAT(error("{budgets: {guaranteed: {above: 1}}}"),
              HasSubstr("spec.budgets.guaranteed.above: unknown field; allowed is belowPriority"));
  EXPECT_THAT(error("{budgets: {guaranteed: {belowPriority: high}}}"),
              HasSubstr("belowPriority: expected a whole number"));
  EXPECT_THAT(error("{charging: twice}"),
              HasSubstr("spec.charging: unknown value \"twice\"; allowed are everyBudget, untilViolated"));
  EXPECT_THAT(error("{violations: some}"),
              HasSubstr("spec.violations: unknown value \"some\"; allowed are classified, actual"));
  EXPECT_THAT(error("{importance: [age]}"),
              HasSubstr("spec.importance[0]: unknown value \"age\"; allowed are priority, startTime, "
                        "requestedShare, terminationGracePeriod"));
  EXPECT_THAT(error("{importance: priority}"),
              HasSubstr("spec.importance: expected a list of priority, startTime, requestedShare, "
                        "terminationGracePeriod, got a string"));
  EXPECT_THAT(error("{importance: [priority, priority]}"), HasSubstr("spec.importance[1]: occurs twice"));
  EXPECT_THAT(error("{importance: []}"),
              HasSubstr("spec.importance: must name at least one criterion: priority, startTime"));
  EXPECT_THAT(error("{nodeOrder: [cheapest]}"),
              HasSubstr("spec.nodeOrder[0]: unknown value \"cheapest\"; allowed are pdbViolations"));
  EXPECT_THAT(error("{nodeOrder: [victimCount, victimCount]}"), HasSubstr("spec.nodeOrder[1]: occurs twice"));
  EXPECT_THAT(error("{nodeOrder: []}"),
              HasSubstr("spec.nodeOrder: must name at least one criterion: pdbViolations"));
  EXPECT_THAT(error("{nodeOrder: {pdbViolations: true}}"),
              HasSubstr("spec.nodeOrder: expected a list of pdbViolations, highestPriority, prioritySum, "
                        "victimCount, latestStart, requestedShare, budgetsTouched, got an object"));
  EXPECT_THAT(error("{sampling: some}"),
              HasSubstr("spec.sampling: unknown value \"some\"; allowed are none"));
  EXPECT_THAT(error("{sampling: 5}"),
              HasSubstr("spec.sampling: expected none or {minPercentage: 10, minAbsolute: 100, offset: 0}"));
  EXPECT_THAT(
      error("{sampling: {percentage: 1}}"),
      HasSubstr("spec.sampling.percentage: unknown field; allowed are minPercentage, minAbsolute, offset"));
  EXPECT_THAT(error("{sampling: {minPercentage: 101}}"),
              HasSubstr("spec.sampling.minPercentage: must be between 0 and 100"));
  EXPECT_THAT(error("{sampling: {minAbsolute: -1}}"),
              HasSubstr("spec.sampling.minAbsolute: must be between 0 and 2147483647"));
  EXPECT_THAT(error("{sampling: {offset: -1}}"),
              HasSubstr("spec.sampling.offset: must be between 0 and 2147483647"));
  EXPECT_THAT(error("{sampling: {minPercentage: 0, minAbsolute: 0}}"), HasSubstr("must not both be 0"));
  EXPECT_THAT(error("{victims: exact, violations: classified}"),
              HasSubstr("spec.violations: must be actual when victims is exact"));
  EXPECT_THAT(must_fail("apiVersion: reprieve.dev/v1alpha1\nkind: PreemptionPolicy\nmetadata: {name: a}\n"),
              HasSubstr("spec: is required"));
  EXPECT_THAT(must_fail("apiVersion: reprieve.dev/v2\nkind: PreemptionPolicy\nspec: {}\n"),
              HasSubstr("apiVersion: expected reprieve.dev/v1alpha1"));
  EXPECT_THAT(must_fail("apiVersion: reprieve.dev/v1alpha1\nkind: PreemptionPolice\nspec: {}\n"),
              HasSubstr("kind: unknown kind"));
}

// Every field that the format has, by the decoder's own lists of them, with every kind of wrong value.
TEST(Policies, NoFieldTakesAWrongValueWithoutBeingNamed) {
  struct Field {
    std::string path;
    std::string before, after;  // of its value
  };
  const std::vector<Field> fields = {
      {"spec.release", "{release: ", "}"},
      {"spec.victims", "{victims: ", "}"},
      {"spec.budgets", "{budgets: ", "}"},
      {"spec.budgets.guaranteed", "{budgets: {guaranteed: ", "}}"},
      {"spec.budgets.guaranteed.belowPriority", "{budgets: {guaranteed: {belowPriority: ", "}}}"},
      {"spec.charging", "{charging: ", "}"},
      {"spec.violations", "{violations: ", "}"},
      {"spec.importance", "{importance: ", "}"},
      {"spec.nodeOrder", "{nodeOrder: ", "}"},
      {"spec.sampling", "{sampling: ", "}"},
      {"spec.sampling.minPercentage", "{sampling: {minPercentage: ", "}}"},
      {"spec.sampling.minAbsolute", "{sampling: {minAbsolute: ", "}}"},
      {"spec.sampling.offset", "{sampling: {offset: ", "}}"},
  };
  for (const Field& field : fields) {
    for (const char* wrong :
         {"nonsense", "-1.5", "99999999999", "true", "[[]]", "[nonsense]", "{wrong: 1}"}) {
      EXPECT_THAT(must_fail(policy_yaml(field.before + wrong + field.after)), HasSubstr(field.path))
          << field.path << ": " << wrong;
    }
  }
  // The errors about an unknown field list those that there are: all of them stand above.
  const auto stands = [&](const std::string& spec, const std::string& parent) {
    const std::string error = must_fail(policy_yaml(spec));
    const std::size_t at = error.find("allowed ");
    ASSERT_NE(at, std::string::npos) << error;
    std::stringstream words(error.substr(error.find(' ', at + 8) + 1));
    int named = 0;
    for (std::string word; words >> word; ++named) {
      if (word.ends_with(',')) word.pop_back();
      const std::string path = parent + "." + word;
      EXPECT_TRUE(std::ranges::any_of(fields, [&](const Field& field) { return field.path == path; }))
          << path;
    }
    EXPECT_GT(named, 0) << error;
  };
  stands("{unknown: 1}", "spec");
  stands("{budgets: {unknown: 1}}", "spec.budgets");
  stands("{budgets: {guaranteed: {unknown: 1}}}", "spec.budgets.guaranteed");
  stands("{sampling: {unknown: 1}}", "spec.sampling");
}

TEST(Policies, AValueOfTheWrongTypeIsToldWhatIsAllowed) {
  const auto error = [](std::string_view spec) { return must_fail(policy_yaml(spec)); };
  EXPECT_THAT(error("{release: [1.36]}"), HasSubstr("spec.release: expected one of 1.36, 1.37, got a list"));
  EXPECT_THAT(error("{victims: 1}"), HasSubstr("spec.victims: expected one of greedy, exact, got a number"));
  EXPECT_THAT(
      error("{budgets: 1}"),
      HasSubstr("spec.budgets: expected bestEffort, guaranteed, or {guaranteed: {belowPriority: N}}"));
  EXPECT_THAT(error("{budgets: {guaranteed: true}}"),
              HasSubstr("spec.budgets.guaranteed: expected {belowPriority: N}, or nothing, got"));
  EXPECT_THAT(error("{budgets: {guaranteed: {belowPriority: 2147483648}}}"),
              HasSubstr("belowPriority: must be between -2147483648 and 2147483647"));
  EXPECT_THAT(error("{charging: true}"),
              HasSubstr("spec.charging: expected one of everyBudget, untilViolated, got"));
  EXPECT_THAT(error("{violations: []}"),
              HasSubstr("spec.violations: expected one of classified, actual, got"));
  EXPECT_THAT(error("{importance: [1]}"),
              HasSubstr("spec.importance[0]: expected one of priority, startTime"));
  EXPECT_THAT(error("{nodeOrder: [[victimCount]]}"),
              HasSubstr("spec.nodeOrder[0]: expected one of pdbViolations"));
  EXPECT_THAT(error("{sampling: {minPercentage: some}}"),
              HasSubstr("spec.sampling.minPercentage: expected a whole number"));
  EXPECT_THAT(must_fail("apiVersion: reprieve.dev/v1alpha1\nkind: PreemptionPolicy\nspec: greedy\n"),
              HasSubstr("spec: expected an object"));
}

TEST(Policies, EveryCriterionIsInTheTableOnce) {
  std::string importance;
  std::string order;
  for (const auto& entry : importance_criteria()) {
    importance += (importance.empty() ? "" : ", ") + std::string(to_string(entry.criterion));
    EXPECT_FALSE(entry.direction.empty() || entry.formula.empty() || entry.unit.empty());
  }
  for (const auto& entry : node_criteria()) {
    order += (order.empty() ? "" : ", ") + std::string(to_string(entry.criterion));
    EXPECT_FALSE(entry.direction.empty() || entry.formula.empty() || entry.unit.empty());
  }
  const Policy policy = read_policy("{importance: [" + importance + "], nodeOrder: [" + order + "]}");
  EXPECT_EQ(policy.importance.size(), 4U);
  EXPECT_EQ(policy.node_order.size(), 7U);
}

TEST(Policies, ContradictionsAreFoundInPoliciesThatNobodyRead) {
  Policy policy;
  policy.node_order = {};
  EXPECT_EQ(validate(policy)->where.field, "spec.nodeOrder");
  policy = {};
  policy.budgets.below_priority = 1;
  EXPECT_EQ(validate(policy)->where.field, "spec.budgets");
  policy = {};
  policy.sampling = Sampling{.offset = -1};
  EXPECT_EQ(validate(policy)->where.field, "spec.sampling.offset");
  policy = {};
  policy.importance = {ImportanceCriterion::kPriority, ImportanceCriterion::kPriority};
  EXPECT_EQ(validate(policy)->where.field, "spec.importance");
}

}  // namespace
}  // namespace reprieve::manifest
