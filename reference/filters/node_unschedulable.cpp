// NodeUnschedulable: a cordoned node, unless the pod tolerates the taint that cordoning would set.
// Source: pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go.
#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/filters/tolerations.h"

namespace reprieve::reference {
namespace {

class NodeUnschedulable final : public Plugin {
 public:
  explicit NodeUnschedulable(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "NodeUnschedulable"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<NodeUnschedulable>(*this); }

  Status filter(const NodeInfo& node) const override {
    if (!node.node->unschedulable) return {};
    const Taint cordoned{
        .key = "node.kubernetes.io/unschedulable", .value = "", .effect = TaintEffect::kNoSchedule};
    if (tolerates(situation_.preemptor.tolerations, cordoned)) {
      REPRIEVE_MARK("reference/cordon/is-tolerated");
      return {};
    }
    return unresolvable("node(s) were unschedulable");
  }

 private:
  const Situation& situation_;
};

}  // namespace

std::unique_ptr<Plugin> make_node_unschedulable(const Situation& situation) {
  return std::make_unique<NodeUnschedulable>(situation);
}

}  // namespace reprieve::reference
