// The records that are whole objects.
#include "reprieve/fuzz/codec/decoder.h"
#include "reprieve/fuzz/codec/layout_storage.h"
#include "reprieve/fuzz/codec/names.h"

namespace reprieve::fuzz {

/// A new object, unless there are too many.
template <class T>
T* Decoder::add_to(std::vector<T>& items, std::size_t most) {
  if (items.size() < most) return &items.emplace_back();
  object_ = Kind::kNothing;
  return nullptr;
}

void Decoder::begin_object(Kind kind, RecordReader& io) {
  object_ = kind;
  container_ = nullptr;
  status_ = nullptr;
  answer_ = nullptr;
  spread_ = nullptr;
  selector_ = nullptr;
  namespace_selector_ = nullptr;
  node_terms_ = nullptr;
  switch (kind) {
    case Kind::kNode: return begin_node(io);
    case Kind::kPod:
    case Kind::kPreemptor: return begin_pod(kind, io);
    case Kind::kBudget: return begin_budget(io);
    case Kind::kNamespace:
      if (Namespace* item = add_to(cluster().namespaces, kMaxNamespaces)) {
        layout::name_space(io, *item);
        make_last_unique(cluster().namespaces, pools::kNamespaceNames);
      }
      return;
    case Kind::kPriorityClass:
      if (PriorityClass* item = add_to(cluster().priority_classes, kMaxPriorityClasses)) {
        layout::priority_class(io, *item);
        make_last_unique(cluster().priority_classes, pools::kPriorityClassNames);
      }
      return;
    case Kind::kExtender:
      if (Extender* item = add_to(result_.extenders, kMaxExtenders)) layout::extender(io, *item);
      return;
    case Kind::kHeader: return;
    default: return begin_storage(kind, io);
  }
}

void Decoder::begin_node(RecordReader& io) {
  const std::size_t index = cluster().nodes.size();
  if (Node* node = add_to(cluster().nodes, kMaxNodes)) layout::node(io, *node, decoding_.node_names[index]);
}

void Decoder::begin_pod(Kind kind, RecordReader& io) {
  // The last place is for a preemptor, should none come.
  Pod* pod = add_to(cluster().pods, result_.preemptor.empty() ? kMaxPods - 1 : kMaxPods);
  if (pod == nullptr) return;
  container_ = &pod->containers.emplace_back();
  layout::pod(io, *pod, kind == Kind::kPreemptor);
  if (!is_plain(pod->namespace_)) pod->namespace_ = "default";
  make_last_unique(cluster().pods, pools::kPodNames);
  // The uid goes by the name, which is final now.
  if (!pod->uid.empty()) pod->uid = layout::derived_uid(*pod);
  if (kind == Kind::kPreemptor && result_.preemptor.empty()) result_.preemptor = full_name(*pod);
}

void Decoder::begin_budget(RecordReader& io) {
  DisruptionBudget* budget = add_to(cluster().budgets, kMaxBudgets);
  if (budget == nullptr) return;
  std::vector<std::string> disrupted;
  layout::budget(io, *budget, disrupted);
  budget->disrupted_pods.insert(disrupted.begin(), disrupted.end());
  if (!is_plain(budget->namespace_)) budget->namespace_ = "default";
  make_last_unique(cluster().budgets, pools::kBudgetNames);
  selector_ = &budget->selector;
}

void Decoder::begin_storage(Kind kind, RecordReader& io) {
  Cluster& all = cluster();
  if (kind == Kind::kClaim) {
    PersistentVolumeClaim* claim = add_to(all.claims, kMaxStorageObjects);
    if (claim == nullptr) return;
    layout::claim(io, *claim);
    if (!is_plain(claim->namespace_)) claim->namespace_ = "default";
    make_last_unique(all.claims, pools::kClaimNames);
    selector_ = &claim->selector;
  } else if (kind == Kind::kVolume) {
    PersistentVolume* volume = add_to(all.volumes, kMaxStorageObjects);
    if (volume == nullptr) return;
    layout::volume(io, *volume);
    make_last_unique(all.volumes, pools::kVolumeNames);
    if (volume->node_affinity) node_terms_ = &volume->node_affinity->terms;
  } else if (kind == Kind::kStorageClass) {
    StorageClass* storage_class = add_to(all.storage_classes, kMaxStorageObjects);
    if (storage_class == nullptr) return;
    layout::storage_class(io, *storage_class);
    make_last_unique(all.storage_classes, pools::kClassNames);
    node_terms_ = &storage_class->allowed_topologies;
  } else if (kind == Kind::kCsiNode) {
    CsiNode* csi_node = add_to(all.csi_nodes, kMaxStorageObjects);
    if (csi_node == nullptr) return;
    io.node(csi_node->name);
    make_last_unique(all.csi_nodes, pools::kCsiNodeNames);
    layout::csi_node_driver(io, csi_node->drivers.emplace_back());
    io.items(pools::kMigratedPlugins, csi_node->migrated_plugins, 3);
  } else if (kind == Kind::kCsiDriver) {
    CsiDriver* driver = add_to(all.csi_drivers, kMaxStorageObjects);
    if (driver == nullptr) return;
    layout::csi_driver(io, *driver);
    make_last_unique(all.csi_drivers, pools::kDriverNames);
  } else if (kind == Kind::kAttachment) {
    VolumeAttachment* attachment = add_to(all.volume_attachments, kMaxStorageObjects);
    if (attachment == nullptr) return;
    layout::attachment(io, *attachment);
    make_last_unique(all.volume_attachments, pools::kAttachmentNames);
  }
}

}  // namespace reprieve::fuzz
