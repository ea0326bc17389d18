// What is read of each kind, in JSON and YAML alike, alone, in Lists and in streams.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "reprieve/manifest/read_test_util.h"
#include "reprieve/manifest/write.h"

namespace reprieve::manifest {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(Kinds, EveryFieldOfAPodThatMattersIsRead) {
  const Input input = must_read(R"(
apiVersion: v1
kind: Pod
metadata:
  name: p
  namespace: ns
  uid: u
  labels: {a: b}
  creationTimestamp: 2026-01-01T00:00:01Z
  deletionTimestamp: "1970-01-01T01:00:00.5+01:00"
spec:
  nodeName: n
  priority: -5
  preemptionPolicy: Never
  schedulerName: other
  schedulingGates: [{name: g}]
  hostUsers: false
  terminationGracePeriodSeconds: -1
  overhead: {cpu: 250m}
  tolerations: [{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 3}]
  affinity:
    nodeAffinity:
      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {}}]
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: k, operator: Gt, values: ["1"]}]
          matchFields: [{key: metadata.name, operator: In, values: [n]}]
  volumes:
  - {name: c, persistentVolumeClaim: {claimName: claim, readOnly: true}}
  - {name: e, ephemeral: {volumeClaimTemplate: {}}}
  - {name: g, gcePersistentDisk: {pdName: disk}}
  - {name: r, rbd: {monitors: [m1], image: i, pool: pool}}
  - {name: z, azureDisk: {diskName: d}}
  - {name: o, emptyDir: {}}
  containers:
  - name: c
    restartPolicyRules: [{action: RestartAllContainers, exitCodes: {operator: In, values: [1]}}]
    ports: [{containerPort: 1, hostPort: 2, hostIP: 10.0.0.1, protocol: SCTP}]
status:
  phase: Running
  startTime: 2026-01-01T00:00:00.000001Z
  nominatedNodeName: m
  conditions: [{type: DisruptionTarget, status: "True", reason: PreemptionByScheduler}]
  containerStatuses:
  - {name: c, resources: {}, allocatedResources: {cpu: 1}}
  - {name: d, resources: {requests: {}}}
  resources: {requests: {cpu: 2}}
)");
  ASSERT_THAT(input.cluster.pods, SizeIs(1));
  const Pod& pod = input.cluster.pods.front();
  EXPECT_EQ(full_name(pod), "ns/p");
  EXPECT_EQ(pod.uid, "u");
  EXPECT_EQ(pod.creation_time_us, 1767225601000000);
  EXPECT_EQ(pod.deletion_time_us, 500000);
  EXPECT_EQ(pod.start_time_us, 1767225600000001);
  EXPECT_EQ(pod.priority, -5);
  EXPECT_EQ(pod.preemption_policy, PreemptionPolicy::kNever);
  EXPECT_EQ(pod.scheduler_name, "other");
  EXPECT_THAT(pod.scheduling_gates, ElementsAre("g"));
  EXPECT_EQ(pod.host_users, false);
  EXPECT_EQ(pod.termination_grace_period_s, 1) << "SetDefaults_Pod";
  EXPECT_EQ(pod.overhead.at("cpu"), quantity_from_milli(250));
  EXPECT_EQ(pod.tolerations.at(0),
            (Toleration{.key = "k", .op = TolerationOperator::kExists, .effect = TaintEffect::kNoExecute}));
  const NodeSelectorTerm& term = pod.affinity.required_node_affinity.value().terms.at(0);
  EXPECT_EQ(term.match_expressions.at(0),
            (SelectorRequirement{.key = "k", .op = SelectorOperator::kGt, .values = {"1"}}));
  EXPECT_EQ(term.match_fields.at(0).key, "metadata.name");
  ASSERT_THAT(pod.volumes, SizeIs(6));
  EXPECT_EQ(pod.volumes[0],
            (PodVolume{.name = "c", .kind = VolumeKind::kClaim, .source = "claim", .read_only = true}));
  EXPECT_EQ(pod.volumes[1].kind, VolumeKind::kEphemeral);
  EXPECT_EQ(pod.volumes[2].source, "disk");
  EXPECT_EQ(pod.volumes[3].rbd_pool, "pool");
  EXPECT_EQ(pod.volumes[4].kind, VolumeKind::kOtherMigratable);
  EXPECT_EQ(pod.volumes[5].kind, VolumeKind::kOther);
  EXPECT_TRUE(pod.containers.at(0).restart_all_containers);
  EXPECT_EQ(pod.containers.at(0).ports.at(0),
            (ContainerPort{.container_port = 1, .host_port = 2, .protocol = "SCTP", .host_ip = "10.0.0.1"}));
  EXPECT_EQ(pod.nominated_node_name, "m");
  EXPECT_EQ(pod.conditions.at(0).reason, "PreemptionByScheduler");
  ASSERT_THAT(pod.container_statuses, SizeIs(2));
  EXPECT_TRUE(pod.container_statuses[0].has_resources);
  EXPECT_FALSE(pod.container_statuses[0].requests) << "absent and empty differ";
  EXPECT_TRUE(pod.container_statuses[0].allocated_resources);
  EXPECT_TRUE(pod.container_statuses[1].requests);
  EXPECT_TRUE(pod.has_status_resources);
  EXPECT_EQ(pod.status_requests.value().at("cpu"), (Quantity{.units = 2}));
  EXPECT_FALSE(pod.status_allocated);
}

