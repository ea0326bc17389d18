// Volumes of pods and the storage objects around them. Source: core/v1 Volume,
// PersistentVolumeClaim, PersistentVolume; storage/v1 StorageClass, CSINode, CSIDriver,
// VolumeAttachment.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/labels.h"
#include "reprieve/model/quantity.h"

namespace reprieve {

/// Kinds of volume that a default filter looks at. kOther covers the rest (emptyDir, configMap,
/// hostPath, ...), which no filter reads.
enum class VolumeKind {
  kClaim,      // persistentVolumeClaim
  kEphemeral,  // ephemeral: the claim is named POD-VOLUME and owned by the pod
  kGcePersistentDisk,
  kAwsElasticBlockStore,
  kIscsi,
  kRbd,
  kOtherMigratable,  // azureDisk, azureFile, cinder, vsphereVolume, portworxVolume: only CSI migration reads
                     // them
  kOther,
};

struct PodVolume {
  std::string name;
  VolumeKind kind = VolumeKind::kOther;
  std::string source;  // claim name, pdName, volumeID, iqn or rbd image, by kind
  bool read_only = false;
  std::vector<std::string> rbd_monitors;
  std::string rbd_pool;

  bool operator==(const PodVolume&) const = default;
};

enum class AccessMode { kReadWriteOnce, kReadOnlyMany, kReadWriteMany, kReadWriteOncePod };

struct PersistentVolumeClaim {
  std::string namespace_ = "default";
  std::string name;
  std::string uid;
  std::map<std::string, std::string, std::less<>> annotations;  // those that filters read
  bool deleting = false;                                        // deletionTimestamp is set
  std::string owner_pod_uid;                                    // controller ownerReference of kind Pod
  std::vector<AccessMode> access_modes;
  std::optional<std::string> storage_class_name;  // the beta annotation already merged in
  std::string volume_name;
  std::optional<LabelSelector> selector;
  std::string volume_mode = "Filesystem";
  Quantity storage_request;
  std::string phase;  // Pending, Bound, Lost or empty

  bool operator==(const PersistentVolumeClaim&) const = default;
};

struct PersistentVolume {
  std::string name;
  Labels labels;
  bool deleting = false;
  std::vector<AccessMode> access_modes;
  std::string storage_class_name;
  std::string volume_mode = "Filesystem";
  Quantity capacity;
  std::string source_kind;  // "csi", "local", "hostPath", "gcePersistentDisk", ...: the field's name
  std::string csi_driver;
  std::string csi_volume_handle;
  bool has_claim_ref = false;
  std::string claim_namespace;
  std::string claim_name;
  std::string claim_uid;
  std::optional<NodeSelector> node_affinity;
  std::string phase;  // Available, Bound, Released, Failed, Pending or empty

  bool operator==(const PersistentVolume&) const = default;
};

struct StorageClass {
  std::string name;
  std::string provisioner;
  bool wait_for_first_consumer = false;              // volumeBindingMode
  bool is_default = false;                           // storageclass.kubernetes.io/is-default-class
  std::vector<NodeSelectorTerm> allowed_topologies;  // matchLabelExpressions as In requirements

  bool operator==(const StorageClass&) const = default;
};

struct CsiNodeDriver {
  std::string name;
  std::optional<std::int32_t> allocatable_count;

  bool operator==(const CsiNodeDriver&) const = default;
};

struct CsiNode {
  std::string name;  // of the node
  std::vector<CsiNodeDriver> drivers;
  std::vector<std::string> migrated_plugins;  // annotation storage.alpha.kubernetes.io/migrated-plugins

  bool operator==(const CsiNode&) const = default;
};

struct CsiDriver {
  std::string name;
  bool prevent_pod_scheduling_if_missing = false;
  bool storage_capacity = false;

  bool operator==(const CsiDriver&) const = default;
};

struct VolumeAttachment {
  std::string name;
  std::string attacher;
  std::string node_name;
  std::optional<std::string> persistent_volume_name;

  bool operator==(const VolumeAttachment&) const = default;
};

}  // namespace reprieve
