// VolumeZone: a bound volume's zone and region labels must hold on the node.
// Source: pkg/scheduler/framework/plugins/volumezone/volume_zone.go,
// cloud-provider volume/helpers/zones.go (LabelZonesToSet).
#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/filters/storage.h"

namespace reprieve::reference {
namespace {

constexpr const char* kTopologyLabels[] = {
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
};

std::string general_name(const std::string& label) {
  if (label == kTopologyLabels[0]) return kTopologyLabels[2];
  if (label == kTopologyLabels[1]) return kTopologyLabels[3];
  return label;
}

std::string trimmed(const std::string& text) {
  const char* const spaces = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(spaces);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

// "a__b" is two zones. A list with an empty part is not understood, and the label ignored.
std::set<std::string> zones_in(std::string text) {
  std::set<std::string> zones;
  if (text.find("__") != std::string::npos) REPRIEVE_MARK("reference/zone/several-zones");
  while (true) {
    const std::size_t delimiter = text.find("__");
    const std::string zone = trimmed(text.substr(0, delimiter));
    if (zone.empty()) return {};
    zones.insert(zone);
    if (delimiter == std::string::npos) return zones;
    text = text.substr(delimiter + 2);
  }
}

struct Topology {
  std::string label;
  std::set<std::string> zones;
};

class VolumeZone final : public Plugin {
 public:
  explicit VolumeZone(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "VolumeZone"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<VolumeZone>(*this); }

  PreFilterResult pre_filter() override {
    const Cluster& cluster = situation_.cluster;
    const Pod& pod = situation_.preemptor;
    for (const PodVolume& pod_volume : pod.volumes) {
      if (pod_volume.kind != VolumeKind::kClaim) continue;  // not the ephemeral ones
      if (pod_volume.source.empty()) return {.status = unresolvable("PersistentVolumeClaim had no name")};
      const PersistentVolumeClaim* claim = find_claim(cluster, pod.namespace_, pod_volume.source);
      if (claim == nullptr) {
        return {.status = unresolvable("persistentvolumeclaim \"" + pod_volume.source + "\" not found")};
      }
      if (claim->volume_name.empty()) {
        const std::string class_name = claim->storage_class_name.value_or("");
        if (class_name.empty()) {
          return {.status = unresolvable("PersistentVolumeClaim had no pv name and storageClass name")};
        }
        const StorageClass* storage_class = find_storage_class(cluster, class_name);
        if (storage_class == nullptr) {
          return {.status = unresolvable("storageclass.storage.k8s.io \"" + class_name + "\" not found")};
        }
        if (storage_class->wait_for_first_consumer) continue;
        return {.status = unresolvable("PersistentVolume had no name")};
      }
      const PersistentVolume* volume = find_volume(cluster, claim->volume_name);
      if (volume == nullptr) {
        return {.status = unresolvable("persistentvolume \"" + claim->volume_name + "\" not found")};
      }
      for (const char* label : kTopologyLabels) {
        const auto value = volume->labels.find(label);
        if (value == volume->labels.end()) continue;
        const std::set<std::string> zones = zones_in(value->second);
        if (!zones.empty()) topologies_.push_back({.label = label, .zones = zones});
      }
    }
    return {.skip = topologies_.empty()};
  }

  Status filter(const NodeInfo& info) const override {
    const Labels& labels = info.node->labels;
    // A node without any such label stands in a cluster of one zone.
    bool has_topology = false;
    for (const char* label : kTopologyLabels) has_topology = has_topology || labels.contains(label);
    if (!has_topology) {
      REPRIEVE_MARK("reference/zone/node-without-topology");
      return {};
    }

    for (const Topology& topology : topologies_) {
      auto label = labels.find(topology.label);
      if (label == labels.end()) {
        label = labels.find(general_name(topology.label));
        if (label != labels.end()) REPRIEVE_MARK("reference/zone/beta-label-meets-the-general-one");
      }
      if (label == labels.end() || !topology.zones.contains(label->second)) {
        REPRIEVE_MARK("reference/zone/another-zone");
        return unresolvable("node(s) had no available volume zone");
      }
    }
    return {};
  }

 private:
  const Situation& situation_;
  std::vector<Topology> topologies_;
};

}  // namespace

std::unique_ptr<Plugin> make_volume_zone(const Situation& situation) {
  return std::make_unique<VolumeZone>(situation);
}

}  // namespace reprieve::reference
