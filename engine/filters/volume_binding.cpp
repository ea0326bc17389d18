#include "reprieve/engine/filters/volume_binding.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";

PreFilterRejection unresolvable(std::string reason) {
  return {Code::kUnresolvable, Plugin::kVolumeBinding, std::move(reason)};
}

// IsVolumeBoundToClaim.
bool is_bound_to(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  return volume.has_claim_ref && volume.claim_name == claim.name &&
         volume.claim_namespace == claim.namespace_ &&
         (volume.claim_uid.empty() || volume.claim_uid == claim.uid);
}

// Labels and node selectors of storage objects are matched uninterned: the snapshot may not have
// seen their strings, and they are few.
bool matches_label(const Interner& strings, const LabelSet& labels, const SelectorRequirement& requirement) {
  const StringId key = strings.find(requirement.key);
  const StringId value = key == kNoString ? kNoString : label_value(labels, key);
  const bool exists = value != kNoString;
  const auto listed = [&] {
    return exists && std::ranges::find(requirement.values, strings.text(value)) != requirement.values.end();
  };
  switch (requirement.op) {
    case SelectorOperator::kIn: return listed();
    case SelectorOperator::kNotIn: return !listed();
    case SelectorOperator::kExists: return exists;
    case SelectorOperator::kDoesNotExist: return !exists;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt: {
      const auto number = exists ? parse_int64(strings.text(value)) : std::nullopt;
      const auto bound = parse_int64(requirement.values.front());
      return number && bound &&
             (requirement.op == SelectorOperator::kGt ? *number > *bound : *number < *bound);
    }
    case SelectorOperator::kInvalid: break;
  }
  return false;
}

// Whether the expressions parse (labels.NewRequirement); a scratch interner keeps the snapshot const.
bool are_valid(const std::vector<SelectorRequirement>& expressions) {
  Interner scratch;
  return compile(expressions, scratch).has_value();
}

}  // namespace

// podHasPVCs, then GetPodVolumeClaims.
PreFilterRejection VolumeBinding::begin(const Cycle& cycle) {
  cycle_ = cycle;
  bound_.clear();
  unbound_.clear();
  const PodRecord& record = cycle.record();
  skipped_ = !record.storage || std::ranges::none_of(record.storage->volumes, uses_claim);
  if (skipped_) return {};
  return look_up(record);
}

PreFilterRejection VolumeBinding::look_up(const PodRecord& record) {
  const Storage& storage = cycle_.index->storage;
  std::vector<const PersistentVolumeClaim*> claims;
  for (const PodVolume& volume : record.storage->volumes) {
    if (!uses_claim(volume)) continue;
    const bool ephemeral = volume.kind == VolumeKind::kEphemeral;
    const std::string name = claim_name(record.name(), volume);
    const PersistentVolumeClaim* claim = storage.find_claim(record.namespace_name(), name);
    if (!claim) {
      REPRIEVE_MARK("engine/binding/absent-claim");
      return unresolvable(
          ephemeral
              ? "waiting for ephemeral volume controller to create the persistentvolumeclaim \"" + name + "\""
              : "persistentvolumeclaim \"" + name + "\" not found");
    }
    if (claim->phase == "Lost") {
      REPRIEVE_MARK("engine/binding/lost-claim");
      return unresolvable("persistentvolumeclaim \"" + name + "\" bound to non-existent persistentvolume \"" +
                          claim->volume_name + "\"");
    }
    if (claim->deleting) {
      REPRIEVE_MARK("engine/binding/deleting-claim");
      return unresolvable("persistentvolumeclaim \"" + name + "\" is being deleted");
    }
    if (ephemeral && (claim->owner_pod_uid.empty() || claim->owner_pod_uid != record.storage->uid)) {
      REPRIEVE_MARK("engine/binding/claim-of-another-pod");
      return unresolvable("PVC " + claim->namespace_ + "/" + name + " was not created for pod " +
                          record.full_name + " (pod is not owner)");
    }
    claims.push_back(claim);
  }
  bool immediate = false;
  for (const PersistentVolumeClaim* claim : claims) {
    if (!claim->volume_name.empty() && claim->annotations.contains(kBindCompleted)) {
      bound_.push_back(claim);
      continue;
    }
    // A claim that names its volume but is not bound yet counts as immediate.
    const StorageClass* storage_class =
        Storage::find(storage.classes, claim->storage_class_name.value_or(""));
    if (storage_class && storage_class->wait_for_first_consumer && claim->volume_name.empty()) {
      unbound_.push_back(claim);
    } else {
      REPRIEVE_MARK("engine/binding/unbound-immediate-claim");
      immediate = true;
    }
  }
  if (immediate) return unresolvable("pod has unbound immediate PersistentVolumeClaims");
  return {};
}

