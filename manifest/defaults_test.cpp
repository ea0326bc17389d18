// Each default that the API server or an admission plugin applies to a hand-written manifest.
#include <gmock/gmock.h>

#include "reprieve/manifest/read_test_util.h"

namespace reprieve::manifest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr Quantity whole(std::int64_t units) { return {.units = units}; }

TEST(Defaults, OfABarePodAreThoseOfTheApiServer) {
  const Pod pod = read_pod("containers: [{name: c}]");
  EXPECT_EQ(pod.namespace_, "default");
  EXPECT_EQ(pod.priority, 0);
  EXPECT_EQ(pod.preemption_policy, PreemptionPolicy::kPreemptLowerPriority);
  EXPECT_EQ(pod.scheduler_name, "default-scheduler");
  EXPECT_EQ(pod.phase, PodPhase::kPending);
  EXPECT_FALSE(pod.pod_level_requests);
}

TEST(Defaults, PriorityAndPolicyComeFromTheClass) {
  const Input input = must_read(R"(
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
preemptionPolicy: Never
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {priorityClassName: high}
)");
  EXPECT_EQ(input.cluster.pods.at(0).priority, 1000);
  EXPECT_EQ(input.cluster.pods.at(0).preemption_policy, PreemptionPolicy::kNever);
}

TEST(Defaults, AClassThatStandsBehindItsPodsIsFoundToo) {
  const Input input = must_read(R"(
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {priorityClassName: high}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 7}
)");
  EXPECT_EQ(input.cluster.pods.at(0).priority, 7);
}

TEST(Defaults, WithoutAClassTheLowestGlobalDefaultCounts) {
  const Input input = must_read(R"(
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: a}, value: 9, globalDefault: true}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: b}, value: 5, globalDefault: true, preemptionPolicy: Never}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}}
---
{apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {priority: 3}}
)");
  EXPECT_EQ(input.cluster.pods.at(0).priority, 5);
  EXPECT_EQ(input.cluster.pods.at(0).preemption_policy, PreemptionPolicy::kNever);
  EXPECT_EQ(input.cluster.pods.at(1).priority, 3) << "a priority that is given stays";
  EXPECT_EQ(input.cluster.pods.at(1).preemption_policy, PreemptionPolicy::kPreemptLowerPriority);
}

TEST(Defaults, APriorityThatIsGivenWinsOverItsClass) {
  const Input input = must_read(R"(
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: a}, value: 9, preemptionPolicy: Never}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {priority: 4, priorityClassName: a}}
---
{apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {priority: 4, priorityClassName: gone}}
---
{apiVersion: v1, kind: Pod, metadata: {name: r}, spec: {priorityClassName: a, preemptionPolicy: PreemptLowerPriority}}
)");
  EXPECT_EQ(input.cluster.pods.at(0).priority, 4);
  EXPECT_EQ(input.cluster.pods.at(0).preemption_policy, PreemptionPolicy::kNever);
  EXPECT_EQ(input.cluster.pods.at(1).priority, 4);
  EXPECT_EQ(input.cluster.pods.at(2).priority, 9);
  EXPECT_EQ(input.cluster.pods.at(2).preemption_policy, PreemptionPolicy::kPreemptLowerPriority);
}

TEST(Defaults, TheSystemClassesNeedNotBeInTheInput) {
  EXPECT_EQ(read_pod("priorityClassName: system-node-critical").priority, 2000001000);
  EXPECT_EQ(read_pod("priorityClassName: system-cluster-critical").priority, 2000000000);
}

TEST(Defaults, WhatHasALimitAndNoRequestAsksForItsLimit) {
  const Pod pod = read_pod(R"(containers:
- name: a
  resources: {limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 500m}}
- name: b
initContainers:
- name: c
  restartPolicy: Always
  resources: {limits: {example.com/gpu: 1}})");
  EXPECT_THAT(pod.containers.at(0).requests,
              ElementsAre(Pair("cpu", quantity_from_milli(500)), Pair("memory", whole(1 << 30))));
  EXPECT_THAT(pod.containers.at(1).requests, IsEmpty());
  EXPECT_THAT(pod.init_containers.at(0).requests, ElementsAre(Pair("example.com/gpu", whole(1))));
  EXPECT_TRUE(pod.init_containers.at(0).restart_always);
}

