// Running the filter plugins: PreFilter once for the cluster, Filter on a node, and the two passes
// with and without the pods nominated to that node.
// Source: pkg/scheduler/framework/runtime/framework.go.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reprieve/reference/plugin.h"

namespace reprieve::reference {

/// The plugins that did not skip, each with its counts. A copy is a CycleState.Clone.
class CycleState {
 public:
  CycleState() = default;
  CycleState(const CycleState& other);
  CycleState(CycleState&&) = default;
  CycleState& operator=(const CycleState& other) = delete;
  CycleState& operator=(CycleState&&) = default;

  std::vector<std::unique_ptr<Plugin>> plugins;

  void add_pod(const Pod& pod, const Node& node);
  void remove_pod(const Pod& pod, const Node& node);
};

struct PreFiltered {
  CycleState state;
  Status rejection;                               // when not ok: of every node
  std::optional<std::set<std::string>> eligible;  // only these nodes are filtered
  std::vector<std::string> restricted_by;         // the plugins that said so
};

/// RunPreFilterPlugins.
PreFiltered run_pre_filter_plugins(const Situation& situation);

/// RunFilterPlugins: the status of the first plugin that fails, with its name.
Status run_filter_plugins(const CycleState& state, const NodeInfo& node);

/// RunFilterPluginsWithNominatedPods: "fits" means that all filters pass twice, first with the pods
/// nominated to the node counted in that have at least the preemptor's priority, then without.
Status run_filter_plugins_with_nominated_pods(const Situation& situation, const CycleState& state,
                                              const NodeInfo& node);

/// What the filters say about each node before any eviction, in input order
/// (pkg/scheduler/schedule_one.go findNodesThatFitPod).
struct FilteredNodes {
  CycleState state;
  std::vector<Status> statuses;
  Status failed;  // when not ok: a plugin failed, and with it the whole attempt
};
FilteredNodes filter_nodes(const Situation& situation);

}  // namespace reprieve::reference
