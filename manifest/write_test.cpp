#include "reprieve/manifest/write.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace reprieve::manifest {
namespace {

using nlohmann::json;

Pod pod(std::string name, std::int32_t priority) {
  Pod result;
  result.name = std::move(name);
  result.priority = priority;
  result.containers = {{.name = "c", .requests = {{"cpu", {.units = 1, .milli = 0}}}}};
  return result;
}

Case question() {
  Case result;
  result.name = "low-goes";
  result.preemptor = "default/high";
  result.policy = kubernetes_policy(Release::k1_37);
  Node node;
  node.name = "n1";
  node.allocatable = {{"cpu", {.units = 1, .milli = 0}}, {"pods", {.units = 110, .milli = 0}}};
  result.cluster.nodes = {node};
  Pod low = pod("low", 0);
  low.labels = {{"app", "a"}};
  low.node_name = "n1";
  low.phase = PodPhase::kRunning;
  low.start_time_us = 1'767'225'600'000'000;
  result.cluster.pods = {low, pod("high", 10)};
  result.cluster.budgets = {{.name = "b1", .selector = LabelSelector{.match_labels = {{"app", "a"}}}}};
  return result;
}

TEST(WriteCaseYaml, ReadsLikeOneThatAPersonWrote) {
  CaseSpec spec;
  spec.description = "One pod has to go.";
  spec.expect = Expectation{.outcome = Outcome::kNominated,
                            .nominated = std::vector<std::string>{"n1"},
                            .candidates = {{"n1", {.victims = {"default/low"}, .violations = 1}}}};
  spec.expect_for["kubernetes-1.36"] = Expectation{.nodes = {{"n1", NodeStatus::kCandidate}}};
  EXPECT_EQ(write_case_yaml(question(), &spec),
            R"(apiVersion: reprieve.dev/v1alpha1
kind: PreemptionCase
metadata: {name: low-goes, annotations: {reprieve.dev/description: "One pod has to go."}}
spec: {preemptor: default/high, policy: kubernetes-1.37}
expect:
  outcome: nominated
  nominated: [n1]
  candidates: {n1: {victims: [default/low], violations: 1}}
expectFor: {kubernetes-1.36: {nodes: {n1: candidate}}}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: 1, pods: 110}}
---
apiVersion: v1
kind: Pod
metadata: {name: low, labels: {app: a}}
spec:
  nodeName: n1
  priority: 0
  containers:
  - {name: c, resources: {requests: {cpu: 1}}}
status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}
---
apiVersion: v1
kind: Pod
metadata: {name: high}
spec:
  priority: 10
  containers:
  - {name: c, resources: {requests: {cpu: 1}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: b1}
spec: {selector: {matchLabels: {app: a}}}
status: {disruptionsAllowed: 0}
)");
}

TEST(WriteCaseYaml, WritesThePreemptionPolicyWhereAClassWouldSupplyAnother) {
  Case changed = question();
  changed.cluster.priority_classes = {
      {.name = "meek", .value = 0, .global_default = true, .preemption_policy = PreemptionPolicy::kNever}};
  EXPECT_NE(write_case_yaml(changed).find("preemptionPolicy: PreemptLowerPriority"), std::string::npos);
  EXPECT_EQ(write_case_yaml(question()).find("preemptionPolicy"), std::string::npos);
}

TEST(WriteJson, IsAListAsKubectlPrintsIt) {
  const json list = json::parse(write_json(question().cluster, 4));
  EXPECT_EQ(list["kind"], "List");
  EXPECT_EQ(list["apiVersion"], "v1");
  ASSERT_EQ(list["items"].size(), 4U);
  EXPECT_EQ(list["items"][0]["kind"], "Node");
  EXPECT_EQ(list["items"][1]["status"]["startTime"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(json::parse(write_json(question().cluster, -1)), list);
  EXPECT_EQ(write_json(question().cluster, -1).find('\n'), std::string::npos);
  EXPECT_EQ(json::parse(write_json({}, 4))["items"], json::array());
}

TEST(WriteJson, WritesTimesWithAFractionOnlyWhenThereIsOne) {
  Cluster cluster;
  cluster.pods = {pod("a", 0), pod("b", 0), pod("c", 0)};
  cluster.pods[0].start_time_us = 0;
  cluster.pods[1].start_time_us = 1'767'225'600'000'001;
  cluster.pods[2].start_time_us = -1;
  const json items = json::parse(write_json(cluster, -1))["items"];
  EXPECT_EQ(items[0]["status"]["startTime"], "1970-01-01T00:00:00Z");
  EXPECT_EQ(items[1]["status"]["startTime"], "2026-01-01T00:00:00.000001Z");
  EXPECT_EQ(items[2]["status"]["startTime"], "1969-12-31T23:59:59.999999Z");
}

TEST(WriteJson, TellsAbsentFromEmpty) {
  Cluster cluster;
  cluster.pods = {pod("absent", 0), pod("empty", 0)};
  cluster.pods[1].pod_level_requests.emplace();
  cluster.pods[1].container_statuses = {{.name = "c", .has_resources = true, .requests = ResourceList{}}};
  cluster.budgets = {{.name = "absent"}, {.name = "empty", .selector = LabelSelector{}}};
  const json items = json::parse(write_json(cluster, -1))["items"];
  EXPECT_FALSE(items[0]["spec"].contains("resources"));
  EXPECT_EQ(items[1]["spec"]["resources"]["requests"], json::object());
  EXPECT_EQ(items[1]["status"]["containerStatuses"][0]["resources"]["requests"], json::object());
  EXPECT_FALSE(items[2]["spec"].contains("selector"));
  EXPECT_EQ(items[3]["spec"]["selector"], json::object());
}

TEST(WritePolicyYaml, SaysEveryField) {
  Policy policy = kubernetes_policy(Release::k1_36);
  policy.name = "mine";
  policy.victims = VictimSearch::kExact;
  policy.budgets = {.guaranteed = true, .below_priority = 100};
  policy.violations = ViolationCount::kActual;
  policy.sampling = Sampling{.min_percentage = 10, .min_absolute = 100, .offset = 3};
  EXPECT_EQ(write_policy_yaml(policy),
            R"(apiVersion: reprieve.dev/v1alpha1
kind: PreemptionPolicy
metadata: {name: mine}
spec:
  release: "1.36"
  victims: exact
  budgets: {guaranteed: {belowPriority: 100}}
  charging: everyBudget
  violations: actual
  importance: [priority, startTime]
  nodeOrder: [pdbViolations, highestPriority, prioritySum, victimCount, latestStart]
  sampling: {minPercentage: 10, minAbsolute: 100, offset: 3}
)");
}

}  // namespace
}  // namespace reprieve::manifest