TEST(Defaults, PodLevelRequestsComeFromTheContainersAndThenFromThePodsLimits) {
  // cpu: 1 + 2 of the containers, but 4 while the first init container runs beside no sidecar;
  // memory: nobody asks, so the limit; extended resources never.
  const Pod pod = read_pod(R"(resources: {limits: {cpu: 8, memory: 2Gi}}
containers:
- {name: a, resources: {requests: {cpu: 1}}}
- {name: b, resources: {requests: {cpu: 2, example.com/gpu: 1}}}
initContainers:
- {name: i, resources: {requests: {cpu: 4}}})");
  ASSERT_TRUE(pod.pod_level_requests);
  EXPECT_THAT(*pod.pod_level_requests, ElementsAre(Pair("cpu", whole(4)), Pair("memory", whole(2LL << 30))));
}

TEST(Defaults, ASidecarCountsBesideTheInitContainersBehindIt) {
  const Pod pod = read_pod(R"(resources: {limits: {cpu: 9}}
containers: [{name: a, resources: {requests: {cpu: 1}}}]
initContainers:
- {name: before, resources: {requests: {cpu: 3}}}
- {name: sidecar, restartPolicy: Always, resources: {requests: {cpu: 2}}}
- {name: behind, resources: {requests: {cpu: 3}}})");
  EXPECT_THAT(pod.pod_level_requests.value(), ElementsAre(Pair("cpu", whole(5))));
}

TEST(Defaults, PodLevelHugePagesComeFromTheContainersLimits) {
  const Pod pod = read_pod(R"(resources: {requests: {cpu: 1}}
containers: [{name: a, resources: {limits: {hugepages-2Mi: 4Mi}}}])");
  EXPECT_THAT(pod.pod_level_requests.value(),
              ElementsAre(Pair("cpu", whole(1)), Pair("hugepages-2Mi", whole(4 << 20))));
}

TEST(Defaults, PodLevelRequestsWithoutLimitsStayAsTheyAre) {
  const Pod pod = read_pod(R"(resources: {requests: {cpu: 3}}
containers: [{name: a, resources: {requests: {memory: 1Gi}}}])");
  EXPECT_THAT(pod.pod_level_requests.value(), ElementsAre(Pair("cpu", whole(3))));
}

TEST(Defaults, OnTheHostsNetworkEveryContainerPortIsAHostPort) {
  const std::string ports =
      "containers: [{name: a, ports: [{containerPort: 80}, {containerPort: 81, hostPort: 82, protocol: "
      "UDP}]}]\n"
      "initContainers: [{name: b, ports: [{containerPort: 90}]}]";
  const Pod host = read_pod("hostNetwork: true\n" + ports);
  EXPECT_EQ(host.containers.at(0).ports.at(0).host_port, 80);
  EXPECT_EQ(host.containers.at(0).ports.at(0).protocol, "TCP");
  EXPECT_EQ(host.containers.at(0).ports.at(1).host_port, 82);
  EXPECT_EQ(host.init_containers.at(0).ports.at(0).host_port, 90);
  EXPECT_EQ(read_pod(ports).containers.at(0).ports.at(0).host_port, 0);
}

TEST(Defaults, AllocatableIsTheCapacityOnlyWhenItIsAbsent) {
  const auto node = [](std::string_view status) {
    return must_read("{apiVersion: v1, kind: Node, metadata: {name: n}, status: " + std::string(status) + "}")
        .cluster.nodes.at(0);
  };
  EXPECT_THAT(node("{capacity: {cpu: 4}}").allocatable, ElementsAre(Pair("cpu", whole(4))));
  EXPECT_THAT(node("{capacity: {cpu: 4}, allocatable: {pods: 1}}").allocatable,
              ElementsAre(Pair("pods", whole(1))));
  EXPECT_THAT(node("{capacity: {cpu: 4}, allocatable: {}}").allocatable, IsEmpty());
}

TEST(Defaults, ANamespaceCarriesItsNameAsALabel) {
  const Input input = must_read("{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {x: y}}}");
  EXPECT_THAT(input.cluster.namespaces.at(0).labels,
              ElementsAre(Pair("kubernetes.io/metadata.name", "a"), Pair("x", "y")));
}

TEST(Defaults, LabelKeysOfAffinityAreMergedOnceIntoTheSelector) {
  const std::string_view spec = R"(affinity:
  podAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
    - {topologyKey: zone, labelSelector: {matchLabels: {x: y}}, matchLabelKeys: [app, absent]}
    - {topologyKey: zone, labelSelector: {matchExpressions: [{key: app, operator: In, values: [a]}]}, matchLabelKeys: [app]}
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
    - {topologyKey: zone, labelSelector: {}, mismatchLabelKeys: [app]}
    - {topologyKey: zone, matchLabelKeys: [app]})";
  const Pod pod = read_pod(spec);
  const SelectorRequirement in{.key = "app", .op = SelectorOperator::kIn, .values = {"a"}};
  const SelectorRequirement not_in{.key = "app", .op = SelectorOperator::kNotIn, .values = {"a"}};
  const auto& affinity = pod.affinity.required_pod_affinity;
  const auto& anti = pod.affinity.required_pod_anti_affinity;
  EXPECT_THAT(affinity.at(0).label_selector->match_expressions, ElementsAre(in));
  EXPECT_THAT(affinity.at(1).label_selector->match_expressions, ElementsAre(in))
      << "a dump has merged it already";
  EXPECT_THAT(anti.at(0).label_selector->match_expressions, ElementsAre(not_in));
  EXPECT_FALSE(anti.at(1).label_selector) << "no selector selects nothing, and stays so";
}

