// A node with what is on it, as the scheduler's NodeInfo keeps it: updated pod by pod, never
// recounted. That matters: host ports are a *set*, so taking off one of two pods that hold the
// same port frees it for all. Source: pkg/scheduler/framework/types.go (NodeInfo).
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "reprieve/model/node.h"
#include "reprieve/model/pod.h"
#include "reprieve/reference/requests.h"

namespace reprieve::reference {

struct HostPort {
  std::string ip;        // "0.0.0.0" when the pod says nothing
  std::string protocol;  // "TCP" when the pod says nothing
  std::int32_t port = 0;

  auto operator<=>(const HostPort&) const = default;
};

/// Host ports of the containers that run as long as the pod does: sidecars first, then containers.
std::vector<HostPort> host_ports(const Pod& pod);

struct NodeInfo {
  explicit NodeInfo(const Node& on_node);

  const Node* node;
  Amounts allocatable;
  std::int64_t allowed_pods = 0;  // allocatable "pods"; absent: 0

  std::vector<const Pod*> pods;
  Amounts requested;
  std::set<HostPort> used_ports;

  /// `held` is what the pod holds (Situation::held_by).
  void add(const Pod& pod, const Amounts& held);

  /// The pod must be on the node.
  void remove(const Pod& pod, const Amounts& held);
};

}  // namespace reprieve::reference
