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

  bool operator==(const Removed&) const = default;
};

/// An object that is added or takes the place of the one of its name, or the removal of one.
using Change = std::variant<Removed, Node, Pod, DisruptionBudget, Namespace, PersistentVolumeClaim,
                            PersistentVolume, StorageClass, CsiNode, CsiDriver, VolumeAttachment>;

/// Changes, in any order, that make of `from` what `to` holds (lists in another order), with detours:
/// objects that go and come back, changes that are made twice, and now and then nodes or budgets that come
/// and go so often that a snapshot closes the gaps they leave. Priority classes are left out: they have been
/// applied to the pods.
std::vector<Change> changes_between(const Cluster& from, const Cluster& to, generators::Random& random);

/// What makes of no cluster at all this one: each object set, in order.
std::vector<Change> changes_to(const Cluster& cluster);

/// The removal of the object that it is about.
Removed removal_of(const Change& change);

/// "remove node n1", "set pod default/p1".
std::string to_string(const Change& change);

/// Objects keep their place, new ones come last.
void apply(const Change& change, Cluster& cluster);

}  // namespace reprieve::relations
