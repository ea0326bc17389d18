#include "reprieve/fuzz/updates.h"

#include <type_traits>
#include <variant>

namespace reprieve::fuzz {
namespace {

void remove(engine::Snapshot& snapshot, const relations::Removed& removed) {
  using relations::Kind;
  switch (removed.kind) {
    case Kind::kNode: return snapshot.remove_node(removed.name);
    case Kind::kPod: return snapshot.remove_pod(removed.name);
    case Kind::kBudget: return snapshot.remove_budget(removed.name);
    case Kind::kNamespace: return snapshot.remove_namespace(removed.name);
    case Kind::kClaim: return snapshot.remove_claim(removed.name);
    case Kind::kVolume: return snapshot.remove_volume(removed.name);
    case Kind::kStorageClass: return snapshot.remove_storage_class(removed.name);
    case Kind::kCsiNode: return snapshot.remove_csi_node(removed.name);
    case Kind::kCsiDriver: return snapshot.remove_csi_driver(removed.name);
    case Kind::kVolumeAttachment: return snapshot.remove_volume_attachment(removed.name);
  }
}

struct Setter {
  engine::Snapshot& snapshot;

  void operator()(const relations::Removed& removed) const { remove(snapshot, removed); }
  void operator()(const Node& item) const { snapshot.set_node(item); }
  void operator()(const Pod& item) const { snapshot.set_pod(item); }
  void operator()(const DisruptionBudget& item) const { snapshot.set_budget(item); }
  void operator()(const Namespace& item) const { snapshot.set_namespace(item); }
  void operator()(const PersistentVolumeClaim& item) const { snapshot.set_claim(item); }
  void operator()(const PersistentVolume& item) const { snapshot.set_volume(item); }
  void operator()(const StorageClass& item) const { snapshot.set_storage_class(item); }
  void operator()(const CsiNode& item) const { snapshot.set_csi_node(item); }
  void operator()(const CsiDriver& item) const { snapshot.set_csi_driver(item); }
  void operator()(const VolumeAttachment& item) const { snapshot.set_volume_attachment(item); }
};

}  // namespace

void update(engine::Snapshot& snapshot, const relations::Change& change) {
  std::visit(Setter{snapshot}, change);
}

}  // namespace reprieve::fuzz
