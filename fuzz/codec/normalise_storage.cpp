#include <algorithm>

#include "reprieve/fuzz/codec/normalise.h"
#include "reprieve/fuzz/codec/pools.h"

namespace reprieve::fuzz {
namespace {

/// The value if the pool has it, else the pool's first.
void keep_to(std::string& value, std::span<const std::string_view> pool) {
  if (std::find(pool.begin(), pool.end(), value) == pool.end()) value = pool[0];
}

/// The fields of PersistentVolumeSource.
constexpr std::string_view kSourceKinds[] = {"csi",
                                             "local",
                                             "hostPath",
                                             "gcePersistentDisk",
                                             "awsElasticBlockStore",
                                             "nfs",
                                             "azureDisk",
                                             "azureFile",
                                             "cinder",
                                             "rbd",
                                             "iscsi",
                                             "fc",
                                             "cephfs",
                                             "glusterfs",
                                             "flocker",
                                             "flexVolume",
                                             "quobyte",
                                             "scaleIO",
                                             "storageos",
                                             "portworxVolume",
                                             "vsphereVolume",
                                             "photonPersistentDisk",
                                             ""};

/// Those that pkg/scheduler/framework/plugins/volumebinding/binder.go reads.
bool is_read(std::string_view annotation) {
  return annotation == "pv.kubernetes.io/bind-completed" ||
         annotation == "pv.kubernetes.io/bound-by-controller" ||
         annotation == "volume.kubernetes.io/selected-node";
}

void normalise_volume(PersistentVolume& volume) {
  volume.labels.erase("");
  keep_to(volume.volume_mode, pools::kVolumeModes);
  keep_to(volume.phase, pools::kVolumePhases);
  keep_to(volume.source_kind, kSourceKinds);
  if (volume.source_kind != "csi") {
    volume.csi_driver.clear();
    volume.csi_volume_handle.clear();
  }
  if (!volume.has_claim_ref) {
    volume.claim_namespace.clear();
    volume.claim_name.clear();
    volume.claim_uid.clear();
  }
}

void normalise_claim(PersistentVolumeClaim& claim, const StorageClass* default_class) {
  std::erase_if(claim.annotations, [](const auto& item) { return !is_read(item.first); });
  keep_to(claim.volume_mode, pools::kVolumeModes);
  keep_to(claim.phase, pools::kClaimPhases);
  if (claim.selector) claim.selector->match_labels.erase("");
  // The DefaultStorageClass admission plugin.
  if (default_class != nullptr && !claim.storage_class_name && claim.volume_name.empty()) {
    claim.storage_class_name = default_class->name;
  }
}

/// matchLabelExpressions: keys that are in values.
void normalise_topology(NodeSelectorTerm& term) {
  term.match_fields.clear();
  for (SelectorRequirement& requirement : term.match_expressions) requirement.op = SelectorOperator::kIn;
}

}  // namespace

void normalise_storage(Cluster& cluster) {
  // Of several default classes the first by name, as long as none is older (GetDefaultClass).
  const StorageClass* default_class = nullptr;
  for (StorageClass& item : cluster.storage_classes) {
    for (NodeSelectorTerm& term : item.allowed_topologies) normalise_topology(term);
    if (item.is_default && (default_class == nullptr || item.name < default_class->name))
      default_class = &item;
  }
  for (PersistentVolume& volume : cluster.volumes) normalise_volume(volume);
  for (PersistentVolumeClaim& claim : cluster.claims) normalise_claim(claim, default_class);
  for (CsiNode& csi_node : cluster.csi_nodes) {
    std::erase_if(csi_node.drivers, [](const CsiNodeDriver& driver) { return driver.name.empty(); });
    std::erase_if(csi_node.migrated_plugins, [](const std::string& plugin) {
      return plugin.empty() || plugin.find(',') != std::string::npos;
    });
  }
}

}  // namespace reprieve::fuzz
