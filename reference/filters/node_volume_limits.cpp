// NodeVolumeLimits: how many volumes of a CSI driver the node may attach (CSINode).
// Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go.
// Left out: in-tree PersistentVolumes and inline volumes other than GCE and EBS disks, which the
// scheduler would translate to CSI before it counts them; the model does not hold their handles.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/filters/storage.h"

namespace reprieve::reference {
namespace {

/// A volume as it is counted: its driver, by "driver/handle", so that a volume shared by pods counts once.
using Attachable = std::map<std::string, std::string>;

void count(Attachable& volumes, const std::string& driver, const std::string& handle) {
  if (!driver.empty() && !handle.empty()) volumes[driver + "/" + handle] = driver;
}

// csi-translation-lib plugins: provisioners that became CSI drivers. The second part holds names
// for which isCSIMigrationOn (utils.go) says no, so their volumes are never counted.
std::string driver_of_provisioner(const std::string& provisioner, bool node_has_csi) {
  static const std::map<std::string, std::string> kMigrated = {
      {"kubernetes.io/aws-ebs", "ebs.csi.aws.com"},
      {"kubernetes.io/azure-disk", "disk.csi.azure.com"},
      {"kubernetes.io/cinder", "cinder.csi.openstack.org"},
      {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io"},
      {"kubernetes.io/portworx-volume", "pxd.portworx.com"},
      {"kubernetes.io/azure-file", ""},
      {"kubernetes.io/vsphere-volume", ""},
  };
  const auto migrated = kMigrated.find(provisioner);
  if (migrated == kMigrated.end()) return provisioner;
  return node_has_csi ? migrated->second : "";
}

// getCSIDriverInfo: the bound volume's handle, else a handle of its own for a volume yet to be made.
void count_claim(Attachable& volumes, const Cluster& cluster, const PersistentVolumeClaim& claim,
                 bool node_has_csi) {
  const PersistentVolume* volume =
      claim.volume_name.empty() ? nullptr : find_volume(cluster, claim.volume_name);
  if (volume != nullptr) {
    if (volume->source_kind == "csi") count(volumes, volume->csi_driver, volume->csi_volume_handle);
    return;
  }
  if (!claim.storage_class_name || claim.storage_class_name->empty()) return;
  const StorageClass* storage_class = find_storage_class(cluster, *claim.storage_class_name);
  if (storage_class == nullptr) return;
  const std::string own_handle = "?-" + claim.namespace_ + "/" + claim.name;
  count(volumes, driver_of_provisioner(storage_class->provisioner, node_has_csi), own_handle);
}

// KubernetesVolumeIDToEBSVolumeID: "aws://ZONE/vol-1234" and "vol-1234" are the same volume, and a bare id is
// taken for what it is, an empty one too.
std::optional<std::string> ebs_volume(const std::string& source) {
  const std::string scheme = "aws://";
  if (!source.starts_with(scheme)) return source;
  const std::size_t path = source.find('/', scheme.size());
  const std::size_t first = path == std::string::npos ? path : source.find_first_not_of('/', path);
  if (first == std::string::npos) return std::nullopt;
  const std::string id = source.substr(first, source.find_last_not_of('/') + 1 - first);
  if (!id.starts_with("vol-") || id.contains('/')) return std::nullopt;
  return id;
}

// checkAttachableInlineVolume.
Status count_inline(Attachable& volumes, const PodVolume& volume, bool node_has_csi) {
  if (!node_has_csi) return {};  // isCSIMigrationOn
  if (volume.kind == VolumeKind::kGcePersistentDisk) {
    const std::string driver = "pd.csi.storage.gke.io";
    volumes[driver + "/projects/UNSPECIFIED/zones/UNSPECIFIED/disks/" + volume.source] = driver;
  } else if (volume.kind == VolumeKind::kAwsElasticBlockStore) {
    const std::string driver = "ebs.csi.aws.com";
    const std::optional<std::string> id = ebs_volume(volume.source);
    if (!id) {
      return error(
          "converting volume(" + volume.name +
          ") from inline to csi: failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS "
          "volume (" +
          volume.source + ")");
    }
    volumes[driver + "/" + *id] = driver;
  }
  return {};
}

class NodeVolumeLimits final : public Plugin {
 public:
  explicit NodeVolumeLimits(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "NodeVolumeLimits"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<NodeVolumeLimits>(*this); }

  Status filter(const NodeInfo& node) const override {
    const Cluster& cluster = situation_.cluster;
    const CsiNode* csi_node = find_csi_node(cluster, node.node->name);

    Attachable wanted;
    if (Status problem = count_volumes(wanted, situation_.preemptor, true, csi_node != nullptr);
        !problem.ok()) {
      return problem;
    }
    if (wanted.empty()) return {};

    // VolumeLimitScaling, on from 1.37: a driver that asks for it must be installed on the node.
    if (situation_.release != Release::k1_36) {
      for (const auto& [volume, driver] : wanted) {
        if (is_missing(driver, csi_node)) {
          REPRIEVE_MARK("reference/limits/driver-is-missing");
          return unschedulable(driver + " CSI driver is not installed on the node");
        }
      }
    }
    if (csi_node == nullptr || !has_limit(*csi_node)) {
      REPRIEVE_MARK("reference/limits/none-known");
      return {};
    }

    Attachable attached;
    for (const Pod* pod : node.pods) {
      if (Status problem = count_volumes(attached, *pod, false, true); !problem.ok()) return problem;
    }
    for (const auto& [volume, driver] : attached) {
      if (wanted.erase(volume) > 0) REPRIEVE_MARK("reference/limits/volume-is-attached-already");
    }
    // Attached to the node although no pod here uses it (any more): counts against the limit, but
    // does not make a wanted volume free.
    for (const VolumeAttachment& attachment : cluster.volume_attachments) {
      if (attachment.node_name != node.node->name || !attachment.persistent_volume_name) continue;
      const PersistentVolume* volume = find_volume(cluster, *attachment.persistent_volume_name);
      if (attachment.attacher.empty() || volume == nullptr || volume->source_kind != "csi") continue;
      const auto [entry, added] = attached.insert_or_assign(
          attachment.attacher + "/" + volume->csi_volume_handle, attachment.attacher);
      if (added) REPRIEVE_MARK("reference/limits/attachment-of-no-pod");
    }

    // getVolumeLimits: of a driver that is listed twice, the last limit.
    std::map<std::string, std::int64_t> limits;
    for (const CsiNodeDriver& driver : csi_node->drivers) {
      if (driver.allocatable_count) limits[driver.name] = *driver.allocatable_count;
    }
    for (const auto& [driver, limit] : limits) {
      const std::int64_t more = number_of(wanted, driver);
      if (more > 0 && number_of(attached, driver) + more > limit) {
        REPRIEVE_MARK("reference/limits/too-many");
        return unschedulable("node(s) exceed max volume count");
      }
    }
    return {};
  }

 private:
  Status count_volumes(Attachable& volumes, const Pod& pod, bool is_new, bool node_has_csi) const {
    for (const PodVolume& volume : pod.volumes) {
      if (!uses_claim(volume)) {
        if (Status problem = count_inline(volumes, volume, node_has_csi); !problem.ok()) return problem;
        continue;
      }
      const std::string claim_of = claim_name(pod, volume);
      const PersistentVolumeClaim* claim = find_claim(situation_.cluster, pod.namespace_, claim_of);
      if (claim == nullptr) {
        if (!is_new) continue;
        return unresolvable("looking up PVC " + pod.namespace_ + "/" + claim_of +
                            ": persistentvolumeclaim \"" + claim_of + "\" not found");
      }
      if (volume.kind == VolumeKind::kEphemeral && !is_made_for(*claim, pod)) {
        REPRIEVE_MARK("reference/limits/claim-of-another-pod");
        return error(not_made_for_message(*claim, pod));
      }
      count_claim(volumes, situation_.cluster, *claim, node_has_csi);
    }
    return {};
  }

  // checkCSIDriverOnNode: what is not a registered CSIDriver is let through.
  bool is_missing(const std::string& driver, const CsiNode* csi_node) const {
    const CsiDriver* registered = find_csi_driver(situation_.cluster, driver);
    if (registered == nullptr || !registered->prevent_pod_scheduling_if_missing) return false;
    if (csi_node == nullptr) return true;
    for (const CsiNodeDriver& installed : csi_node->drivers) {
      if (installed.name == driver) return false;
    }
    return true;
  }

  static bool has_limit(const CsiNode& csi_node) {
    return std::ranges::any_of(
        csi_node.drivers, [](const CsiNodeDriver& driver) { return driver.allocatable_count.has_value(); });
  }

  static std::int64_t number_of(const Attachable& volumes, const std::string& of_driver) {
    std::int64_t number = 0;
    for (const auto& [volume, driver] : volumes) number += driver == of_driver ? 1 : 0;
    return number;
  }

  const Situation& situation_;
};

}  // namespace

std::unique_ptr<Plugin> make_node_volume_limits(const Situation& situation) {
  return std::make_unique<NodeVolumeLimits>(situation);
}

}  // namespace reprieve::reference
