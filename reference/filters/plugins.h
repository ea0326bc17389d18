// The default filter plugins, one file each, and the order in which each release runs them.
// Source: pkg/scheduler/apis/config/v1/default_plugins.go (MultiPoint).
#pragma once

#include <memory>
#include <vector>

#include "reprieve/reference/plugin.h"

namespace reprieve::reference {

std::unique_ptr<Plugin> make_node_name(const Situation& situation);
std::unique_ptr<Plugin> make_node_unschedulable(const Situation& situation);
std::unique_ptr<Plugin> make_taint_toleration(const Situation& situation);
std::unique_ptr<Plugin> make_node_affinity(const Situation& situation);
std::unique_ptr<Plugin> make_node_ports(const Situation& situation);
std::unique_ptr<Plugin> make_node_resources_fit(const Situation& situation);
std::unique_ptr<Plugin> make_volume_restrictions(const Situation& situation);
std::unique_ptr<Plugin> make_node_volume_limits(const Situation& situation);
std::unique_ptr<Plugin> make_volume_binding(const Situation& situation);
std::unique_ptr<Plugin> make_volume_zone(const Situation& situation);
std::unique_ptr<Plugin> make_pod_topology_spread(const Situation& situation);
std::unique_ptr<Plugin> make_inter_pod_affinity(const Situation& situation);
std::unique_ptr<Plugin> make_node_declared_features(const Situation& situation);

/// All of them, in the order in which PreFilter and Filter run in the situation's release.
std::vector<std::unique_ptr<Plugin>> make_default_plugins(const Situation& situation);

}  // namespace reprieve::reference