TEST(Kinds, OfBudgetsTheSelectorAndTheStatusAreRead) {
  const Input input = must_read(R"(
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {selector: {}}, status: {disruptionsAllowed: 2, disruptedPods: {p: 2026-01-01T00:00:00Z}}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: x}, spec: {minAvailable: 50%, selector: null}}
)");
  ASSERT_THAT(input.cluster.budgets, SizeIs(2));
  EXPECT_EQ(input.cluster.budgets[0].selector, LabelSelector{});
  EXPECT_EQ(input.cluster.budgets[0].disruptions_allowed, 2);
  EXPECT_THAT(input.cluster.budgets[0].disrupted_pods, ElementsAre("p"));
  EXPECT_EQ(input.cluster.budgets[1].namespace_, "x");
  EXPECT_FALSE(input.cluster.budgets[1].selector) << "null is absent";
}

TEST(Kinds, StorageObjectsAreRead) {
  const Input input = must_read(R"(
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: c
  uid: u
  deletionTimestamp: 2026-01-01T00:00:00Z
  annotations: {pv.kubernetes.io/bind-completed: "yes", other: x, volume.kubernetes.io/selected-node: n}
  ownerReferences: [{kind: ReplicaSet, uid: r, controller: false}, {kind: Pod, uid: owner, controller: true}]
spec: {accessModes: [ReadWriteOncePod], volumeName: v, volumeMode: Block, resources: {requests: {storage: 1Gi}}, selector: {matchLabels: {a: b}}}
status: {phase: Bound}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: v, labels: {zone: a}}
spec:
  capacity: {storage: 2Gi}
  accessModes: [ReadWriteOnce, ReadOnlyMany, ReadWriteMany]
  csi: {driver: d, volumeHandle: h, nodeStageSecretRef: {}}
  claimRef: {namespace: default, name: c, uid: u}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
status: {phase: Available}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: s}
provisioner: p
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n, annotations: {storage.alpha.kubernetes.io/migrated-plugins: "kubernetes.io/aws-ebs,kubernetes.io/gce-pd"}}
spec: {drivers: [{name: d, nodeID: n, allocatable: {count: 3}}, {name: e, nodeID: n}]}
---
{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: d}, spec: {storageCapacity: true}}
---
{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: a}, spec: {attacher: d, nodeName: n, source: {persistentVolumeName: v}}}
)");
  const Cluster& cluster = input.cluster;
  const PersistentVolumeClaim& claim = cluster.claims.at(0);
  EXPECT_TRUE(claim.deleting);
  EXPECT_EQ(claim.owner_pod_uid, "owner");
  EXPECT_THAT(claim.access_modes, ElementsAre(AccessMode::kReadWriteOncePod));
  EXPECT_THAT(claim.annotations, SizeIs(2));
  EXPECT_EQ(claim.volume_mode, "Block");
  EXPECT_EQ(claim.storage_request, (Quantity{.units = 1 << 30}));
  EXPECT_EQ(claim.phase, "Bound");
  EXPECT_TRUE(claim.selector);
  const PersistentVolume& volume = cluster.volumes.at(0);
  EXPECT_EQ(volume.source_kind, "csi");
  EXPECT_EQ(volume.csi_driver, "d");
  EXPECT_EQ(volume.csi_volume_handle, "h");
  EXPECT_EQ(volume.claim_name, "c");
  EXPECT_THAT(volume.node_affinity.value().terms, SizeIs(1));
  const StorageClass& storage_class = cluster.storage_classes.at(0);
  EXPECT_TRUE(storage_class.wait_for_first_consumer);
  EXPECT_EQ(storage_class.allowed_topologies.at(0).match_expressions.at(0),
            (SelectorRequirement{.key = "zone", .op = SelectorOperator::kIn, .values = {"a", "b"}}));
  EXPECT_THAT(cluster.csi_nodes.at(0).migrated_plugins,
              ElementsAre("kubernetes.io/aws-ebs", "kubernetes.io/gce-pd"));
  EXPECT_EQ(cluster.csi_nodes.at(0).drivers.at(0).allocatable_count, 3);
  EXPECT_FALSE(cluster.csi_nodes.at(0).drivers.at(1).allocatable_count);
  EXPECT_TRUE(cluster.csi_drivers.at(0).storage_capacity);
  EXPECT_EQ(cluster.volume_attachments.at(0).persistent_volume_name, "v");
}

