#include "reprieve/engine/filters/node_volume_limits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

constexpr std::uint8_t kTooMany = 0;
constexpr std::uint8_t kNoDriver = 1;

// csi-translation-lib: in-tree provisioners, and the driver that stands for each where migration is
// on for every node that has a CSINode (isCSIMigrationOn); without a driver it is off.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kInTree = {{
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com"},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io"},
    {"kubernetes.io/azure-disk", "disk.csi.azure.com"},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org"},
    {"kubernetes.io/portworx-volume", "pxd.portworx.com"},
    {"kubernetes.io/azure-file", ""},
    {"kubernetes.io/vsphere-volume", ""},
}};

bool is_owned_by(const PersistentVolumeClaim& claim, const std::string& uid) {
  return !claim.owner_pod_uid.empty() && claim.owner_pod_uid == uid;
}

// csi-translation-lib: the handle of an in-tree disk that stands in the pod itself. False: malformed.
bool translate_inline(const PodVolume& volume, std::string& driver, std::string& handle) {
  if (volume.kind == VolumeKind::kGcePersistentDisk) {
    driver = "pd.csi.storage.gke.io";
    handle = "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/" + volume.source;
    return true;
  }
  driver = "ebs.csi.aws.com";
  std::string_view id = volume.source;
  if (constexpr std::string_view kScheme = "aws://"; id.starts_with(kScheme)) {
    // aws://ZONE/vol-1234
    id.remove_prefix(kScheme.size());
    id.remove_prefix(std::min(id.find('/'), id.size()));
    while (id.starts_with('/')) id.remove_prefix(REPRIEVE_MUTANT("slash-is-not-removed", 1, 0));
    while (id.ends_with('/')) id.remove_suffix(1);
    if (!id.starts_with("vol-") || id.find('/') != std::string_view::npos) return false;
  }
  handle = id;
  return true;
}

bool is_inline_disk(const PodVolume& volume) {
  return volume.kind == VolumeKind::kGcePersistentDisk || volume.kind == VolumeKind::kAwsElasticBlockStore;
}

}  // namespace

void NodeVolumeLimits::begin(const Cycle& cycle) {
  cycle_ = cycle;
  const PodRecord& record = cycle.record();
  skipped_ = !record.storage || std::ranges::none_of(record.storage->volumes, [](const PodVolume& volume) {
    return uses_claim(volume) || is_inline_disk(volume);
  });
}

void NodeVolumeLimits::enter(NodeId node) {
  node_ = node;
  present_.assign(cycle_.node(node).pods.begin(), cycle_.node(node).pods.end());
  off_.clear();
  nominated_.clear();
  csi_node_ = Storage::find(cycle_.index->storage.csi_nodes, cycle_.node(node).name);
}

void NodeVolumeLimits::patch(PodId pod, int sign) {
  if (sign > 0) {
    present_.push_back(pod);
  } else {
    std::erase(present_, pod);
    if (std::ranges::find(off_, pod) == off_.end()) off_.push_back(pod);
  }
}

// Of several pods that the plugin fails over it names the first in NodeInfo.Pods: as they were added; the
// last steps into the gap of one that is removed (framework/types.go, removeFromSlice).
std::vector<PodId> NodeVolumeLimits::as_upstream_lists_them() const {
  const auto in_input_order = [this](std::vector<PodId> pods) {
    std::ranges::sort(pods, {}, [this](PodId pod) { return cycle_.index->pods[pod].sequence; });
    return pods;
  };
  std::vector<PodId> pods = in_input_order(cycle_.node(node_).pods);
  for (const PodId pod : in_input_order(off_)) {
    const auto gap = std::ranges::find(pods, pod);
    if (gap == pods.end()) continue;
    *gap = pods.back();
    pods.pop_back();
  }
  std::ranges::copy_if(present_, std::back_inserter(pods),
                       [this](PodId pod) { return std::ranges::find(off_, pod) != off_.end(); });
  return pods;
}

// getCSIDriverInfo: of the bound volume, else what the class would provision.
void NodeVolumeLimits::driver_of(const PersistentVolumeClaim& claim, bool has_csi_node, std::string& driver,
                                 std::string& handle) const {
  driver.clear();
  handle.clear();
  const Storage& storage = cycle_.index->storage;
  if (const PersistentVolume* volume = Storage::find(storage.volumes, claim.volume_name)) {
    if (volume->source_kind != "csi") return;
    driver = volume->csi_driver;
    handle = volume->csi_volume_handle;
    return;
  }
  const StorageClass* storage_class = Storage::find(storage.classes, claim.storage_class_name.value_or(""));
  if (!storage_class) return;
  driver = storage_class->provisioner;
  for (const auto& [provisioner, translated] : kInTree) {
    if (driver == provisioner) driver = has_csi_node ? translated : "";
  }
  // Upstream prefixes a random string: such a handle equals no real volume's.
  handle = "\n" + claim.namespace_ + "/" + claim.name;
}

// filterAttachableVolumes. False only on an error.
bool NodeVolumeLimits::collect(PodId pod, bool has_csi_node, Attachable& volumes, std::string* error) const {
  const PodRecord& record = cycle_.index->pods[pod];
  if (!record.storage) return true;
  std::string driver;
  std::string handle;
  for (const PodVolume& volume : record.storage->volumes) {
    if (is_inline_disk(volume) && has_csi_node) {
      if (!translate_inline(volume, driver, handle)) {
        if (error) {
          *error = "converting volume(" + volume.name +
                   ") from inline to csi: failed to translate Kubernetes ID to EBS Volume ID Invalid format "
                   "for AWS "
                   "volume (" +
                   volume.source + ")";
        }
        return false;
      }
      volumes.insert_or_assign(driver + "/" + handle, driver);
    }
    if (!uses_claim(volume)) continue;
    const std::string name = claim_name(record.name(), volume);
    const PersistentVolumeClaim* claim = cycle_.index->storage.find_claim(record.namespace_name(), name);
    if (!claim) continue;
    if (volume.kind == VolumeKind::kEphemeral && !is_owned_by(*claim, record.storage->uid)) {
      REPRIEVE_MARK("engine/limits/claim-of-another-pod");
      if (error) {
        *error = "PVC " + claim->namespace_ + "/" + claim->name + " was not created for pod " +
                 record.full_name + " (pod is not owner)";
      }
      return false;
    }
    driver_of(*claim, has_csi_node, driver, handle);
    if (!driver.empty() && !handle.empty()) volumes.insert_or_assign(driver + "/" + handle, driver);
  }
  return true;
}

