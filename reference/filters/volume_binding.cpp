// VolumeBinding: bound volumes must reach the node; unbound ones must find a volume or be
// provisioned there. Source: pkg/scheduler/framework/plugins/volumebinding/volume_binding.go and
// binder.go, component-helpers storage/volume/pv_helpers.go (FindMatchingVolume).
// Left out: node affinity of in-tree volumes after their translation to CSI, and CSIStorageCapacity
// objects: a driver that tracks capacity is taken to have none left, as with an empty lister.
#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/filters/storage.h"
#include "reprieve/reference/selectors.h"

namespace reprieve::reference {
namespace {

using Claims = std::vector<const PersistentVolumeClaim*>;

bool is_fully_bound(const PersistentVolumeClaim& claim) {
  return !claim.volume_name.empty() && claim.annotations.contains("pv.kubernetes.io/bind-completed");
}

std::string class_of(const PersistentVolumeClaim& claim) { return claim.storage_class_name.value_or(""); }

// Labels only: the helper asks about a node without a name, so fields are not looked at.
bool reaches(const PersistentVolume& volume, const Node& node) {
  return !volume.node_affinity || matches(*volume.node_affinity, node.labels, "");
}

bool is_reserved_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  return volume.has_claim_ref && volume.claim_name == claim.name &&
         volume.claim_namespace == claim.namespace_ &&
         (volume.claim_uid.empty() || volume.claim_uid == claim.uid);
}

bool offers_access_modes(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  return std::ranges::all_of(claim.access_modes, [&volume](AccessMode mode) {
    return std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
  });
}

// A volume reserved for the claim, or else the smallest available one that will do.
const PersistentVolume* matching_volume(const PersistentVolumeClaim& claim, const Cluster& cluster,
                                        const Node& node, const std::set<std::string>& taken) {
  const PersistentVolume* smallest = nullptr;
  for (const PersistentVolume& volume : cluster.volumes) {
    // The binder lists the volumes of the claim's class only.
    if (volume.storage_class_name != class_of(claim) || taken.contains(volume.name)) continue;
    const bool reserved = is_reserved_for(volume, claim);
    if (volume.has_claim_ref && !reserved) continue;
    if (volume.capacity < claim.storage_request || volume.volume_mode != claim.volume_mode ||
        volume.deleting) {
      continue;
    }
    if (reserved) {
      REPRIEVE_MARK("reference/binding/reserved-volume");
      return reaches(volume, node) ? &volume : nullptr;
    }
    if (volume.phase != "Available") continue;
    if (claim.selector && !matches(*claim.selector, volume.labels)) continue;
    if (!reaches(volume, node) || !offers_access_modes(volume, claim)) continue;
    if (smallest != nullptr) REPRIEVE_MARK("reference/binding/several-volumes-would-do");
    if (smallest == nullptr || volume.capacity < smallest->capacity) smallest = &volume;
  }
  return smallest;
}

// pkg/apis/core/v1/helper/helpers.go MatchTopologySelectorTerms: no terms allow every node.
bool allows_topology(const StorageClass& storage_class, const Node& node) {
  return storage_class.allowed_topologies.empty() ||
         matches(NodeSelector{.terms = storage_class.allowed_topologies}, node.labels, "");
}

class VolumeBinding final : public Plugin {
 public:
  explicit VolumeBinding(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "VolumeBinding"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<VolumeBinding>(*this); }

  PreFilterResult pre_filter() override {
    const Pod& pod = situation_.preemptor;
    Claims claims;
    for (const PodVolume& volume : pod.volumes) {
      if (!uses_claim(volume)) continue;
      const std::string claim_of = claim_name(pod, volume);
      const PersistentVolumeClaim* claim = find_claim(situation_.cluster, pod.namespace_, claim_of);
      const bool ephemeral = volume.kind == VolumeKind::kEphemeral;
      const std::string quoted = "persistentvolumeclaim \"" + claim_of + "\"";
      if (claim == nullptr) {
        REPRIEVE_MARK("reference/binding/absent-claim");
        return {.status =
                    unresolvable(ephemeral ? "waiting for ephemeral volume controller to create the " + quoted
                                           : quoted + " not found")};
      }
      if (claim->phase == "Lost") {
        REPRIEVE_MARK("reference/binding/lost-claim");
        return {.status = unresolvable(quoted + " bound to non-existent persistentvolume \"" +
                                       claim->volume_name + "\"")};
      }
      if (claim->deleting) {
        REPRIEVE_MARK("reference/binding/deleting-claim");
        return {.status = unresolvable(quoted + " is being deleted")};
      }
      if (ephemeral && !is_made_for(*claim, pod)) {
        REPRIEVE_MARK("reference/binding/claim-of-another-pod");
        return {.status = unresolvable(not_made_for_message(*claim, pod))};
      }
      claims.push_back(claim);
    }
    if (claims.empty()) return {.skip = true};

    for (const PersistentVolumeClaim* claim : claims) {
      const StorageClass* storage_class = find_storage_class(situation_.cluster, class_of(*claim));
      if (is_fully_bound(*claim)) {
        bound_.push_back(claim);
      } else if (storage_class != nullptr && storage_class->wait_for_first_consumer &&
                 claim->volume_name.empty()) {
        unbound_.push_back(claim);
      } else {
        // Somebody else binds it, and has not done so yet.
        REPRIEVE_MARK("reference/binding/unbound-immediate-claim");
        return {.status = unresolvable("pod has unbound immediate PersistentVolumeClaims")};
      }
    }
    return {};
  }

