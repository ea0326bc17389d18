// PreemptionCase documents.
#include <gmock/gmock.h>

#include "reprieve/manifest/read_test_util.h"

namespace reprieve::manifest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kCase = R"(apiVersion: reprieve.dev/v1alpha1
kind: PreemptionCase
metadata:
  name: a-case
  annotations: {reprieve.dev/description: Why it is here.}
spec:
  preemptor: high
  policy: kubernetes-1.36
  extenders:
  - {name: e, ignorable: true, managedResources: [example.com/gpu, {name: example.com/x, ignoredByScheduler: true}], answer: {n1: [low], n2: {victims: [other/x], violations: 2}}}
  - {name: f, error: it is down}
  - {name: g, url: "http://localhost:1", nodeCacheCapable: true}
  - {name: h, supportsPreemption: false}
expect:
  outcome: nominated
  nominated: [n1]
  decidedBy: victimCount
  cleared: []
  candidates: {n1: {victims: [low], violations: 1}}
  nodes: {n2: unschedulable}
  reasons: {n2: [Insufficient cpu]}
expectFor:
  kubernetes-1.37: {outcome: ineligible, reason: because}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: low}, spec: {nodeName: n1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: high}, spec: {priority: 1}}
)";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(kCase);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Cases, AreReadWhole) {
  const Input input = must_read(kCase);
  EXPECT_THAT(input.warnings, testing::IsEmpty());
  const CaseSpec& spec = input.case_spec.value();
  EXPECT_EQ(spec.name, "a-case");
  EXPECT_EQ(spec.description, "Why it is here.");
  EXPECT_EQ(spec.preemptor, "default/high") << "a bare name is of the namespace default";
  EXPECT_EQ(spec.policy, kubernetes_policy(Release::k1_36));
  ASSERT_EQ(spec.extenders.size(), 4U);
  EXPECT_THAT(spec.extenders[0].managed_resources, ElementsAre("example.com/gpu", "example.com/x"));
  EXPECT_THAT(spec.extenders[0].answer->at("n1").victims, ElementsAre("default/low"));
  EXPECT_EQ(spec.extenders[0].answer->at("n2"), (ExtenderVictims{.victims = {"other/x"}, .violations = 2}));
  EXPECT_EQ(spec.extenders[1].error, "it is down");
  EXPECT_EQ(spec.extenders[2].url, "http://localhost:1");
  EXPECT_FALSE(spec.extenders[3].supports_preemption);
  const Expectation& expect = spec.expect.value();
  EXPECT_EQ(expect.outcome, Outcome::kNominated);
  EXPECT_THAT(expect.nominated.value(), ElementsAre("n1"));
  EXPECT_EQ(expect.decided_by, NodeCriterion::kVictimCount);
  EXPECT_TRUE(expect.cleared.value().empty());
  EXPECT_EQ(expect.candidates.at("n1").violations, 1);
  EXPECT_EQ(expect.nodes.at("n2"), NodeStatus::kUnschedulable);
  EXPECT_THAT(expect.reasons.at("n2"), ElementsAre("Insufficient cpu"));
  EXPECT_EQ(spec.expect_for.at("kubernetes-1.37").reason, "because");
  const auto question = to_case(input);
  ASSERT_TRUE(question) << to_string(question.error());
  EXPECT_EQ(question->preemptor, "default/high");
}

TEST(Cases, WithoutAPolicyAskKubernetes) {
  EXPECT_EQ(must_read(replaced("  policy: kubernetes-1.36\n", "")).case_spec->policy, Policy{});
}

TEST(Cases, MayHoldAPolicyOfTheirOwn) {
  const Policy bare =
      must_read(replaced("policy: kubernetes-1.36", "policy: {victims: exact}")).case_spec->policy;
  EXPECT_EQ(bare.victims, VictimSearch::kExact);
  const Policy whole = must_read(replaced("policy: kubernetes-1.36",
                                          "policy: {metadata: {name: mine}, spec: {release: 1.36}}"))
                           .case_spec->policy;
  EXPECT_EQ(whole.name, "mine");
  EXPECT_EQ(whole.release, Release::k1_36);
}

