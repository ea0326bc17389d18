// Claims, volumes, classes, attach limits, and the pods that use them.
#include <algorithm>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

constexpr std::int64_t kGi = 1024LL * 1024 * 1024;
constexpr std::string_view kDriver = "csi.example.com";

bool any_volumes(const Draft& draft) { return !(draft.on & volume_features()).empty(); }

void add_classes(Draft& draft) {
  draft.cluster().storage_classes.push_back({.name = "immediate", .provisioner = std::string(kDriver)});
  draft.cluster().storage_classes.push_back(
      {.name = "late", .provisioner = std::string(kDriver), .wait_for_first_consumer = true});
  // Without a provisioner a claim can only be bound to a volume that is there.
  draft.cluster().storage_classes.push_back(
      {.name = "static", .provisioner = "kubernetes.io/no-provisioner", .wait_for_first_consumer = true});
  if (draft.now(Feature::kVolumeZones)) {
    draft.cluster().storage_classes[1].allowed_topologies.push_back(
        {.match_expressions = {{.key = "topology.kubernetes.io/zone",
                                .op = SelectorOperator::kIn,
                                .values = {"a"}}},
         .match_fields = {}});
  }
}

NodeSelector zone_affinity(Draft& draft) {
  const std::string zone = draft.random.coin() ? "a" : "b";
  return {.terms = {{.match_expressions = {{.key = "topology.kubernetes.io/zone",
                                            .op = SelectorOperator::kIn,
                                            .values = {zone}}},
                     .match_fields = {}}}};
}

AccessMode access_mode(Draft& draft) {
  static constexpr std::array kModes = {AccessMode::kReadWriteOnce, AccessMode::kReadWriteOnce,
                                        AccessMode::kReadWriteMany, AccessMode::kReadOnlyMany};
  if (draft.now(Feature::kReadWriteOncePod)) return AccessMode::kReadWriteOncePod;
  return draft.random.pick(kModes);
}

PersistentVolume volume(Draft& draft, int number, AccessMode mode, const std::string& storage_class) {
  PersistentVolume result;
  result.name = draft.numbered("v", number);
  result.access_modes = {mode};
  result.storage_class_name = storage_class;
  result.capacity = {.units = kGi, .milli = 0};
  result.source_kind = "csi";
  result.csi_driver = kDriver;
  // Two volumes of one handle are one attachment.
  result.csi_volume_handle =
      draft.numbered("h", draft.random.percent(10) && number > 1 ? number - 1 : number);
  if (draft.now(Feature::kVolumeZones)) {
    static constexpr std::array<std::string_view, 4> kZones = {"a", "b", "a__b", "c"};
    // The beta label is held against a node's general one.
    const bool beta = draft.random.percent(25);
    result.labels[beta ? "failure-domain.beta.kubernetes.io/zone" : "topology.kubernetes.io/zone"] =
        draft.random.pick(kZones);
  }
  if (draft.now(Feature::kVolumeNodeAffinity)) result.node_affinity = zone_affinity(draft);
  return result;
}

void bind(PersistentVolumeClaim& claim, PersistentVolume& bound) {
  claim.volume_name = bound.name;
  claim.annotations["pv.kubernetes.io/bind-completed"] = "yes";
  claim.phase = "Bound";
  bound.has_claim_ref = true;
  bound.claim_namespace = claim.namespace_;
  bound.claim_name = claim.name;
  bound.claim_uid = claim.uid;
  bound.phase = "Bound";
}

void break_claim(Draft& draft, PersistentVolumeClaim& claim) {
  switch (draft.random.below(3)) {
    case 0: claim.deleting = true; break;
    case 1: claim.phase = "Lost"; break;
    default: claim.volume_name = "v99"; break;  // which is not there
  }
}

