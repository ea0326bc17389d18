#include "reprieve/reference/node_info.h"

#include <algorithm>

namespace reprieve::reference {

std::vector<HostPort> host_ports(const Pod& pod) {
  std::vector<HostPort> ports;
  const auto collect = [&ports](const Container& container) {
    for (const ContainerPort& port : container.ports) {
      if (port.host_port <= 0) continue;
      ports.push_back({.ip = port.host_ip.empty() ? "0.0.0.0" : port.host_ip,
                       .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                       .port = port.host_port});
    }
  };
  for (const Container& container : pod.init_containers) {
    if (container.restart_always) collect(container);
  }
  for (const Container& container : pod.containers) collect(container);
  return ports;
}

NodeInfo::NodeInfo(const Node& on_node) : node(&on_node), allocatable(rounded(on_node.allocatable)) {
  const auto limit = on_node.allocatable.find("pods");
  if (limit != on_node.allocatable.end()) allowed_pods = ceil_units(limit->second);
}

void NodeInfo::add(const Pod& pod, const Amounts& held) {
  pods.push_back(&pod);
  for (const auto& [name, amount] : held) requested[name] += amount;
  for (const HostPort& port : host_ports(pod)) used_ports.insert(port);
}

void NodeInfo::remove(const Pod& pod, const Amounts& held) {
  pods.erase(std::ranges::find(pods, &pod));
  for (const auto& [name, amount] : held) requested[name] -= amount;
  for (const HostPort& port : host_ports(pod)) used_ports.erase(port);
}

}  // namespace reprieve::reference
