// The storage objects by name, and what a pod's volumes say. Few preemptors use them, so they are
// kept as the model has them and looked up when needed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reprieve/model/cluster.h"

namespace reprieve::engine {

/// The volumes of a pod that a default filter reads, and the pod's uid (owner of ephemeral claims).
struct PodStorage {
  std::string uid;
  std::vector<PodVolume> volumes;
};

struct Storage {
  template <class Value>
  using ByName = std::map<std::string, Value, std::less<>>;

  ByName<PersistentVolumeClaim> claims;  // "namespace/name"
  ByName<PersistentVolume> volumes;
  ByName<std::uint64_t> volume_places;  // where each stands in the input order
  ByName<StorageClass> classes;
  ByName<CsiNode> csi_nodes;
  ByName<CsiDriver> csi_drivers;
  ByName<VolumeAttachment> attachments;
  ByName<std::set<std::string, std::less<>>> attachments_by_node;  // names of attachments
  std::unordered_map<std::string, int> claim_users;                // references by pods on nodes

  const PersistentVolumeClaim* find_claim(std::string_view name_space, std::string_view name) const {
    std::string key(name_space);
    key += '/';
    key += name;
    const auto it = claims.find(key);
    return it == claims.end() ? nullptr : &it->second;
  }

  template <class Value>
  static const Value* find(const ByName<Value>& objects, std::string_view name) {
    const auto it = objects.find(name);
    return it == objects.end() ? nullptr : &it->second;
  }
};

/// The name of the claim of a volume; an ephemeral one's is POD-VOLUME (component-helpers
/// storage/ephemeral). Empty for other kinds.
inline std::string claim_name(std::string_view pod_name, const PodVolume& volume) {
  if (volume.kind == VolumeKind::kClaim) return volume.source;
  if (volume.kind == VolumeKind::kEphemeral) return std::string(pod_name) + "-" + volume.name;
  return {};
}

inline bool uses_claim(const PodVolume& volume) {
  return volume.kind == VolumeKind::kClaim || volume.kind == VolumeKind::kEphemeral;
}

}  // namespace reprieve::engine
