// NodeName: the pod asks for a node by name. A preemptor is on no node, so it never asks.
// Source: pkg/scheduler/framework/plugins/nodename/node_name.go.
#include "reprieve/reference/filters/plugins.h"

namespace reprieve::reference {
namespace {

class NodeName final : public Plugin {
 public:
  explicit NodeName(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "NodeName"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<NodeName>(*this); }

  Status filter(const NodeInfo& node) const override {
    const std::string& wanted = situation_.preemptor.node_name;
    if (wanted.empty() || wanted == node.node->name) return {};
    return unresolvable("node(s) didn't match the requested node name");
  }

 private:
  const Situation& situation_;
};

}  // namespace

std::unique_ptr<Plugin> make_node_name(const Situation& situation) {
  return std::make_unique<NodeName>(situation);
}

}  // namespace reprieve::reference
