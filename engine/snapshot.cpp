#include "reprieve/engine/snapshot.h"

#include <algorithm>

namespace reprieve::engine {
namespace {

constexpr std::size_t kFirstStride = 4;

// Moves rows of `from` numbers apart to rows of `to`, the new columns 0.
void respread(Array<std::int64_t>& rows, std::size_t from, std::size_t to) {
  const std::size_t count = rows.size() / from;
  Array<std::int64_t> wide(count * to, 0);
  for (std::size_t row = 0; row < count; ++row) {
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * from), from,
                wide.begin() + static_cast<std::ptrdiff_t>(row * to));
  }
  rows = std::move(wide);
}

}  // namespace

Snapshot::Snapshot(Release release) {
  index_.release = release;
  index_.stride = kFirstStride;
}

Snapshot::Snapshot(const Cluster& cluster, Release release) : Snapshot(release) {
  index_.nodes.reserve(cluster.nodes.size());
  index_.pods.reserve(cluster.pods.size());
  index_.pod_by_name.reserve(cluster.pods.size());
  for (const Namespace& name_space : cluster.namespaces) set_namespace(name_space);
  for (const PersistentVolumeClaim& claim : cluster.claims) set_claim(claim);
  for (const PersistentVolume& volume : cluster.volumes) set_volume(volume);
  for (const StorageClass& storage_class : cluster.storage_classes) set_storage_class(storage_class);
  for (const CsiNode& csi_node : cluster.csi_nodes) set_csi_node(csi_node);
  for (const CsiDriver& driver : cluster.csi_drivers) set_csi_driver(driver);
  for (const VolumeAttachment& attachment : cluster.volume_attachments) set_volume_attachment(attachment);
  // Nodes before pods, so that each pod finds its node; budgets before pods, so that each label
  // group is matched once.
  for (const Node& node : cluster.nodes) set_node(node);
  for (const DisruptionBudget& budget : cluster.budgets) set_budget(budget);
  for (const Pod& pod : cluster.pods) set_pod(pod);
}

// A resource name was met for the first time: every row gets room for it, doubling so that this
// happens seldom.
void Snapshot::widen() {
  if (index_.columns.size() <= index_.stride) return;
  std::size_t stride = index_.stride;
  while (stride < index_.columns.size()) stride *= 2;
  respread(index_.allocatable, index_.stride, stride);
  respread(index_.requested, index_.stride, stride);
  respread(index_.pod_requests, index_.stride, stride);
  index_.stride = stride;
}

NamespaceId Snapshot::namespace_id(std::string_view name) {
  const StringId name_id = index_.strings.intern(name);
  const auto [it, added] =
      index_.namespace_by_name.try_emplace(name_id, static_cast<NamespaceId>(index_.namespaces.size()));
  if (added)
    index_.namespaces.push_back(
        {.name_id = name_id, .exists = false, .labels = {}, .budgets = {}, .groups = {}});
  return it->second;
}

void Snapshot::set_namespace(const Namespace& name_space) {
  NamespaceRecord& record = index_.namespaces[namespace_id(name_space.name)];
  record.exists = true;
  record.labels = intern_labels(name_space.labels, index_.strings);
}

void Snapshot::remove_namespace(std::string_view name) {
  // The record stays: pods and budgets may still be in it.
  NamespaceRecord& record = index_.namespaces[namespace_id(name)];
  record.exists = false;
  record.labels.clear();
}

void Snapshot::set_claim(const PersistentVolumeClaim& claim) {
  index_.storage.claims.insert_or_assign(claim.namespace_ + "/" + claim.name, claim);
}
void Snapshot::set_volume(const PersistentVolume& volume) {
  index_.storage.volumes.insert_or_assign(volume.name, volume);
  if (index_.storage.volume_places.try_emplace(volume.name, next_sequence_).second) ++next_sequence_;
}
void Snapshot::set_storage_class(const StorageClass& storage_class) {
  index_.storage.classes.insert_or_assign(storage_class.name, storage_class);
}
void Snapshot::set_csi_node(const CsiNode& csi_node) {
  index_.storage.csi_nodes.insert_or_assign(csi_node.name, csi_node);
}
void Snapshot::set_csi_driver(const CsiDriver& driver) {
  index_.storage.csi_drivers.insert_or_assign(driver.name, driver);
}
void Snapshot::set_volume_attachment(const VolumeAttachment& attachment) {
  remove_volume_attachment(attachment.name);
  index_.storage.attachments.emplace(attachment.name, attachment);
  index_.storage.attachments_by_node[attachment.node_name].insert(attachment.name);
}

namespace {
template <class Map>
void erase_name(Map& map, std::string_view name) {
  if (const auto it = map.find(name); it != map.end()) map.erase(it);
}
}  // namespace

void Snapshot::remove_claim(std::string_view full_name) { erase_name(index_.storage.claims, full_name); }
void Snapshot::remove_volume(std::string_view name) {
  erase_name(index_.storage.volumes, name);
  erase_name(index_.storage.volume_places, name);
}
void Snapshot::remove_storage_class(std::string_view name) { erase_name(index_.storage.classes, name); }
void Snapshot::remove_csi_node(std::string_view name) { erase_name(index_.storage.csi_nodes, name); }
void Snapshot::remove_csi_driver(std::string_view name) { erase_name(index_.storage.csi_drivers, name); }
void Snapshot::remove_volume_attachment(std::string_view name) {
  const auto it = index_.storage.attachments.find(name);
  if (it == index_.storage.attachments.end()) return;
  erase_name(index_.storage.attachments_by_node.find(it->second.node_name)->second, name);
  index_.storage.attachments.erase(it);
}

}  // namespace reprieve::engine