TEST(Kinds, PodsThatHaveEndedHoldNothingAndAreLeftOut) {
  const Input input = must_read(R"(
{apiVersion: v1, kind: Pod, metadata: {name: a}, status: {phase: Succeeded}}
---
{apiVersion: v1, kind: Pod, metadata: {name: b}, status: {phase: Failed}}
---
{apiVersion: v1, kind: Pod, metadata: {name: c}, status: {phase: Unknown}}
)");
  ASSERT_THAT(input.cluster.pods, SizeIs(1));
  EXPECT_EQ(input.cluster.pods[0].name, "c");
}

// Lists and streams

constexpr std::string_view kNodeObject = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}})";
constexpr std::string_view kPodObject = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})";

Cluster two_objects() { return must_read(std::string(kNodeObject) + "\n" + std::string(kPodObject)).cluster; }

TEST(Lists, ObjectsMayStandBehindEachOtherInJson) {
  const Cluster cluster = two_objects();
  EXPECT_THAT(cluster.nodes, SizeIs(1));
  EXPECT_THAT(cluster.pods, SizeIs(1));
  EXPECT_EQ(must_read("\xef\xbb\xbf" + std::string(kNodeObject) + std::string(kPodObject) + "\n\n").cluster,
            cluster);
  EXPECT_EQ(must_read(std::string(kNodeObject) + "\n---\n" + std::string(kPodObject)).cluster, cluster);
}

TEST(Lists, AListIsItsItemsWhereverItsKindStands) {
  const std::string items = "\"items\":[" + std::string(kNodeObject) + " , " + std::string(kPodObject) + "]";
  for (const std::string& list :
       {"{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"}," + items + "}",
        "{\"apiVersion\":\"v1\"," + items + ",\"kind\":\"List\",\"metadata\":{}}", "{ " + items + " }",
        "{\"kind\":\"List\",\"items\":[{\"kind\":\"List\",\"apiVersion\":\"v1\"," + items + "}]}"}) {
    EXPECT_EQ(must_read(list).cluster, two_objects()) << list;
  }
  EXPECT_EQ(must_read("kind: List\napiVersion: v1\nitems:\n- " + std::string(kNodeObject) + "\n- " +
                      std::string(kPodObject) + "\n")
                .cluster,
            two_objects());
}

TEST(Lists, ItemsWithoutAKindAreOfTheListsKind) {
  const std::string item = R"({"metadata":{"name":"p"}})";
  for (const std::string& list : {"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[" + item + "]}",
                                  "{\"items\":[" + item + "],\"kind\":\"PodList\",\"apiVersion\":\"v1\"}",
                                  "kind: PodList\nitems: [" + item + "]\n"}) {
    EXPECT_THAT(must_read(list).cluster.pods, SizeIs(1)) << list;
  }
  EXPECT_EQ(must_fail("{\"items\":[" + item + "],\"kind\":\"List\"}"),
            "in.yaml:1:11: items[0].kind: is required");
  EXPECT_THAT(must_read("{\"kind\":\"PodList\",\"items\":null}").cluster.pods, SizeIs(0));
}

TEST(Lists, IndentationIsAHintAndNeverTrusted) {
  // The closing line of "metadata" has the indentation of the item.
  const std::string odd =
      "{\n\"items\": [\n  {\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\n    \"name\":\"n\"\n  "
      "},\n  \"x\":1},\n  " +
      std::string(kPodObject) + "\n]}";
  EXPECT_EQ(must_read(odd).cluster, two_objects());
  // A string that looks like a closing line.
  const std::string text =
      "{\n\"items\": [\n  {\"apiVersion\":\"v1\",\"kind\":\"Node\",\n    \"a\":\"\\n  "
      "}\",\"metadata\":{\"name\":\"n\"}\n  },\n  " +
      std::string(kPodObject) + "\n]}";
  EXPECT_EQ(must_read(text).cluster, two_objects());
}

