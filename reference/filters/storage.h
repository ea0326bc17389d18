// Finding storage objects by name, as the listers of the volume plugins do.
// Source: component-helpers storage/ephemeral, storage/volume/pv_helpers.go.
#pragma once

#include <string>

#include "reprieve/model/cluster.h"

namespace reprieve::reference {

/// The object of that name, or null.
const PersistentVolumeClaim* find_claim(const Cluster& cluster, const std::string& namespace_,
                                        const std::string& name);
const PersistentVolume* find_volume(const Cluster& cluster, const std::string& name);
const StorageClass* find_storage_class(const Cluster& cluster, const std::string& name);
const CsiNode* find_csi_node(const Cluster& cluster, const std::string& name);
const CsiDriver* find_csi_driver(const Cluster& cluster, const std::string& name);

/// Whether the volume is a claim, named or made for it.
bool uses_claim(const PodVolume& volume);

/// The name of its claim; an ephemeral volume's is POD-VOLUME.
std::string claim_name(const Pod& pod, const PodVolume& volume);

/// An ephemeral volume's claim must have been made for this pod.
bool is_made_for(const PersistentVolumeClaim& claim, const Pod& pod);
std::string not_made_for_message(const PersistentVolumeClaim& claim, const Pod& pod);

}  // namespace reprieve::reference
