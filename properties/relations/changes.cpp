#include "reprieve/properties/relations/changes.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace reprieve::relations {
namespace {

using generators::Random;

template <class T>
std::string name_of(const T& object) {
  if constexpr (requires { object.namespace_; }) {
    return object.namespace_ + "/" + object.name;
  } else {
    return object.name;
  }
}

// The list that holds objects of a type.
auto& list_of(Cluster& cluster, const Node&) { return cluster.nodes; }
auto& list_of(Cluster& cluster, const Pod&) { return cluster.pods; }
auto& list_of(Cluster& cluster, const DisruptionBudget&) { return cluster.budgets; }
auto& list_of(Cluster& cluster, const Namespace&) { return cluster.namespaces; }
auto& list_of(Cluster& cluster, const PersistentVolumeClaim&) { return cluster.claims; }
auto& list_of(Cluster& cluster, const PersistentVolume&) { return cluster.volumes; }
auto& list_of(Cluster& cluster, const StorageClass&) { return cluster.storage_classes; }
auto& list_of(Cluster& cluster, const CsiNode&) { return cluster.csi_nodes; }
auto& list_of(Cluster& cluster, const CsiDriver&) { return cluster.csi_drivers; }
auto& list_of(Cluster& cluster, const VolumeAttachment&) { return cluster.volume_attachments; }

template <class Visit>
void for_each_kind(Visit visit) {
  visit(Kind::kNode, &Cluster::nodes);
  visit(Kind::kPod, &Cluster::pods);
  visit(Kind::kBudget, &Cluster::budgets);
  visit(Kind::kNamespace, &Cluster::namespaces);
  visit(Kind::kClaim, &Cluster::claims);
  visit(Kind::kVolume, &Cluster::volumes);
  visit(Kind::kStorageClass, &Cluster::storage_classes);
  visit(Kind::kCsiNode, &Cluster::csi_nodes);
  visit(Kind::kCsiDriver, &Cluster::csi_drivers);
  visit(Kind::kVolumeAttachment, &Cluster::volume_attachments);
}

constexpr int kTurmoil = 34;  // the engine's snapshot closes gaps from 32 places on

/// What may come before the change that settles an object, in order.
template <class T>
void add_detour(Kind kind, const T& object, Random& random, std::vector<Change>& changes) {
  if (random.percent(15)) changes.emplace_back(Removed{.kind = kind, .name = name_of(object)});
  if (random.percent(10)) changes.emplace_back(object);
}

/// Objects of one sort that go and come back dozens of times: whoever keeps them by number then has more gaps
/// than objects, and closes them. Ends with what it began with. Often it is one of them alone, so that
/// nothing mends what the closing did to the others.
template <class T>
void add_turmoil(Kind kind, const std::vector<T>& objects, Random& random, std::vector<Change>& changes) {
  if (objects.empty()) return;
  const bool one = random.percent(60);
  const T& first = random.pick(objects);
  const int rounds = random.between(kTurmoil, 2 * kTurmoil);
  for (int i = 0; i < rounds; ++i) {
    const T& object = one ? first : random.pick(objects);
    changes.emplace_back(Removed{.kind = kind, .name = name_of(object)});
    changes.emplace_back(object);
  }
}

void add_turmoil(const Cluster& cluster, Random& random, std::vector<Change>& changes) {
  if (!random.percent(16)) return;
  if (random.coin()) {
    add_turmoil(Kind::kNode, cluster.nodes, random, changes);
  } else {
    add_turmoil(Kind::kBudget, cluster.budgets, random, changes);
  }
}

}  // namespace

std::vector<Change> changes_between(const Cluster& from, const Cluster& to, Random& random) {
  std::vector<std::vector<Change>> objects;  // the changes of each, in order
  for_each_kind([&](Kind kind, auto list) {
    for (const auto& object : from.*list) {
      const auto twin =
          std::ranges::find(to.*list, name_of(object), [](const auto& o) { return name_of(o); });
      auto& changes = objects.emplace_back();
      add_detour(kind, object, random, changes);
      if (twin == (to.*list).end()) {
        changes.emplace_back(Removed{.kind = kind, .name = name_of(object)});
      } else if (object != *twin || !changes.empty()) {
        changes.emplace_back(*twin);
      }
    }
    for (const auto& object : to.*list) {
      const auto twin =
          std::ranges::find(from.*list, name_of(object), [](const auto& o) { return name_of(o); });
      if (twin != (from.*list).end()) continue;
      auto& changes = objects.emplace_back();
      add_detour(kind, object, random, changes);
      changes.emplace_back(object);
    }
  });
  // Any merge of the objects' sequences.
  std::vector<std::size_t> turns;
  for (std::size_t i = 0; i < objects.size(); ++i) turns.insert(turns.end(), objects[i].size(), i);
  random.shuffle(turns);
  std::vector<std::size_t> next(objects.size(), 0);
  std::vector<Change> changes;
  add_turmoil(from, random, changes);
  for (const std::size_t i : turns) changes.push_back(std::move(objects[i][next[i]++]));
  add_turmoil(to, random, changes);
  return changes;
}

std::vector<Change> changes_to(const Cluster& cluster) {
  std::vector<Change> changes;
  for_each_kind([&](Kind, auto list) {
    for (const auto& object : cluster.*list) changes.emplace_back(object);
  });
  return changes;
}

Removed removal_of(const Change& change) {
  return std::visit(
      [&]<class T>(const T& object) {
        if constexpr (std::is_same_v<T, Removed>)
          return object;
        else  // the alternatives stand in the order of the kinds, behind the removal
          return Removed{.kind = static_cast<Kind>(change.index() - 1), .name = name_of(object)};
      },
      change);
}

std::string to_string(const Change& change) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "node",   "pod",           "budget",   "namespace",  "claim",
      "volume", "storage class", "CSI node", "CSI driver", "volume attachment"};
  const Removed about = removal_of(change);
  std::string text(std::holds_alternative<Removed>(change) ? "remove " : "set ");
  text += kNames[static_cast<std::size_t>(about.kind)];
  return text + " " + about.name;
}

void apply(const Change& change, Cluster& cluster) {
  std::visit(
      [&cluster]<class T>(const T& object) {
        if constexpr (std::is_same_v<T, Removed>) {
          for_each_kind([&](Kind kind, auto list) {
            if (kind != object.kind) return;
            std::erase_if(cluster.*list, [&](const auto& other) { return name_of(other) == object.name; });
          });
        } else {
          auto& list = list_of(cluster, object);
          const auto at = std::ranges::find(list, name_of(object), [](const auto& o) { return name_of(o); });
          if (at == list.end()) {
            list.push_back(object);
          } else {
            *at = object;
          }
        }
      },
      change);
}

}  // namespace reprieve::relations