TEST(Lists, AListLargerThanTheWindowIsReadWhole) {
  for (const bool indented : {true, false}) {
    const std::string line = indented ? "\n" : "", space = indented ? "    " : "";
    std::string text = "{\"apiVersion\":\"v1\",\"items\":[" + line;
    const std::string filler(9000, 'x');
    for (int i = 0; i < 1000; ++i) {
      text += (i > 0 ? "," + line : "") + space + "{" + line + space + space +
              R"("apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"a":")" + filler +
              R"("},"name":"p)" + std::to_string(i) + "\"}" + line + space + "}";
    }
    text += line + "],\"kind\":\"List\"}";
    const Input input = must_read(text);
    ASSERT_THAT(input.cluster.pods, SizeIs(1000));
    EXPECT_EQ(input.cluster.pods.back().name, "p999");
    const std::size_t last = text.rfind("\"name\"");
    EXPECT_THAT(must_fail(text.substr(0, last) + "\"nam\"" + text.substr(last + 6)),
                testing::HasSubstr(indented ? "in.yaml:3000:51: items[999].metadata.name: is required"
                                            : "items[999].metadata.name: is required"));
  }
}

TEST(Lists, YamlAndJsonReadAlike) {
  const Input input = must_read(pod_yaml(R"(priority: 1
containers: [{name: c, resources: {requests: {cpu: 1500m, memory: 2Gi}}}]
tolerations: [{key: "yes", value: "1"}])"));
  EXPECT_EQ(must_read(write_json(input.cluster, -1)).cluster, input.cluster);
  EXPECT_EQ(must_read(write_json(input.cluster, 4)).cluster, input.cluster);
}

TEST(Yaml, MergeKeysTakeOverWhatIsNotGiven) {
  const Input input = must_read(R"(
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  nodeSelector: &base {a: "1", b: "2"}
  containers:
  - name: c
---
apiVersion: v1
kind: Pod
metadata: {name: q}
x: &base {a: "1", b: "2"}
spec:
  nodeSelector: {<<: *base, b: "3"}
)");
  EXPECT_EQ(input.cluster.pods.at(1).node_selector, (Labels{{"a", "1"}, {"b", "3"}}));
}

// Files

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("reprieve_files_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

TEST_F(Files, OfAFolderAreReadByNameAndTheFormatIsToldFromTheContent) {
  write("b.json", "apiVersion: v1\nkind: Node\nmetadata: {name: second}\n");
  write("a.yaml", R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"first"}})");
  write("sub/c.yml", "apiVersion: v1\nkind: Node\nmetadata: {name: third}\n");
  write("notes.txt", "not a manifest");
  const auto input = read_files({folder_.string()});
  ASSERT_TRUE(input) << to_string(input.error());
  ASSERT_THAT(input->cluster.nodes, SizeIs(3));
  EXPECT_EQ(input->cluster.nodes[0].name, "first");
  EXPECT_EQ(input->cluster.nodes[1].name, "second");
  EXPECT_EQ(input->cluster.nodes[2].name, "third");
}

TEST_F(Files, TheSameObjectInTwoFilesIsAWarningAndADifferentOneAnError) {
  const std::string a = write("a.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: x}\n");
  const std::string b = write("b.yaml", "\n\napiVersion: v1\nkind: Node\nmetadata: {name: x}\n");
  const auto same = read_files({a, b});
  ASSERT_TRUE(same) << to_string(same.error());
  EXPECT_THAT(same->cluster.nodes, SizeIs(1));
  ASSERT_THAT(same->warnings, SizeIs(1));
  EXPECT_EQ(same->warnings[0].first.file, b);
  EXPECT_EQ(same->warnings[0].first.line, 3U);
  const std::string c = write("c.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: x, labels: {a: b}}\n");
  const auto other = read_files({a, c});
  ASSERT_FALSE(other);
  EXPECT_EQ(to_string(other.error()),
            c + ":1:1: Node x occurs twice, with different contents; the other one is at " + a + ":1");
}

TEST_F(Files, AnEmptyFolderIsAnError) {
  EXPECT_THAT(to_string(read_files({(folder_ / "sub").string()}).error()), testing::HasSubstr("no *.yaml"));
}

}  // namespace
}  // namespace reprieve::manifest