  // FindPodVolumes. No eviction changes any of it: always unresolvable, with all reasons.
  Status filter(const NodeInfo& info) const override {
    const Node& node = *info.node;
    Status status;
    const auto because = [&status](const char* reason) {
      status.code = Code::kUnresolvable;
      status.failure.reasons.emplace_back(reason);
    };

    // The first bound claim with a problem decides.
    bool volume_is_gone = false;
    for (const PersistentVolumeClaim* claim : bound_) {
      const PersistentVolume* volume = find_volume(situation_.cluster, claim->volume_name);
      volume_is_gone = volume == nullptr;
      if (volume_is_gone) {
        REPRIEVE_MARK("reference/binding/volume-is-gone");
        break;
      }
      if (!reaches(*volume, node)) {
        REPRIEVE_MARK("reference/binding/volume-is-elsewhere");
        because("node(s) didn't match PersistentVolume's node affinity");
        break;
      }
    }

    switch (bind_or_provision(node)) {
      case Unbound::kFine: break;
      case Unbound::kNoVolume: because("node(s) didn't find available persistent volumes to bind"); break;
      case Unbound::kNoSpace: because("node(s) did not have enough free storage"); break;
      case Unbound::kInvalidSelector: return error("error creating internal label selector for claim");
    }
    if (volume_is_gone) because("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
    return status;
  }

 private:
  enum class Unbound { kFine, kNoVolume, kNoSpace, kInvalidSelector };

  Unbound bind_or_provision(const Node& node) const {
    Claims to_match;
    Claims to_provision;
    for (const PersistentVolumeClaim* claim : unbound_) {
      const auto selected = claim->annotations.find("volume.kubernetes.io/selected-node");
      if (selected == claim->annotations.end()) {
        to_match.push_back(claim);
      } else if (selected->second == node.name) {
        REPRIEVE_MARK("reference/binding/provisioned-here");
        to_provision.push_back(claim);
      } else {
        REPRIEVE_MARK("reference/binding/provisioned-elsewhere");
        return Unbound::kNoVolume;  // being provisioned for another node
      }
    }

    // Smallest request first, so that large volumes are left for large claims.
    std::ranges::stable_sort(to_match, {}, &PersistentVolumeClaim::storage_request);
    std::set<std::string> taken;
    for (const PersistentVolumeClaim* claim : to_match) {
      if (claim->selector && !is_valid(*claim->selector)) return Unbound::kInvalidSelector;
      const PersistentVolume* volume = matching_volume(*claim, situation_.cluster, node, taken);
      if (volume == nullptr) {
        to_provision.push_back(claim);
      } else {
        REPRIEVE_MARK("reference/binding/volume-is-matched");
        taken.insert(volume->name);
      }
    }

    for (const PersistentVolumeClaim* claim : to_provision) {
      const StorageClass& storage_class = *find_storage_class(situation_.cluster, class_of(*claim));
      if (storage_class.provisioner.empty() || storage_class.provisioner == "kubernetes.io/no-provisioner") {
        REPRIEVE_MARK("reference/binding/no-provisioner");
        return Unbound::kNoVolume;
      }
      if (!allows_topology(storage_class, node)) {
        REPRIEVE_MARK("reference/binding/topology-is-not-allowed");
        return Unbound::kNoVolume;
      }
      const CsiDriver* driver = find_csi_driver(situation_.cluster, storage_class.provisioner);
      if (driver != nullptr && driver->storage_capacity && !is_zero(claim->storage_request)) {
        REPRIEVE_MARK("reference/binding/no-capacity");
        return Unbound::kNoSpace;
      }
    }
    return Unbound::kFine;
  }

  const Situation& situation_;
  Claims bound_;
  Claims unbound_;  // all of classes that wait for the first consumer
};

}  // namespace

std::unique_ptr<Plugin> make_volume_binding(const Situation& situation) {
  return std::make_unique<VolumeBinding>(situation);
}

}  // namespace reprieve::reference
