#include <algorithm>

#include "reprieve/fuzz/codec/normalise.h"
#include "reprieve/fuzz/codec/pools.h"

namespace reprieve::fuzz {
namespace {

bool is_huge_pages(std::string_view resource) { return resource.starts_with("hugepages-"); }
bool is_pod_level(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || is_huge_pages(resource);
}

/// Names of native resources, or of extended ones, which have a domain (ValidateContainerResourceName).
void keep_resources_of_containers(ResourceList& requests) {
  std::erase_if(requests, [](const auto& item) {
    return !is_pod_level(item.first) && item.first != "ephemeral-storage" &&
           item.first.find('/') == std::string::npos;
  });
}

/// Huge pages need cpu or memory beside them (validateContainerResourceRequirements).
void normalise_requests(ResourceList& requests) {
  if (requests.empty()) return;
  keep_resources_of_containers(requests);
  const bool huge_pages = std::any_of(requests.begin(), requests.end(),
                                      [](const auto& item) { return is_huge_pages(item.first); });
  if (huge_pages && !requests.contains("cpu") && !requests.contains("memory")) requests["cpu"] = {};
}

void normalise_pod_level(std::optional<ResourceList>& requests) {
  if (requests) std::erase_if(*requests, [](const auto& item) { return !is_pod_level(item.first); });
}

/// At least what the containers ask for together (validatePodResourceConsistency).
void raise_pod_level(Pod& pod) {
  normalise_pod_level(pod.pod_level_requests);
  if (!pod.pod_level_requests) return;
  for (auto& [name, quantity] : *pod.pod_level_requests) {
    Quantity sum;
    for (const Container& container : pod.containers) {
      const auto found = container.requests.find(name);
      if (found != container.requests.end()) sum = sum + found->second;
    }
    quantity = std::max(quantity, sum);
  }
}

/// A pod holds a host port once (checkHostPortConflicts), and under hostNetwork each is its container's
/// (defaultHostNetworkPorts, and validation).
void normalise_ports(Pod& pod) {
  std::vector<const ContainerPort*> held;
  const auto look = [&](std::vector<Container>& containers) {
    for (Container& container : containers) {
      for (ContainerPort& port : container.ports) {
        if (port.protocol != "UDP" && port.protocol != "SCTP") port.protocol = "TCP";
        if (pod.host_network) port.host_port = port.container_port;
      }
    }
  };
  look(pod.containers);
  look(pod.init_containers);
  const auto same = [](const ContainerPort& a, const ContainerPort& b) {
    return a.host_port == b.host_port && a.protocol == b.protocol && a.host_ip == b.host_ip;
  };
  for (Container& container : pod.containers) {
    std::vector<ContainerPort> kept;
    for (ContainerPort& port : container.ports) {
      const bool twice =
          port.host_port != 0 &&
          (std::any_of(kept.begin(), kept.end(),
                       [&](const ContainerPort& other) { return same(port, other); }) ||
           std::any_of(pod.containers.begin(), pod.containers.end(), [&](const Container& other) {
             return &other < &container && std::any_of(
                                               other.ports.begin(), other.ports.end(),
                                               [&](const ContainerPort& one) { return same(port, one); });
           }));
      if (!twice) kept.push_back(std::move(port));
    }
    container.ports = std::move(kept);
  }
}

void normalise_terms(std::vector<PodAffinityTerm>& terms) {
  for (PodAffinityTerm& term : terms) {
    if (term.topology_key.empty()) term.topology_key = pools::kTopologyKeys[0];
    if (term.label_selector) term.label_selector->match_labels.erase("");
    if (term.namespace_selector) term.namespace_selector->match_labels.erase("");
    std::erase_if(term.namespaces, [](const std::string& name) { return name.empty(); });
  }
}

void normalise_spread(TopologySpreadConstraint& constraint) {
  if (constraint.topology_key.empty()) constraint.topology_key = pools::kTopologyKeys[0];
  if (constraint.when_unsatisfiable != UnsatisfiableAction::kDoNotSchedule) constraint.min_domains.reset();
  if (constraint.label_selector) constraint.label_selector->match_labels.erase("");
}

/// Only what the kind of volume has.
void normalise_volume(PodVolume& volume) {
  if (volume.kind == VolumeKind::kEphemeral || volume.kind == VolumeKind::kOther) {
    volume.source.clear();
    volume.read_only = false;
  }
  if (volume.kind == VolumeKind::kClaim && volume.source.empty()) volume.source = "absent";
  if (volume.kind != VolumeKind::kRbd) {
    volume.rbd_pool.clear();
    volume.rbd_monitors.clear();
  } else if (volume.rbd_pool.empty()) {
    volume.rbd_pool = "rbd";
  }
}

}  // namespace

void normalise_pod(Pod& pod, bool preemptor) {
  if (preemptor) {
    pod.node_name.clear();
    pod.scheduling_gates.clear();
    pod.scheduler_name = "default-scheduler";
    pod.deletion_time_us.reset();
  }
  if (pod.scheduler_name.empty()) pod.scheduler_name = "default-scheduler";
  pod.labels.erase("");
  pod.node_selector.erase("");
  bool ports = false;
  for (Container& container : pod.containers) {
    container.restart_always = false;
    normalise_requests(container.requests);
    ports |= !container.ports.empty();
  }
  for (Container& container : pod.init_containers) {
    normalise_requests(container.requests);
    ports |= !container.ports.empty();
  }
  if (ports) normalise_ports(pod);
  keep_resources_of_containers(pod.overhead);
  raise_pod_level(pod);
  if (!pod.has_status_resources) pod.status_requests.reset();
  normalise_pod_level(pod.status_requests);
  normalise_pod_level(pod.status_allocated);
  for (auto* statuses : {&pod.container_statuses, &pod.init_container_statuses}) {
    for (ContainerStatus& status : *statuses) {
      if (status.requests) keep_resources_of_containers(*status.requests);
      if (status.allocated_resources) keep_resources_of_containers(*status.allocated_resources);
    }
  }
  normalise_terms(pod.affinity.required_pod_affinity);
  normalise_terms(pod.affinity.required_pod_anti_affinity);
  for (TopologySpreadConstraint& constraint : pod.topology_spread_constraints) normalise_spread(constraint);
  for (PodVolume& volume : pod.volumes) normalise_volume(volume);
}

}  // namespace reprieve::fuzz