void add_claim(Draft& draft, int number) {
  static constexpr std::array<std::string_view, 3> kClasses = {"immediate", "late", "static"};
  PersistentVolumeClaim claim;
  claim.namespace_ = draft.a_namespace();
  claim.name = draft.numbered("c", number);
  claim.uid = draft.numbered("uc", number);
  const AccessMode mode = access_mode(draft);
  claim.access_modes = {mode};
  const std::string storage_class(draft.random.pick(kClasses));
  claim.storage_class_name = storage_class;
  claim.storage_request = {.units = kGi, .milli = 0};
  if (draft.now(Feature::kUnboundClaims)) {
    if (draft.random.percent(30)) claim.storage_request.units = kGi / 2 * draft.random.between(1, 3);
    claim.phase = "Pending";
    if (draft.random.coin()) {
      PersistentVolume available = volume(draft, number, mode, storage_class);
      available.phase = "Available";
      static constexpr std::array kHalves = {1, 2, 2, 2, 3, 4};  // of a GiB; one is too small
      available.capacity = {.units = kGi / 2 * draft.random.pick(kHalves), .milli = 0};
      if (draft.random.percent(15)) {  // reserved, for this claim or for one that is gone
        available.has_claim_ref = true;
        available.claim_namespace = claim.namespace_;
        available.claim_name = claim.name;
        if (draft.random.coin()) available.claim_uid = draft.random.percent(80) ? claim.uid : "gone";
      }
      draft.cluster().volumes.push_back(std::move(available));
    }
    if (storage_class == "late" && draft.random.percent(15)) {
      claim.annotations["volume.kubernetes.io/selected-node"] = draft.random.pick(draft.cluster().nodes).name;
    }
  } else {
    PersistentVolume bound = volume(draft, number, mode, storage_class);
    bind(claim, bound);
    draft.cluster().volumes.push_back(std::move(bound));
    if (draft.now(Feature::kBrokenClaims) && draft.random.percent(30)) break_claim(draft, claim);
  }
  draft.cluster().claims.push_back(std::move(claim));
}

void add_csi_driver(Draft& draft) {
  draft.cluster().csi_drivers.push_back(
      {.name = std::string(kDriver),
       .prevent_pod_scheduling_if_missing = draft.has(Feature::kAttachLimits) && draft.random.coin(),
       .storage_capacity = draft.has(Feature::kUnboundClaims) && draft.random.percent(50)});
}

void add_csi_nodes(Draft& draft) {
  for (const Node& node : draft.cluster().nodes) {
    if (draft.random.percent(15)) continue;  // the driver has not registered there
    CsiNode csi_node{.name = node.name, .drivers = {}, .migrated_plugins = {}};
    CsiNodeDriver& driver = csi_node.drivers.emplace_back();
    driver.name = kDriver;
    if (draft.random.percent(85)) driver.allocatable_count = draft.random.below(4);
    draft.cluster().csi_nodes.push_back(std::move(csi_node));
  }
  // Attached, and of no pod that is there: still counts against the limit.
  if (draft.random.percent(20) && !draft.cluster().volumes.empty() && !draft.cluster().nodes.empty()) {
    draft.cluster().volume_attachments.push_back(
        {.name = "a1",
         .attacher = std::string(kDriver),
         .node_name = draft.random.pick(draft.cluster().nodes).name,
         .persistent_volume_name = draft.random.pick(draft.cluster().volumes).name});
  }
}

void use_disk(Draft& draft, Pod& pod, int number) {
  static constexpr std::array kKinds = {VolumeKind::kGcePersistentDisk, VolumeKind::kAwsElasticBlockStore,
                                        VolumeKind::kIscsi, VolumeKind::kRbd};
  PodVolume disk;
  disk.name = draft.numbered("disk", number);
  disk.kind = draft.random.pick(kKinds);
  disk.source = draft.random.coin() ? "d1" : "d2";
  if (disk.kind == VolumeKind::kAwsElasticBlockStore && draft.random.percent(20)) {
    // What csi-translation-lib makes of an id: the first three are one volume, the last two are refused.
    static constexpr std::array kIds = {"vol-1", "aws://z1/vol-1", "aws:///vol-1/",
                                        "",      "aws://z1/d1",    "aws://z1"};
    disk.source = draft.random.pick(kIds);
  }
  disk.read_only = disk.kind != VolumeKind::kAwsElasticBlockStore && draft.random.percent(40);
  if (disk.kind == VolumeKind::kRbd) {
    disk.rbd_pool = draft.random.percent(70) ? "rbd" : "fast";
    disk.rbd_monitors = {draft.random.coin() ? "m1" : "m2"};
    if (draft.random.percent(30)) disk.rbd_monitors.emplace_back("m3");
  }
  pod.volumes.push_back(std::move(disk));
}

