// TaintToleration: every NoSchedule and NoExecute taint of the node must be tolerated.
// Source: pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go.
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/filters/tolerations.h"

namespace reprieve::reference {
namespace {

class TaintToleration final : public Plugin {
 public:
  explicit TaintToleration(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "TaintToleration"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<TaintToleration>(*this); }

  Status filter(const NodeInfo& node) const override {
    if (!has_untolerated_taint(*node.node, situation_.preemptor.tolerations)) return {};
    return unresolvable("node(s) had untolerated taint(s)");
  }

 private:
  const Situation& situation_;
};

}  // namespace

std::unique_ptr<Plugin> make_taint_toleration(const Situation& situation) {
  return std::make_unique<TaintToleration>(situation);
}

}  // namespace reprieve::reference