TEST(Defaults, OfTopologySpreadAreTheSchedulersInclusionPolicies) {
  const Pod pod = read_pod(
      "topologySpreadConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, "
      "matchLabelKeys: [app]}]");
  const TopologySpreadConstraint& constraint = pod.topology_spread_constraints.at(0);
  EXPECT_EQ(constraint.node_affinity_policy, NodeInclusionPolicy::kHonor);
  EXPECT_EQ(constraint.node_taints_policy, NodeInclusionPolicy::kIgnore);
  EXPECT_FALSE(constraint.min_domains);
  EXPECT_FALSE(constraint.label_selector);
  EXPECT_THAT(constraint.match_label_keys, ElementsAre("app")) << "the scheduler merges these itself";
}

TEST(Defaults, ATolerationWithoutOperatorIsEqual) {
  const Pod pod =
      read_pod("tolerations: [{key: a, value: b}, {operator: Exists}, {key: a, operator: Lt, value: '1'}]");
  EXPECT_EQ(pod.tolerations.at(0).op, TolerationOperator::kEqual);
  EXPECT_EQ(pod.tolerations.at(0).effect, TaintEffect::kAny);
  EXPECT_EQ(pod.tolerations.at(2).op, TolerationOperator::kLt);
}

TEST(Defaults, ABetaAnnotationIsAStorageClassAndComesFirst) {
  const Input input = must_read(R"(
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: c, annotations: {volume.beta.kubernetes.io/storage-class: old}}
spec: {storageClassName: new}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: v, annotations: {volume.beta.kubernetes.io/storage-class: old}}
spec: {storageClassName: new}
)");
  EXPECT_EQ(input.cluster.claims.at(0).storage_class_name, "old");
  EXPECT_EQ(input.cluster.claims.at(0).volume_mode, "Filesystem");
  EXPECT_EQ(input.cluster.volumes.at(0).storage_class_name, "old");
}

TEST(Defaults, AClaimWithoutClassGetsTheNewestDefaultClassUnlessItSaysNone) {
  const Input input = must_read(R"(
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: old, creationTimestamp: "2020-01-01T00:00:00Z", annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: x
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: new, creationTimestamp: "2021-01-01T00:00:00Z", annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: x
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: b}, spec: {storageClassName: ""}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {volumeName: v}}
)");
  EXPECT_EQ(input.cluster.claims.at(0).storage_class_name, "new");
  EXPECT_EQ(input.cluster.claims.at(1).storage_class_name, "");
  EXPECT_FALSE(input.cluster.claims.at(2).storage_class_name) << "a bound claim stays as it is";
  EXPECT_FALSE(input.cluster.storage_classes.at(0).wait_for_first_consumer);
}

TEST(Defaults, RbdVolumesAreInThePoolRbd) {
  EXPECT_EQ(read_pod("volumes: [{name: v, rbd: {monitors: [m], image: i}}]").volumes.at(0).rbd_pool, "rbd");
}

TEST(Defaults, QuantitiesMayBeNumbers) {
  const Pod pod =
      read_pod("containers: [{name: c, resources: {requests: {cpu: 0.5, memory: 1e3, x.y/z: 010}}}]");
  EXPECT_THAT(pod.containers.at(0).requests,
              ElementsAre(Pair("cpu", quantity_from_milli(500)), Pair("memory", whole(1000)),
                          Pair("x.y/z", whole(8))))
      << "010 is eight in YAML 1.1";
}

TEST(Defaults, ANumberIsReadByItsDigitsAndNotAsADouble) {
  const Input input = must_read(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":0.0010000000000000000000001,"memory":9007199254740993.5}}}]}})");
  const ResourceList& requests = input.cluster.pods.at(0).containers.at(0).requests;
  EXPECT_EQ(requests.at("cpu"), quantity_from_milli(2)) << "a double would say 0.001";
  EXPECT_EQ(requests.at("memory"), (Quantity{.units = 9007199254740993, .milli = 500}));
}

}  // namespace
}  // namespace reprieve::manifest
