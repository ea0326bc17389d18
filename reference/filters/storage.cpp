#include "reprieve/reference/filters/storage.h"

namespace reprieve::reference {
namespace {

template <class Object>
const Object* find(const std::vector<Object>& objects, const std::string& name) {
  for (const Object& object : objects) {
    if (object.name == name) return &object;
  }
  return nullptr;
}

}  // namespace

const PersistentVolumeClaim* find_claim(const Cluster& cluster, const std::string& namespace_,
                                        const std::string& name) {
  for (const PersistentVolumeClaim& claim : cluster.claims) {
    if (claim.namespace_ == namespace_ && claim.name == name) return &claim;
  }
  return nullptr;
}

const PersistentVolume* find_volume(const Cluster& cluster, const std::string& name) {
  return find(cluster.volumes, name);
}
const StorageClass* find_storage_class(const Cluster& cluster, const std::string& name) {
  return find(cluster.storage_classes, name);
}
const CsiNode* find_csi_node(const Cluster& cluster, const std::string& name) {
  return find(cluster.csi_nodes, name);
}
const CsiDriver* find_csi_driver(const Cluster& cluster, const std::string& name) {
  return find(cluster.csi_drivers, name);
}

bool uses_claim(const PodVolume& volume) {
  return volume.kind == VolumeKind::kClaim || volume.kind == VolumeKind::kEphemeral;
}

std::string claim_name(const Pod& pod, const PodVolume& volume) {
  return volume.kind == VolumeKind::kEphemeral ? pod.name + "-" + volume.name : volume.source;
}

bool is_made_for(const PersistentVolumeClaim& claim, const Pod& pod) {
  return claim.namespace_ == pod.namespace_ && !claim.owner_pod_uid.empty() && claim.owner_pod_uid == pod.uid;
}

std::string not_made_for_message(const PersistentVolumeClaim& claim, const Pod& pod) {
  return "PVC " + claim.namespace_ + "/" + claim.name + " was not created for pod " + full_name(pod) +
         " (pod is not owner)";
}

}  // namespace reprieve::reference
