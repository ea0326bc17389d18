// The defaults that need the whole input, and what is said about the input as a whole.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "reprieve/manifest/loader.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::manifest {
namespace {

/// In-tree sources that csi-translation-lib knows.
bool is_migratable(std::string_view source_kind) {
  static constexpr std::string_view kKinds[] = {
      "awsElasticBlockStore", "azureDisk",      "azureFile",    "cinder",
      "gcePersistentDisk",    "portworxVolume", "vsphereVolume"};
  return std::ranges::find(kKinds, source_kind) != std::end(kKinds);
}

}  // namespace

void Loader::finish() {
  if (case_spec && first_duplicate_) {
    throw DecodeError{Error{.where = first_duplicate_->where, .message = first_duplicate_->message}};
  }
  resolve_priorities();
  resolve_storage_classes();
  if (!decoder_.wants_warnings()) return;
  warn_about_nodes();
  warn_about_absent_kinds();
}

/// The priority admission plugin (plugin/pkg/admission/priority/admission.go). A priority that is
/// given was admitted long ago and stays.
void Loader::resolve_priorities() {
  static const PriorityClass kSystem[] = {
      {.name = "system-node-critical", .value = 2'000'001'000},
      {.name = "system-cluster-critical", .value = 2'000'000'000},
  };
  const auto find = [&](const std::string& name) -> const PriorityClass* {
    const auto by_name = [&](const PriorityClass& item) { return item.name == name; };
    const auto found = std::ranges::find_if(cluster.priority_classes, by_name);
    if (found != cluster.priority_classes.end()) return &*found;
    const auto system = std::ranges::find_if(kSystem, by_name);
    return system != std::end(kSystem) ? &*system : nullptr;
  };
  // getDefaultPriorityClass: of several, the one with the lowest value.
  const PriorityClass* global_default = nullptr;
  for (const PriorityClass& item : cluster.priority_classes) {
    if (item.global_default && (global_default == nullptr || item.value < global_default->value)) {
      global_default = &item;
    }
  }
  for (const Undecided& undecided : undecided_) {
    const PriorityClass* its_class =
        undecided.class_name.empty()
            ? REPRIEVE_MUTANT("default-priority-class-ignored", global_default, nullptr)
            : find(undecided.class_name);
    if (its_class == nullptr && !undecided.class_name.empty() && undecided.needs_priority) {
      throw DecodeError{Error{
          .where = location(pod_entries_[undecided.pod]->place, "spec.priorityClassName"),
          .message =
              fmt::format("no PriorityClass with name {} is in the input, and pod {} has no spec.priority",
                          undecided.class_name, full_name(cluster.pods[undecided.pod]))}};
    }
    if (its_class == nullptr) continue;
    Pod& pod = cluster.pods[undecided.pod];
    if (undecided.needs_priority) pod.priority = its_class->value;
    if (REPRIEVE_MUTANT("policy-of-the-class-ignored", undecided.needs_policy, false))
      pod.preemption_policy = its_class->preemption_policy;
  }
}

/// The DefaultStorageClass admission plugin (plugin/pkg/admission/storage/storageclass/setdefault and
/// pkg/volume/util GetDefaultClass): of several default classes the newest, then the first by name.
void Loader::resolve_storage_classes() {
  const StorageClass* best = nullptr;
  std::optional<TimeUs> best_time;
  for (std::size_t i = 0; i < cluster.storage_classes.size(); ++i) {
    const StorageClass& item = cluster.storage_classes[i];
    if (!item.is_default) continue;
    const std::optional<TimeUs> time = storage_class_times_[i];
    if (best == nullptr || time > best_time || (time == best_time && item.name < best->name)) {
      best = &item;
      best_time = time;
    }
  }
  if (best == nullptr) return;
  for (PersistentVolumeClaim& claim : cluster.claims) {
    if (!claim.storage_class_name && claim.volume_name.empty()) claim.storage_class_name = best->name;
  }
}

void Loader::warn_about_nodes() {
  std::unordered_set<std::string_view> nodes;
  for (const Node& node : cluster.nodes) nodes.insert(node.name);
  WarningList& warnings = *decoder_.warnings();
  for (std::size_t i = 0; i < cluster.pods.size(); ++i) {
    const Pod& pod = cluster.pods[i];
    const Place& place = pod_entries_[i]->place;
    if (!pod.node_name.empty() && !nodes.contains(pod.node_name)) {
      warnings.add("a pod runs on a node that is not in the input; it holds nothing",
                   [&] { return location(place, "spec.nodeName"); });
    }
    // Since 1.35 the scheduler also writes it before it binds (NominatedNodeNameForExpectation). Who
    // writes a case means the nomination.
    if (!case_spec && pod.node_name.empty() && !pod.nominated_node_name.empty()) {
      warnings.add(
          "a nominated node may also mean that the pod is about to be bound; it is taken for the mark of an "
          "earlier preemption",
          [&] { return location(place, "status.nominatedNodeName"); });
    }
  }
}

/// "This kind is not in the dump" is not "this object does not exist"; in a case it is.
void Loader::warn_about_absent_kinds() {
  if (case_spec) return;
  WarningList& warnings = *decoder_.warnings();
  bool migrates = false;
  for (const CsiNode& node : cluster.csi_nodes) migrates |= !node.migrated_plugins.empty();
  const bool has_in_tree_volumes = std::ranges::any_of(
      cluster.volumes, [](const PersistentVolume& volume) { return is_migratable(volume.source_kind); });
  for (std::size_t i = 0; i < cluster.pods.size(); ++i) {
    const Pod& pod = cluster.pods[i];
    const auto at = [&](std::string_view field) {
      return [this, i, field] { return location(pod_entries_[i]->place, field); };
    };
    bool claims = false, migratable = false;
    for (const PodVolume& volume : pod.volumes) {
      claims |= volume.kind == VolumeKind::kClaim || volume.kind == VolumeKind::kEphemeral;
      migratable |= volume.kind == VolumeKind::kGcePersistentDisk ||
                    volume.kind == VolumeKind::kAwsElasticBlockStore ||
                    volume.kind == VolumeKind::kOtherMigratable;
    }
    migratable |= claims && has_in_tree_volumes;
    if (claims && cluster.claims.empty()) {
      warnings.add("a pod uses a claim, and no PersistentVolumeClaim is in the input", at("spec.volumes"));
    }
    if (claims && cluster.volumes.empty()) {
      warnings.add("a pod uses a claim, and no PersistentVolume is in the input", at("spec.volumes"));
    }
    if (claims && cluster.storage_classes.empty()) {
      warnings.add("a pod uses a claim, and no StorageClass is in the input", at("spec.volumes"));
    }
    if (claims && cluster.csi_nodes.empty()) {
      warnings.add("a pod uses a claim, and no CSINode is in the input: attach limits are not checked",
                   at("spec.volumes"));
    }
    if (migratable && migrates) {
      warnings.add("the attach limits of in-tree volumes that are migrated to CSI are not modelled",
                   at("spec.volumes"));
    }
    if (cluster.namespaces.empty() && selects_namespaces_by_label(pod)) {
      warnings.add("a namespaceSelector is used, and no Namespace is in the input", at("spec.affinity"));
    }
  }
}

}  // namespace reprieve::manifest
