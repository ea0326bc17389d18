// The default filters in the kube-scheduler's order, for one preemptor on one node at a time.
//
// Source: pkg/scheduler/apis/config/v1/default_plugins.go (the order),
// pkg/scheduler/framework/runtime/framework.go (RunPreFilterPlugins, RunFilterPlugins,
// RunFilterPluginsWithNominatedPods).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/group_matches.h"
#include "reprieve/engine/filters/inter_pod_affinity.h"
#include "reprieve/engine/filters/node_ports.h"
#include "reprieve/engine/filters/node_properties.h"
#include "reprieve/engine/filters/node_resources_fit.h"
#include "reprieve/engine/filters/node_volume_limits.h"
#include "reprieve/engine/filters/pod_topology_spread.h"
#include "reprieve/engine/filters/verdict.h"
#include "reprieve/engine/filters/volume_binding.h"
#include "reprieve/engine/filters/volume_restrictions.h"
#include "reprieve/model/decision.h"

namespace reprieve::engine {

class FilterChain {
 public:
  /// Runs the pre-filters. A rejection holds for every node; kError fails the whole decision.
  PreFilterRejection begin(const Cycle& cycle);

  /// Whether a pre-filter left the node out.
  bool excludes(NodeId node) const;
  static std::string_view excluded_reason() { return "node(s) didn't satisfy plugin(s) [NodeAffinity]"; }

  /// Loads a node as the cluster stands, with the nominated pods that count there.
  void enter(NodeId node, std::span<const PodId> nominated);

  /// Takes a pod of the node off (-1) or puts it back (+1).
  void patch(PodId pod, int sign);

  /// Every filter, with the nominated pods first if there are any, then without. The second pass is
  /// needed because an affinity may hold only thanks to a nominated pod.
  Verdict check();

  /// The same, when the filters that look at the node alone are known to have passed.
  Verdict check_again();

  /// Whether, of the filters that evictions can satisfy, only the resources have a say about this
  /// preemptor, and none that looks at the node alone may still reject it where they pass.
  bool only_resources() const;

  /// Whether volumes have a say: they alone may fail a node with an error.
  bool reads_volumes() const;
  const NodeResourcesFit& resources() const { return resources_; }

  /// The failed verdict in words, for the load as it is now.
  FilterFailure explain(const Verdict& verdict);

 private:
  Verdict run(bool nominated);

  Cycle cycle_;
  NodeId node_ = kNone;
  NamedNodes named_;
  bool has_nominated_ = false;
  bool needs_features_ = false;
  std::vector<std::string> binding_reasons_;
  // Of the node entered, once asked; no eviction changes them.
  enum class Known : std::uint8_t { kUnknown, kYes, kNo, kError };
  Known binds_ = Known::kUnknown;
  Known zone_ = Known::kUnknown;

  GroupMatches matches_;
  NodePorts ports_;
  NodeResourcesFit resources_;
  VolumeRestrictions restrictions_;
  NodeVolumeLimits limits_;
  VolumeBinding binding_;
  VolumeZone zones_;
  PodTopologySpread spread_;
  InterPodAffinity affinity_;
};

}  // namespace reprieve::engine
