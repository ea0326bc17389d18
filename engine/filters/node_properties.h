// The filters that look at the node alone: NodeUnschedulable, NodeName, TaintToleration,
// NodeAffinity and NodeDeclaredFeatures. What they say no eviction changes.
#pragma once

#include <string>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/verdict.h"

namespace reprieve::engine {

/// A pre-filter that turns the preemptor away everywhere.
struct PreFilterRejection {
  Code code = Code::kSuccess;
  Plugin plugin = Plugin::kNoPlugin;
  std::string reason;
};

/// NodeAffinity's pre-filter: when every term names nodes (matchFields), only those are filtered at
/// all; when the names contradict each other, none.
struct NamedNodes {
  bool restricted = false;
  std::vector<StringId> names;  // sorted; names of absent nodes may be missing
};

/// Reads the restriction; false when the names conflict.
bool read_named_nodes(const Cycle& cycle, NamedNodes& named);

/// The filters that come before all that look at pods, in the release's order. NodeName passes: a
/// pending pod names no node.
Verdict check_node_properties(const Cycle& cycle, NodeId node);

bool has_declared_features(const Cycle& cycle, NodeId node);

}  // namespace reprieve::engine
