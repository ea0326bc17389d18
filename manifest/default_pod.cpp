// The API server's defaults of a pod's resources and ports (pkg/apis/core/v1/defaults.go). A dump
// holds them already; on it this changes nothing.
#include <algorithm>
#include <limits>

#include "reprieve/manifest/decode_kinds.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::manifest {
namespace {

bool is_huge_pages(std::string_view resource) { return resource.starts_with("hugepages-"); }

/// resource.IsSupportedPodLevelResource of component-helpers.
bool is_pod_level(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || is_huge_pages(resource);
}

/// Sums stop at the largest quantity: whoever gets there is refused when all pods are summed up.
void add(ResourceList& sum, const ResourceList& more) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  for (const auto& [name, quantity] : more) {
    Quantity& total = sum[name];
    total = total.units >= kMax - quantity.units - 1 ? Quantity{.units = kMax} : total + quantity;
  }
}

void raise(ResourceList& most, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    const auto [at, is_new] = most.emplace(name, quantity);
    if (!is_new) at->second = std::max(at->second, quantity);
  }
}

/// aggregateContainerResourcesByFn of component-helpers/resource/helpers.go: the containers and
/// sidecars together, but at least what each init container needs beside the sidecars before it.
/// `list` gives the list of container i, or of init container i.
template <class List>
ResourceList aggregate(const Pod& pod, const List& list) {
  ResourceList result;
  for (std::size_t i = 0; i < pod.containers.size(); ++i) add(result, list(false, i));
  ResourceList sidecars;
  ResourceList initialising;
  for (std::size_t i = 0; i < pod.init_containers.size(); ++i) {
    if (pod.init_containers[i].restart_always) {
      add(result, list(true, i));
      add(sidecars, list(true, i));
      raise(initialising, sidecars);
    } else {
      ResourceList step = list(true, i);
      add(step, sidecars);
      raise(initialising, step);
    }
  }
  raise(result, initialising);
  return result;
}

/// defaultHugePagePodLimits and defaultPodRequests. 1.37 moved them to the creation of the pod
/// (DefaultPodLevelResources) and drops the condition that there be limits; what it then adds is what
/// the containers ask for anyway.
void default_pod_level(Pod& pod, const PodLimits& limits) {
  if (limits.pod_level.empty() && (!pod.pod_level_requests || pod.pod_level_requests->empty())) return;
  ResourceList pod_limits = limits.pod_level;
  ResourceList requests = pod.pod_level_requests.value_or(ResourceList{});
  const ResourceList container_limits = aggregate(
      pod, [&](bool init, std::size_t i) { return init ? limits.init_containers[i] : limits.containers[i]; });
  for (const auto& [name, quantity] : container_limits) {
    if (is_huge_pages(name) && !requests.contains(name)) pod_limits.emplace(name, quantity);
  }
  if (pod_limits.empty()) return;
  const ResourceList container_requests = aggregate(pod, [&](bool init, std::size_t i) {
    return init ? pod.init_containers[i].requests : pod.containers[i].requests;
  });
  for (const auto& [name, quantity] : container_requests) {
    if (is_pod_level(name) && !is_huge_pages(name)) requests.emplace(name, quantity);
  }
  for (const auto& [name, quantity] : pod_limits) {
    if (is_pod_level(name)) requests.emplace(name, quantity);
  }
  if (!requests.empty()) pod.pod_level_requests = std::move(requests);
}

}  // namespace

void default_pod_resources(Pod& pod, const PodLimits& limits) {
  // SetDefaults_Pod: what has a limit and no request asks for its limit.
  for (std::size_t i = 0; i < pod.containers.size(); ++i) {
    for (const auto& [name, quantity] : limits.containers[i])
      if (REPRIEVE_MUTANT("limits-are-no-requests", true, false))
        pod.containers[i].requests.emplace(name, quantity);
  }
  for (std::size_t i = 0; i < pod.init_containers.size(); ++i) {
    for (const auto& [name, quantity] : limits.init_containers[i]) {
      pod.init_containers[i].requests.emplace(name, quantity);
    }
  }
  default_pod_level(pod, limits);
  if (!pod.host_network) return;
  // defaultHostNetworkPorts.
  for (std::vector<Container>* containers : {&pod.containers, &pod.init_containers}) {
    for (Container& container : *containers) {
      for (ContainerPort& port : container.ports) {
        if (REPRIEVE_MUTANT("host-network-ports-not-defaulted", port.host_port == 0, false))
          port.host_port = port.container_port;
      }
    }
  }
}

}  // namespace reprieve::manifest
