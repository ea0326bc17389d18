// One cluster turned into another, object by object: what an informer tells a scheduler.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reprieve/model/cluster.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

enum class Kind {
  kNode,
  kPod,
  kBudget,
  kNamespace,
  kClaim,
  kVolume,
  kStorageClass,
  kCsiNode,
  kCsiDriver,
  kVolumeAttachment,
};

/// `name` is "namespace/name" for pods, budgets and claims.
struct Removed {
  Kind kind = Kind::kNode;
  std::string name;
};

/// An object that is added or takes the place of the one of its name, or the removal of one.
using Change = std::variant<Removed, Node, Pod, DisruptionBudget, Namespace, PersistentVolumeClaim,
                            PersistentVolume, StorageClass, CsiNode, CsiDriver, VolumeAttachment>;

/// Changes, in any order, that make of `from` what `to` holds (lists in another order), with detours:
/// objects that go and come back, and changes that are made twice. Priority classes are left out: they have
/// been applied to the pods.
std::vector<Change> changes_between(const Cluster& from, const Cluster& to, generators::Random& random);

/// Objects keep their place, new ones come last.
void apply(const Change& change, Cluster& cluster);

}  // namespace reprieve::relations