// CheckNodeAffinity: labels only, and a term that does not parse matches nothing.
bool VolumeBinding::matches(const PersistentVolume& volume, NodeId node) const {
  if (!volume.node_affinity) return true;
  const LabelSet& labels = cycle_.node(node).labels;
  return std::ranges::any_of(volume.node_affinity->terms, [&](const NodeSelectorTerm& term) {
    if (term.match_expressions.empty() && term.match_fields.empty()) return false;
    const bool fields_parse = std::ranges::all_of(term.match_fields, [](const SelectorRequirement& field) {
      return (field.op == SelectorOperator::kIn || field.op == SelectorOperator::kNotIn) &&
             field.values.size() == 1;
    });
    return fields_parse && are_valid(term.match_expressions) &&
           std::ranges::all_of(term.match_expressions, [&](const SelectorRequirement& expression) {
             return matches_label(cycle_.index->strings, labels, expression);
           });
  });
}

// FindMatchingVolume: one bound to the claim beforehand, else the smallest that is large enough.
const PersistentVolume* VolumeBinding::find_volume(const PersistentVolumeClaim& claim, NodeId node,
                                                   const std::set<std::string>& chosen,
                                                   std::string& error) const {
  const std::string storage_class = claim.storage_class_name.value_or("");
  std::optional<Selector> selector;
  Interner strings;
  if (claim.selector) {
    auto compiled = compile(*claim.selector, strings);
    if (!compiled) {
      error = "error creating internal label selector for claim: " + claim.namespace_ + "/" + claim.name +
              ": " + compiled.error();
      return nullptr;
    }
    selector = std::move(*compiled);
  }
  // Of several equals the one listed first.
  const auto place = [&](const PersistentVolume& volume) {
    return cycle_.index->storage.volume_places.find(volume.name)->second;
  };
  const PersistentVolume* smallest = nullptr;
  const PersistentVolume* bound = nullptr;
  for (const auto& [name, volume] : cycle_.index->storage.volumes) {
    if (volume.storage_class_name != storage_class || chosen.contains(name)) continue;
    if (volume.has_claim_ref && !is_bound_to(volume, claim)) continue;
    if (volume.capacity < claim.storage_request || volume.volume_mode != claim.volume_mode || volume.deleting)
      continue;
    if (is_bound_to(volume, claim)) {
      REPRIEVE_MARK("engine/binding/reserved-volume");
      if (!bound || place(volume) < place(*bound)) bound = &volume;
      continue;
    }
    if (volume.phase != "Available" || !matches(volume, node)) continue;
    if (selector && !selector->matches(intern_labels(volume.labels, strings), strings)) continue;
    const bool modes = std::ranges::all_of(claim.access_modes, [&](AccessMode mode) {
      return std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
    });
    if (!modes) continue;
    if (smallest) REPRIEVE_MARK("engine/binding/several-volumes-would-do");
    if (!smallest ||
        REPRIEVE_MUTANT("largest-volume-bound", volume.capacity < smallest->capacity,
                        smallest->capacity < volume.capacity) ||
        (volume.capacity == smallest->capacity && place(volume) < place(*smallest))) {
      smallest = &volume;
    }
  }
  if (bound) return matches(*bound, node) ? bound : nullptr;
  return smallest;
}

