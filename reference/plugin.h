// One filter plugin at work on one preemptor: what it counted once for the whole cluster
// (PreFilter), how it patches those counts when a pod comes or goes (AddPod, RemovePod), and what
// it says about a node (Filter). Source: k8s.io/kube-scheduler/framework/interface.go.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "reprieve/reference/situation.h"
#include "reprieve/reference/status.h"

namespace reprieve::reference {

struct PreFilterResult {
  Status status;                               // a rejection holds for every node
  bool skip = false;                           // the plugin has nothing to do: not filtered, not patched
  std::optional<std::set<std::string>> nodes;  // only these nodes are eligible
};

class Plugin {
 public:
  virtual ~Plugin() = default;

  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<Plugin> clone() const = 0;  // with its counts: CycleState.Clone

  virtual PreFilterResult pre_filter() { return {}; }
  virtual void add_pod(const Pod&, const Node&) {}
  virtual void remove_pod(const Pod&, const Node&) {}
  virtual Status filter(const NodeInfo& node) const = 0;
};

}  // namespace reprieve::reference