bool NodeVolumeLimits::new_volumes(Attachable& volumes) const {
  return collect(cycle_.pod, csi_node_ != nullptr, volumes, nullptr);
}

// checkCSIDriverOnNode, behind the gate VolumeLimitScaling: on from 1.37.
const std::string* NodeVolumeLimits::missing_driver(const Attachable& volumes) const {
  if (REPRIEVE_MUTANT("missing-driver-not-seen", cycle_.index->release == Release::k1_36, true))
    return nullptr;
  for (const auto& [name, driver] : volumes) {
    const auto& drivers = cycle_.index->storage.csi_drivers;
    const CsiDriver* object = REPRIEVE_MUTANT("first-driver-for-all", Storage::find(drivers, driver),
                                              drivers.empty() ? nullptr : &drivers.begin()->second);
    if (!object || !object->prevent_pod_scheduling_if_missing) continue;
    if (!csi_node_ ||
        std::ranges::find(csi_node_->drivers, driver, &CsiNodeDriver::name) == csi_node_->drivers.end()) {
      return &driver;
    }
  }
  return nullptr;
}

Verdict NodeVolumeLimits::check(bool nominated) const {
  Attachable wanted;
  if (!new_volumes(wanted)) return {Code::kError, Plugin::kNodeVolumeLimits};
  if (wanted.empty()) return {};
  if (missing_driver(wanted)) {
    REPRIEVE_MARK("engine/limits/driver-is-missing");
    return {Code::kUnschedulable, Plugin::kNodeVolumeLimits, kNoDriver};
  }
  std::map<std::string_view, std::int64_t> limits;
  if (csi_node_) {
    for (const CsiNodeDriver& driver : csi_node_->drivers) {
      if (driver.allocatable_count) limits[driver.name] = *driver.allocatable_count;
    }
  }
  if (limits.empty()) {
    REPRIEVE_MARK("engine/limits/none-known");
    return {};
  }

  Attachable attached;
  const auto add = [&](PodId pod) { return collect(pod, csi_node_ != nullptr, attached, nullptr); };
  if (!std::ranges::all_of(present_, add) || (nominated && !std::ranges::all_of(nominated_, add))) {
    return {Code::kError, Plugin::kNodeVolumeLimits};
  }
  std::map<std::string_view, std::int64_t> counts;
  for (const auto& [name, driver] : attached) {
    if (REPRIEVE_MUTANT("shared-volume-counted-twice", wanted.erase(name) > 0, false)) {
      REPRIEVE_MARK("engine/limits/volume-is-attached-already");
    }
    ++counts[driver];
  }
  // Attachments that no pod on the node accounts for hold a place too: of a pod just taken off, and
  // of one that is gone while its volume still detaches.
  const Storage& storage = cycle_.index->storage;
  Attachable attachments;
  if (const auto* names = Storage::find(storage.attachments_by_node, cycle_.node(node_).name)) {
    for (const std::string& name : *names) {
      const VolumeAttachment& attachment = storage.attachments.find(name)->second;
      if (attachment.attacher.empty() || !attachment.persistent_volume_name) continue;
      const PersistentVolume* volume = Storage::find(storage.volumes, *attachment.persistent_volume_name);
      if (!volume || volume->source_kind != "csi") continue;
      attachments.insert_or_assign(attachment.attacher + "/" + volume->csi_volume_handle,
                                   attachment.attacher);
    }
  }
  for (const auto& [name, driver] : attachments) {
    if (REPRIEVE_MUTANT("attachments-not-counted", attached.contains(name), true)) continue;
    REPRIEVE_MARK("engine/limits/attachment-of-no-pod");
    ++counts[driver];
  }
  std::map<std::string_view, std::int64_t> more;
  for (const auto& [name, driver] : wanted) ++more[driver];
  for (const auto& [driver, count] : more) {
    const auto limit = limits.find(driver);
    if (limit != limits.end() &&
        REPRIEVE_MUTANT("one-volume-too-many", counts[driver] + count > limit->second,
                        counts[driver] + count > limit->second + 1)) {
      REPRIEVE_MARK("engine/limits/too-many");
      return {Code::kUnschedulable, Plugin::kNodeVolumeLimits, kTooMany};
    }
  }
  return {};
}

std::string NodeVolumeLimits::reason(const Verdict& verdict) const {
  if (verdict.code == Code::kError) {
    std::string error;
    Attachable ignored;
    const auto fails = [&](PodId pod) { return !collect(pod, csi_node_ != nullptr, ignored, &error); };
    if (!fails(cycle_.pod) && std::ranges::none_of(as_upstream_lists_them(), fails))
      (void)std::ranges::any_of(nominated_, fails);
    return error;
  }
  if (verdict.detail == kTooMany) return "node(s) exceed max volume count";
  Attachable wanted;
  new_volumes(wanted);
  const std::string* driver = missing_driver(wanted);
  return (driver ? *driver : std::string()) + " CSI driver is not installed on the node";
}

}  // namespace reprieve::engine
