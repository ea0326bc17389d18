// What is ignored or doubted is said once, with a count and the first place.
#include <gmock/gmock.h>

#include "reprieve/manifest/read_test_util.h"

namespace reprieve::manifest {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(Warnings, NameEachIgnoredKindOnceWithACount) {
  const Input input = must_read(R"(
{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: a}}
---
{apiVersion: example.com/v1, kind: Node, metadata: {name: a}}
)");
  ASSERT_THAT(input.warnings, SizeIs(4));
  EXPECT_EQ(to_string(input.warnings[0]), "in.yaml:6:1: kind ConfigMap is ignored");
  EXPECT_EQ(to_string(input.warnings[1]),
            "in.yaml:2:1: kind Deployment of apps is ignored (2 times; this is the first)");
  EXPECT_EQ(input.warnings[1].count, 2U);
  EXPECT_EQ(input.warnings[2].message, "kind Node of example.com is ignored");
  EXPECT_EQ(input.warnings[3].message,
            "kind ResourceClaim of resource.k8s.io is not modelled, though it can change a decision");
  EXPECT_THAT(input.cluster.nodes, IsEmpty());
}

TEST(Warnings, PodsOnAbsentNodesAreCounted) {
  const Input input = must_read(R"(
{apiVersion: v1, kind: Node, metadata: {name: x}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {nodeName: gone}}
---
{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {nodeName: gone}}
---
{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {nodeName: x}}
)");
  ASSERT_THAT(input.warnings, SizeIs(1));
  EXPECT_EQ(to_string(input.warnings[0]),
            "in.yaml:4: spec.nodeName: a pod runs on a node that is not in the input; it holds nothing (2 "
            "times; this is the first)");
}

TEST(Warnings, OfFieldsThatAreNotModelled) {
  EXPECT_TRUE(warns(must_read(pod_yaml("resourceClaims: [{name: gpu}]")),
                    "spec.resourceClaims: dynamic resource claims are not modelled"));
  EXPECT_TRUE(
      warns(must_read(pod_yaml("schedulingGroup: {podGroupName: g}")), "pod groups are not modelled"));
  EXPECT_TRUE(warns(must_read(pod_yaml("nodeSelectors: {a: b}")),
                    "spec.nodeSelectors: unknown field of a pod's spec"));
  EXPECT_TRUE(warns(must_read(pod_yaml("containers: [{name: c, resource: {}}]")),
                    "spec.containers[0].resource: unknown field of a container"));
  EXPECT_TRUE(warns(must_read("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}}"),
                    "without status.disruptionsAllowed"));
  EXPECT_TRUE(
      warns(must_read("{apiVersion: v1, kind: Pod, metadata: {name: p}, status: {nominatedNodeName: x}}"),
            "about to be bound"));
  EXPECT_EQ(read_pod("resourceClaims: [{name: gpu}]").resource_claims, (std::vector<std::string>{"gpu"}));
  EXPECT_EQ(read_pod("schedulingGroup: {podGroupName: g}").scheduling_group, "g");
}

TEST(Warnings, OfInvalidSelectorsThatTheSchedulerTolerates) {
  const auto budget = [](std::string_view selector) {
    return must_read(
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: " +
        std::string(selector) + "}, status: {disruptionsAllowed: 1}}");
  };
  for (const std::string_view invalid :
       {"{matchExpressions: [{key: a, operator: Near, values: [b]}]}",
        "{matchExpressions: [{key: a, operator: In}]}",
        "{matchExpressions: [{key: a, operator: Exists, values: [b]}]}",
        "{matchExpressions: [{key: a, operator: Gt, values: ['1']}]}", "{matchExpressions: [{key: a}]}",
        "{matchLabels: {-a: b}}", "{matchLabels: {a: 'b c'}}", "{matchLabels: {/a: b}}"}) {
    const Input input = budget(invalid);
    EXPECT_THAT(input.cluster.budgets, SizeIs(1)) << invalid;
    EXPECT_TRUE(warns(input, "invalid selector")) << invalid;
  }
  EXPECT_EQ(budget("{matchExpressions: [{key: a, operator: Near}]}")
                .cluster.budgets[0]
                .selector->match_expressions[0]
                .op,
            SelectorOperator::kInvalid);
  for (const std::string_view valid :
       {"{}", "{matchLabels: {a.b/c: d}}", "{matchExpressions: [{key: a, operator: NotIn, values: ['']}]}"}) {
    EXPECT_THAT(budget(valid).warnings, IsEmpty()) << valid;
  }
  const std::string affinity =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [";
  EXPECT_TRUE(
      warns(must_read(pod_yaml(affinity + "{matchExpressions: [{key: a, operator: Gt, values: [x]}]}]}}}")),
            "invalid selector"));
  EXPECT_TRUE(
      warns(must_read(pod_yaml(affinity + "{matchFields: [{key: spec.x, operator: In, values: [x]}]}]}}}")),
            "invalid selector"));
  EXPECT_FALSE(
      warns(must_read(pod_yaml(affinity + "{matchExpressions: [{key: a, operator: Lt, values: ['7']}]}]}}}")),
            "invalid selector"));
}

TEST(Warnings, OfKindsThatAreAbsentAltogether) {
  const Input input = must_read(pod_yaml("volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]"));
  EXPECT_TRUE(warns(input, "no PersistentVolumeClaim is in the input"));
  EXPECT_TRUE(warns(input, "no PersistentVolume is in the input"));
  EXPECT_TRUE(warns(input, "no StorageClass is in the input"));
  EXPECT_TRUE(warns(input, "no CSINode is in the input"));
  const std::string affinity =
      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, "
      "labelSelector: {}, namespaceSelector: ";
  EXPECT_TRUE(
      warns(must_read(pod_yaml(affinity + "{matchLabels: {a: b}}}]}}")), "no Namespace is in the input"));
  EXPECT_FALSE(warns(must_read(pod_yaml(affinity + "{}}]}}")), "no Namespace is in the input"))
      << "every namespace";
  EXPECT_THAT(must_read(pod_yaml("volumes: [{name: v, emptyDir: {}}]")).warnings, IsEmpty());
}

TEST(Warnings, OfMigratedVolumesWhenPluginsAreMigrated) {
  const std::string volume = pod_yaml("volumes: [{name: v, awsElasticBlockStore: {volumeID: d}}]");
  EXPECT_FALSE(warns(must_read(volume), "migrated to CSI"));
  EXPECT_TRUE(
      warns(must_read(volume +
                      "---\n{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: x, annotations: "
                      "{storage.alpha.kubernetes.io/migrated-plugins: kubernetes.io/aws-ebs}}}\n"),
            "migrated to CSI"));
}

TEST(Warnings, AreNotGivenForWhatCannotMatter) {
  const Input input = must_read(R"(
apiVersion: v1
kind: Pod
metadata: {name: p, managedFields: [{manager: x}], annotations: {a: b}, finalizers: [f], resourceVersion: "1"}
spec: {dnsPolicy: ClusterFirst, restartPolicy: Always, serviceAccount: default, enableServiceLinks: true, securityContext: {}}
status: {qosClass: Burstable, hostIP: 10.0.0.1, podIPs: [{ip: 10.0.0.2}], ephemeralContainerStatuses: []}
---
apiVersion: v1
kind: Node
metadata: {name: x, annotations: {a: b}}
spec: {podCIDR: 10.0.0.0/24, providerID: x}
status: {images: [], conditions: [{type: Ready, status: "True"}], nodeInfo: {}}
)");
  EXPECT_THAT(input.warnings, IsEmpty());
}

}  // namespace
}  // namespace reprieve::manifest