// checkVolumeProvisions.
bool VolumeBinding::provisions(const std::vector<const PersistentVolumeClaim*>& claims, NodeId node,
                               bool& has_room) const {
  const Storage& storage = cycle_.index->storage;
  has_room = true;
  for (const PersistentVolumeClaim* claim : claims) {
    const StorageClass* storage_class =
        Storage::find(storage.classes, claim->storage_class_name.value_or(""));
    if (!storage_class || storage_class->provisioner.empty() ||
        storage_class->provisioner == kNoProvisioner) {
      REPRIEVE_MARK("engine/binding/no-provisioner");
      return false;
    }
    // MatchTopologySelectorTerms: no terms match every node, a term without expressions none.
    const auto& topologies = storage_class->allowed_topologies;
    const bool allowed =
        topologies.empty() || std::ranges::any_of(topologies, [&](const NodeSelectorTerm& term) {
          return !term.match_expressions.empty() && are_valid(term.match_expressions) &&
                 std::ranges::all_of(term.match_expressions, [&](const SelectorRequirement& expression) {
                   return matches_label(cycle_.index->strings, cycle_.node(node).labels, expression);
                 });
        });
    if (!allowed) {
      REPRIEVE_MARK("engine/binding/topology-is-not-allowed");
      return false;
    }
    const CsiDriver* driver = Storage::find(storage.csi_drivers, storage_class->provisioner);
    if (driver && driver->storage_capacity && !is_zero(claim->storage_request)) {
      REPRIEVE_MARK("engine/binding/no-capacity");
      has_room = false;
      return true;
    }
  }
  return true;
}

// FindPodVolumes.
std::vector<std::string> VolumeBinding::reasons(NodeId node) const {
  bool affinity_matches = true;
  bool volumes_exist = true;
  for (const PersistentVolumeClaim* claim : bound_) {
    const PersistentVolume* volume = Storage::find(cycle_.index->storage.volumes, claim->volume_name);
    volumes_exist = volume != nullptr;
    affinity_matches = REPRIEVE_MUTANT("volume-affinity-ignored", !volume || matches(*volume, node), true);
    if (!volumes_exist) REPRIEVE_MARK("engine/binding/volume-is-gone");
    if (!affinity_matches) REPRIEVE_MARK("engine/binding/volume-is-elsewhere");
    if (!volumes_exist || !affinity_matches) break;
  }

  bool bindable = true;
  bool has_room = true;
  std::vector<const PersistentVolumeClaim*> to_provision;
  std::vector<const PersistentVolumeClaim*> to_match;
  for (const PersistentVolumeClaim* claim : unbound_) {
    const auto selected = claim->annotations.find(kSelectedNode);
    if (selected == claim->annotations.end()) {
      to_match.push_back(claim);
    } else if (selected->second == cycle_.node(node).name) {
      REPRIEVE_MARK("engine/binding/provisioned-here");
      to_provision.push_back(claim);
    } else {
      REPRIEVE_MARK("engine/binding/provisioned-elsewhere");
      bindable = false;
      break;
    }
  }
  if (bindable) {
    // The smallest request chooses first.
    std::ranges::stable_sort(to_match, {},
                             [](const PersistentVolumeClaim* claim) { return claim->storage_request; });
    std::set<std::string> chosen;
    for (const PersistentVolumeClaim* claim : to_match) {
      std::string error;
      const PersistentVolume* volume = find_volume(*claim, node, chosen, error);
      if (!error.empty()) return {"!" + error};
      if (volume) {
        REPRIEVE_MARK("engine/binding/volume-is-matched");
        if (REPRIEVE_MUTANT("volume-bound-twice", true, false)) chosen.insert(volume->name);
      } else {
        to_provision.push_back(claim);
      }
    }
    if (!to_provision.empty()) bindable = provisions(to_provision, node, has_room);
  }

  std::vector<std::string> reasons;
  if (!affinity_matches) reasons.emplace_back("node(s) didn't match PersistentVolume's node affinity");
  if (!bindable) reasons.emplace_back("node(s) didn't find available persistent volumes to bind");
  if (!has_room) reasons.emplace_back("node(s) did not have enough free storage");
  if (!volumes_exist) {
    reasons.emplace_back("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
  }
  return reasons;
}

}  // namespace reprieve::engine