TEST(Cases, AMistakeNamesTheField) {
  EXPECT_THAT(must_fail(replaced("policy: kubernetes-1.36", "policy: kubernetes-1.12")),
              HasSubstr("in.yaml:8:11: spec.policy: unknown policy; built in are kubernetes-1.36"));
  EXPECT_THAT(must_fail(replaced("policy: kubernetes-1.36", "policy: {victims: all}")),
              HasSubstr("spec.policy.victims: unknown value"));
  EXPECT_THAT(must_fail(replaced("policy: kubernetes-1.36", "policies: x")),
              HasSubstr("spec.policies: unknown field; allowed are preemptor, policy, extenders"));
  EXPECT_THAT(must_fail(replaced("  preemptor: high\n", "")), HasSubstr("spec.preemptor: is required"));
  EXPECT_THAT(must_fail(replaced("outcome: nominated", "outcome: won")),
              HasSubstr("expect.outcome: unknown value \"won\"; allowed are fits, ineligible, nominated, "
                        "no-candidate, error"));
  EXPECT_THAT(must_fail(replaced("decidedBy: victimCount", "decidedBy: luck")),
              HasSubstr("expect.decidedBy: unknown value"));
  EXPECT_THAT(must_fail(replaced("{n2: unschedulable}", "{n2: maybe}")),
              HasSubstr("expect.nodes.n2: unknown value"));
  EXPECT_THAT(must_fail(replaced("cleared:", "clear:")), HasSubstr("expect.clear: unknown field"));
  EXPECT_THAT(must_fail(replaced("kubernetes-1.37: {", "mine: {")),
              HasSubstr("expectFor.mine: unknown policy"));
  EXPECT_THAT(must_fail(replaced("error: it is down", "ignorable: true")),
              HasSubstr("spec.extenders[1]: an extender has exactly one of answer, error and url"));
  EXPECT_THAT(must_fail(replaced("error: it is down", "eror: x")),
              HasSubstr("spec.extenders[1].eror: unknown field"));
  EXPECT_THAT(must_fail(std::string(kCase) + "---\n" + std::string(kCase.substr(0, kCase.find("expect:")))),
              HasSubstr("a second PreemptionCase"));
}

TEST(Cases, DuplicatesInOneCaseAreAnErrorEvenWhenIdentical) {
  EXPECT_THAT(must_fail(std::string(kCase) + "---\n{apiVersion: v1, kind: Node, metadata: {name: n1}}\n"),
              HasSubstr("Node n1 occurs twice; the other one is at in.yaml:25"));
}

TEST(Cases, ThePreemptorMustBeThereAndPending) {
  EXPECT_THAT(to_string(to_case(must_read(replaced("preemptor: high", "preemptor: other/high"))).error()),
              HasSubstr("in.yaml:7:14: spec.preemptor: no pod other/high in the input"));
  EXPECT_THAT(to_string(to_case(must_read(replaced("preemptor: high", "preemptor: low"))).error()),
              HasSubstr("spec.preemptor: pod default/low already runs on node n1"));
  EXPECT_THAT(to_string(to_case(must_read(kCase.substr(kCase.find("---")))).error()),
              HasSubstr("no PreemptionCase document"));
  const std::string finished =
      replaced("preemptor: high", "preemptor: done") +
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: done}, status: {phase: Failed}}\n";
  EXPECT_THAT(to_string(to_case(must_read(finished)).error()),
              HasSubstr("in.yaml:7:14: spec.preemptor: pod default/done has finished"));
}

TEST(Cases, ThePreemptorIsANameOrANamespaceAndAName) {
  EXPECT_THAT(must_fail(replaced("preemptor: high", "preemptor: \"\"")),
              HasSubstr("spec.preemptor: is required"));
  for (const std::string_view name : {"a/b/c", "/high", "default/"}) {
    EXPECT_THAT(must_fail(replaced("preemptor: high", "preemptor: " + std::string(name))),
                HasSubstr("in.yaml:7:14: spec.preemptor: expected NAME or NAMESPACE/NAME"));
  }
}

}  // namespace
}  // namespace reprieve::manifest
