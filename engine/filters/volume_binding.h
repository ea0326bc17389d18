// VolumeBinding and VolumeZone: whether the volumes of the preemptor can be used from a node. They
// look at nodes and storage objects, never at pods, so no eviction changes what they say.
//
// Source: pkg/scheduler/framework/plugins/volumebinding/{volume_binding,binder}.go,
// volumezone/volume_zone.go; component-helpers storage/volume. CSIStorageCapacity objects are not
// modelled: a driver that asks for capacity tracking finds no room to provision.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/node_properties.h"
#include "reprieve/engine/filters/verdict.h"

namespace reprieve::engine {

class VolumeBinding {
 public:
  PreFilterRejection begin(const Cycle& cycle);
  bool skipped() const { return skipped_; }

  /// The reasons against the node; none: it is fine. An error is a reason that begins with '!'.
  std::vector<std::string> reasons(NodeId node) const;

 private:
  PreFilterRejection look_up(const PodRecord& record);
  bool matches(const PersistentVolume& volume, NodeId node) const;
  const PersistentVolume* find_volume(const PersistentVolumeClaim& claim, NodeId node,
                                      const std::set<std::string>& chosen, std::string& error) const;
  bool provisions(const std::vector<const PersistentVolumeClaim*>& claims, NodeId node, bool& has_room) const;

  Cycle cycle_;
  bool skipped_ = true;
  std::vector<const PersistentVolumeClaim*> bound_;
  std::vector<const PersistentVolumeClaim*> unbound_;  // bound when the first consumer is scheduled
};

class VolumeZone {
 public:
  PreFilterRejection begin(const Cycle& cycle);
  bool skipped() const { return topologies_.empty(); }
  bool fits(NodeId node) const;

 private:
  struct Topology {
    std::string key;
    std::set<std::string> values;
  };
  std::string_view label(NodeId node, std::string_view key, bool& found) const;

  Cycle cycle_;
  std::vector<Topology> topologies_;
};

}  // namespace reprieve::engine
