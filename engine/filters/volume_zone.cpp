// VolumeZone: the zone and region labels of bound volumes against the node's.
// Source: pkg/scheduler/framework/plugins/volumezone/volume_zone.go.
#include <algorithm>
#include <array>

#include "reprieve/engine/filters/volume_binding.h"
#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

constexpr std::string_view kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kBetaRegion = "failure-domain.beta.kubernetes.io/region";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::array kTopologyLabels = {kBetaZone, kBetaRegion, kZone, kRegion};

// volumehelpers.LabelZonesToSet: "a__b"; an empty part makes the label unusable, and it is ignored.
bool split_zones(std::string_view text, std::set<std::string>& zones) {
  if (text.find("__") != std::string_view::npos) REPRIEVE_MARK("engine/zone/several-zones");
  while (true) {
    const std::size_t end = std::min(text.find("__"), text.size());
    std::string_view part = text.substr(0, end);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (part.empty()) return false;
    zones.emplace(part);
    if (end == text.size()) return true;
    text.remove_prefix(end + 2);
  }
}

PreFilterRejection unresolvable(std::string reason) {
  return {Code::kUnresolvable, Plugin::kVolumeZone, std::move(reason)};
}

}  // namespace

PreFilterRejection VolumeZone::begin(const Cycle& cycle) {
  cycle_ = cycle;
  topologies_.clear();
  const PodRecord& record = cycle.record();
  if (!record.storage) return {};
  const Storage& storage = cycle.index->storage;
  for (const PodVolume& volume : record.storage->volumes) {
    if (volume.kind != VolumeKind::kClaim) continue;  // ephemeral ones are not looked at
    const PersistentVolumeClaim* claim = storage.find_claim(record.namespace_name(), volume.source);
    // Absent claims and unbound immediate ones were turned away by VolumeRestrictions and
    // VolumeBinding; what is left unbound waits for its first consumer.
    if (!claim || claim->volume_name.empty()) continue;
    const PersistentVolume* bound = Storage::find(storage.volumes, claim->volume_name);
    if (!bound) return unresolvable("persistentvolume \"" + claim->volume_name + "\" not found");
    for (const std::string_view key : kTopologyLabels) {
      const auto label = bound->labels.find(key);
      if (label == bound->labels.end()) continue;
      Topology topology{.key = std::string(key), .values = {}};
      if (split_zones(label->second, topology.values)) topologies_.push_back(std::move(topology));
    }
  }
  return {};
}

std::string_view VolumeZone::label(NodeId node, std::string_view key, bool& found) const {
  const Interner& strings = cycle_.index->strings;
  const StringId id = strings.find(key);
  const StringId value = id == kNoString ? kNoString : label_value(cycle_.node(node).labels, id);
  found = value != kNoString;
  return found ? std::string_view(strings.text(value)) : std::string_view();
}

bool VolumeZone::fits(NodeId node) const {
  bool found = false;
  const bool has_any = std::ranges::any_of(kTopologyLabels, [&](std::string_view key) {
    label(node, key, found);
    return found;
  });
  if (!has_any) {  // a cluster without zones
    if (!topologies_.empty()) REPRIEVE_MARK("engine/zone/node-without-topology");
    return true;
  }
  return std::ranges::all_of(topologies_, [&](const Topology& topology) {
    std::string_view value = label(node, topology.key, found);
    if (REPRIEVE_MUTANT("beta-zone-label-alone", !found, false)) {
      // A volume's beta label is held against the node's general one.
      const std::string_view general = topology.key == kBetaRegion ? kRegion
                                       : topology.key == kBetaZone ? kZone
                                                                   : std::string_view(topology.key);
      value = label(node, general, found);
      if (found) REPRIEVE_MARK("engine/zone/beta-label-meets-the-general-one");
    }
    if (found && REPRIEVE_MUTANT("volume-zone-ignored", topology.values.contains(std::string(value)), true)) {
      return true;
    }
    REPRIEVE_MARK("engine/zone/another-zone");
    return false;
  });
}

}  // namespace reprieve::engine