void use_claim(Draft& draft, Pod& pod, int number) {
  PodVolume use;
  use.name = draft.numbered("data", number);
  use.kind = VolumeKind::kClaim;
  std::vector<const PersistentVolumeClaim*> mine;
  for (const PersistentVolumeClaim& claim : draft.cluster().claims) {
    if (claim.namespace_ == pod.namespace_) mine.push_back(&claim);
  }
  if (mine.empty() || (draft.now(Feature::kBrokenClaims) && draft.random.percent(10))) {
    if (!draft.has(Feature::kBrokenClaims)) return;
    use.source = "absent";
  } else {
    use.source = draft.random.pick(mine)->name;
  }
  pod.volumes.push_back(std::move(use));
}

/// A generic ephemeral volume: its claim is named after pod and volume, and owned by the pod.
void use_ephemeral(Draft& draft, Pod& pod) {
  pod.uid = "u-" + pod.namespace_ + "-" + pod.name;
  pod.volumes.push_back({.name = "scratch", .kind = VolumeKind::kEphemeral});
  const int fault = draft.now(Feature::kBrokenClaims) ? draft.random.below(3) : -1;
  if (fault == 0) return;  // its claim is not made yet
  const int number = 100 + static_cast<int>(draft.cluster().claims.size());
  add_claim(draft, number);
  PersistentVolumeClaim& claim = draft.cluster().claims.back();
  claim.namespace_ = pod.namespace_;
  claim.name = pod.name + "-scratch";
  claim.owner_pod_uid = fault == 1 ? "another" : pod.uid;
  for (PersistentVolume& bound : draft.cluster().volumes) {
    if (bound.has_claim_ref && bound.claim_uid == claim.uid) {
      bound.claim_namespace = claim.namespace_;
      bound.claim_name = claim.name;
    }
  }
  if (fault == 2 && !claim.volume_name.empty()) claim.volume_name = "v99";  // which is not there
}

}  // namespace

void add_storage(Draft& draft) {
  if (!any_volumes(draft)) return;
  add_classes(draft);
  const int count = draft.random.between(2, 6);
  for (int i = 1; i <= count; ++i) {
    add_claim(draft, i);
    // The same name in two namespaces: what goes by name alone gets that wrong.
    if (!draft.has(Feature::kNamespaces) || !draft.random.percent(30)) continue;
    const PersistentVolumeClaim& first = draft.cluster().claims.back();
    const std::string name = first.name;
    const std::string other =
        first.namespace_ == draft.namespaces[0] ? draft.namespaces[1] : draft.namespaces[0];
    const std::size_t volumes = draft.cluster().volumes.size();
    add_claim(draft, count + i);
    PersistentVolumeClaim& twin = draft.cluster().claims.back();
    twin.name = name;
    twin.namespace_ = other;
    for (std::size_t v = volumes; v < draft.cluster().volumes.size(); ++v) {
      PersistentVolume& its = draft.cluster().volumes[v];
      if (!its.has_claim_ref) continue;
      its.claim_namespace = other;
      its.claim_name = name;
    }
  }
  if (draft.random.percent(30)) add_csi_driver(draft);
  if (draft.has(Feature::kAttachLimits)) add_csi_nodes(draft);
}

void add_pod_volumes(Draft& draft, Pod& pod) {
  if (!any_volumes(draft)) return;
  const bool in_the_way =
      draft.conflict == Feature::kAttachLimits || draft.conflict == Feature::kReadWriteOncePod;
  if (draft.random.percent(in_the_way ? 85 : 45)) {
    const int count = draft.random.between(1, 2);
    for (int i = 1; i <= count; ++i) use_claim(draft, pod, i);
  }
  if (draft.now(Feature::kInTreeDisks)) use_disk(draft, pod, 1);
  if (draft.now(Feature::kEphemeralVolumes) && draft.random.percent(30)) use_ephemeral(draft, pod);
}

}  // namespace reprieve::generators
