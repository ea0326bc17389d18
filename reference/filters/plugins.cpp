#include "reprieve/reference/filters/plugins.h"

namespace reprieve::reference {

std::vector<std::unique_ptr<Plugin>> make_default_plugins(const Situation& situation) {
  std::vector<std::unique_ptr<Plugin>> plugins;
  // 1.37 moved NodeName to the front: on a node that fails both, the reason differs.
  if (situation.release == Release::k1_36) {
    plugins.push_back(make_node_unschedulable(situation));
    plugins.push_back(make_node_name(situation));
  } else {
    plugins.push_back(make_node_name(situation));
    plugins.push_back(make_node_unschedulable(situation));
  }
  plugins.push_back(make_taint_toleration(situation));
  plugins.push_back(make_node_affinity(situation));
  plugins.push_back(make_node_ports(situation));
  plugins.push_back(make_node_resources_fit(situation));
  plugins.push_back(make_volume_restrictions(situation));
  plugins.push_back(make_node_volume_limits(situation));
  plugins.push_back(make_volume_binding(situation));
  plugins.push_back(make_volume_zone(situation));
  plugins.push_back(make_pod_topology_spread(situation));
  plugins.push_back(make_inter_pod_affinity(situation));
  // Appended behind the feature gate NodeDeclaredFeatures, so it comes last.
  plugins.push_back(make_node_declared_features(situation));
  return plugins;
}

}  // namespace reprieve::reference
