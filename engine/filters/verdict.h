// What a filter says, as small numbers; texts are made only for a full decision.
#pragma once

#include <cstdint>
#include <string_view>

namespace reprieve::engine {

enum class Plugin : std::uint8_t {
  kNoPlugin,
  kNodeUnschedulable,
  kNodeName,
  kTaintToleration,
  kNodeAffinity,
  kNodePorts,
  kNodeResourcesFit,
  kVolumeRestrictions,
  kNodeVolumeLimits,
  kVolumeBinding,
  kVolumeZone,
  kPodTopologySpread,
  kInterPodAffinity,
  kNodeDeclaredFeatures,
};

/// The kube-scheduler's name of a plugin (pkg/scheduler/framework/plugins/names).
constexpr std::string_view to_string(Plugin plugin) {
  switch (plugin) {
    case Plugin::kNoPlugin: return "";
    case Plugin::kNodeUnschedulable: return "NodeUnschedulable";
    case Plugin::kNodeName: return "NodeName";
    case Plugin::kTaintToleration: return "TaintToleration";
    case Plugin::kNodeAffinity: return "NodeAffinity";
    case Plugin::kNodePorts: return "NodePorts";
    case Plugin::kNodeResourcesFit: return "NodeResourcesFit";
    case Plugin::kVolumeRestrictions: return "VolumeRestrictions";
    case Plugin::kNodeVolumeLimits: return "NodeVolumeLimits";
    case Plugin::kVolumeBinding: return "VolumeBinding";
    case Plugin::kVolumeZone: return "VolumeZone";
    case Plugin::kPodTopologySpread: return "PodTopologySpread";
    case Plugin::kInterPodAffinity: return "InterPodAffinity";
    case Plugin::kNodeDeclaredFeatures: return "NodeDeclaredFeatures";
  }
  return "";
}

/// fwk.Code, as far as filters use it.
enum class Code : std::uint8_t { kSuccess, kUnschedulable, kUnresolvable, kError };

struct Verdict {
  Code code = Code::kSuccess;
  Plugin plugin = Plugin::kNoPlugin;
  std::uint8_t detail = 0;      // which of the plugin's reasons
  bool with_nominated = false;  // it failed in the pass that counts the nominated pods in

  bool fits() const { return code == Code::kSuccess; }
};

}  // namespace reprieve::engine
