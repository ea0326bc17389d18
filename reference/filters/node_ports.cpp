// NodePorts: the host ports that the pod wants must be free on the node.
// Source: pkg/scheduler/framework/plugins/nodeports/node_ports.go,
// k8s.io/kube-scheduler/framework/types.go (HostPortInfo.CheckConflict).
#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"

namespace reprieve::reference {
namespace {

// Two ports conflict when protocol and number are equal and the addresses overlap: they are equal,
// or one of them is 0.0.0.0. ("::" is an address like any other here.)
bool conflict(const HostPort& wanted, const HostPort& used) {
  if (wanted.protocol != used.protocol || wanted.port != used.port) return false;
  if (wanted.ip == used.ip) return true;
  if (wanted.ip != "0.0.0.0" && used.ip != "0.0.0.0") {
    REPRIEVE_MARK("reference/ports/other-address");
    return false;
  }
  REPRIEVE_MARK("reference/ports/all-addresses");
  return true;
}

class NodePorts final : public Plugin {
 public:
  explicit NodePorts(const Situation& situation) : wanted_(host_ports(situation.preemptor)) {}

  std::string_view name() const override { return "NodePorts"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<NodePorts>(*this); }

  PreFilterResult pre_filter() override { return {.skip = wanted_.empty()}; }

  Status filter(const NodeInfo& node) const override {
    for (const HostPort& wanted : wanted_) {
      for (const HostPort& used : node.used_ports) {
        if (conflict(wanted, used)) {
          return unschedulable("node(s) didn't have free ports for the requested pod ports");
        }
      }
    }
    return {};
  }

 private:
  std::vector<HostPort> wanted_;
};

}  // namespace

std::unique_ptr<Plugin> make_node_ports(const Situation& situation) {
  return std::make_unique<NodePorts>(situation);
}

}  // namespace reprieve::reference
