// NodeDeclaredFeatures: what the pod's spec needs of the kubelet must be among the features that
// the node declares. Source: pkg/scheduler/framework/plugins/nodedeclaredfeatures,
// component-helpers nodedeclaredfeatures/features (those that InferForScheduling).
// Left out: VolumeBindMountOptions of 1.37; the model holds no volume mounts.
#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"

namespace reprieve::reference {
namespace {

// FeatureMapper.TryMap merges the node's list with its own as two sorted lists (the API server
// validates the order): in a list that is not sorted, a name behind a greater one is not seen.
bool declares(const Node& node, const std::string& feature) {
  for (const std::string& declared : node.declared_features) {
    if (declared == feature) return true;
    if (declared > feature) break;
  }
  if (std::ranges::find(node.declared_features, feature) != node.declared_features.end()) {
    REPRIEVE_MARK("reference/features/behind-a-greater-name");
  }
  return false;
}

class NodeDeclaredFeatures final : public Plugin {
 public:
  explicit NodeDeclaredFeatures(const Situation& situation) {
    const Pod& pod = situation.preemptor;
    const auto restarts_all = [](const Container& container) { return container.restart_all_containers; };
    if (std::ranges::any_of(pod.containers, restarts_all) ||
        std::ranges::any_of(pod.init_containers, restarts_all)) {
      needed_.push_back("RestartAllContainersOnContainerExits");
    }
    if (pod.host_network && pod.host_users == false) needed_.push_back("UserNamespacesHostNetworkSupport");
  }

  std::string_view name() const override { return "NodeDeclaredFeatures"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<NodeDeclaredFeatures>(*this); }

  PreFilterResult pre_filter() override { return {.skip = needed_.empty()}; }

  Status filter(const NodeInfo& node) const override {
    for (const std::string& feature : needed_) {
      if (!declares(*node.node, feature)) return unresolvable("node(s) didn't match Pod's required features");
    }
    return {};
  }

 private:
  std::vector<std::string> needed_;
};

}  // namespace

std::unique_ptr<Plugin> make_node_declared_features(const Situation& situation) {
  return std::make_unique<NodeDeclaredFeatures>(situation);
}

}  // namespace reprieve::reference
