#include "reprieve/reference/requests.h"

#include <vector>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/selectors.h"

namespace reprieve::reference {
namespace {

void add(ResourceList& list, const ResourceList& more) {
  for (const auto& [name, quantity] : more) list[name] = list[name] + quantity;
}

void take_larger(ResourceList& list, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    const auto [entry, inserted] = list.try_emplace(name, quantity);
    if (!inserted && quantity > entry->second) entry->second = quantity;
  }
}

// IsSupportedPodLevelResource: what can be asked for a whole pod.
bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

// Only the first PodResizePending condition counts.
bool resize_is_infeasible(const Pod& pod) {
  for (const PodCondition& condition : pod.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

// Sidecars run beside the containers; the i-th init container runs beside the sidecars before it.
// The pod needs the larger of the two at any time (KEP-753).
template <class RequestsOfContainer>
ResourceList over_the_life_of(const Pod& pod, RequestsOfContainer requests_of) {
  ResourceList running;
  for (const Container& container : pod.containers) add(running, requests_of(container));

  ResourceList sidecars;
  ResourceList starting;
  for (const Container& container : pod.init_containers) {
    const ResourceList& requests = requests_of(container);
    if (container.restart_always) {
      REPRIEVE_MARK("reference/requests/sidecar");
      add(running, requests);
      add(sidecars, requests);
      take_larger(starting, sidecars);
    } else {
      REPRIEVE_MARK("reference/requests/init-container");
      ResourceList step = requests;
      add(step, sidecars);
      take_larger(starting, step);
    }
  }
  take_larger(running, starting);
  return running;
}

ResourceList spec_requests(const Pod& pod) {
  return over_the_life_of(
      pod, [](const Container& container) -> const ResourceList& { return container.requests; });
}

// --- 1.36: per container ---

// 1.36 builds a map by name: containers first, then init containers, the last of a name wins.
const ContainerStatus* last_status_of(const Pod& pod, const std::string& container) {
  const ContainerStatus* found = nullptr;
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.name == container) found = &status;
  }
  for (const ContainerStatus& status : pod.init_container_statuses) {
    if (status.name == container) found = &status;
  }
  return found;
}

ResourceList container_requests_1_36(const Pod& pod) {
  return over_the_life_of(pod, [&pod](const Container& container) {
    bool is_init = false;
    for (const Container& init : pod.init_containers) is_init = is_init || &init == &container;
    const ContainerStatus* status = last_status_of(pod, container.name);
    // A plain init container, and a status without `resources`, leave the spec as it is.
    if ((is_init && !container.restart_always) || status == nullptr || !status->has_resources) {
      return container.requests;
    }
    REPRIEVE_MARK("reference/requests/status-counts-1.36");
    ResourceList effective;
    if (resize_is_infeasible(pod)) {
      REPRIEVE_MARK("reference/requests/infeasible-1.36");
    } else {
      effective = container.requests;
    }
    if (status->requests) take_larger(effective, *status->requests);
    if (status->allocated_resources) take_larger(effective, *status->allocated_resources);
    return effective;
  });
}

// Names that the spec does not mention stay out; names that it does may even fall to zero.
void override_with_pod_level_1_36(ResourceList& requests, const Pod& pod) {
  ResourceList effective = *pod.pod_level_requests;
  if (pod.has_status_resources) {
    if (resize_is_infeasible(pod)) effective.clear();
    if (pod.status_requests) take_larger(effective, *pod.status_requests);
    if (pod.status_allocated) take_larger(effective, *pod.status_allocated);
  }
  for (const auto& [name, quantity] : *pod.pod_level_requests) {
    if (is_pod_level_resource(name)) requests[name] = effective[name];
  }
}

// --- 1.37: over the pod ---

const ContainerStatus* first_status_of(const Pod& pod, const std::string& container) {
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.name == container) return &status;
  }
  for (const ContainerStatus& status : pod.init_container_statuses) {
    if (status.name == container) return &status;
  }
  return nullptr;
}

const ResourceList kNothing;

ResourceList allocated_requests(const Pod& pod) {
  return over_the_life_of(pod, [&pod](const Container& container) -> const ResourceList& {
    const ContainerStatus* status = first_status_of(pod, container.name);
    if (status != nullptr && status->allocated_resources) return *status->allocated_resources;
    return resize_is_infeasible(pod) ? kNothing : container.requests;
  });
}

ResourceList actuated_requests(const Pod& pod) {
  return over_the_life_of(pod, [&pod](const Container& container) -> const ResourceList& {
    const ContainerStatus* status = first_status_of(pod, container.name);
    if (status != nullptr && status->has_resources && status->requests) return *status->requests;
    if (status != nullptr && status->allocated_resources) return *status->allocated_resources;
    return resize_is_infeasible(pod) ? kNothing : container.requests;
  });
}

ResourceList container_requests_1_37(const Pod& pod) {
  ResourceList effective;
  if (resize_is_infeasible(pod)) {
    REPRIEVE_MARK("reference/requests/infeasible-1.37");
  } else {
    effective = spec_requests(pod);
  }
  // The pod-wide status is complete only when both halves are there.
  if (pod.status_allocated && pod.has_status_resources && pod.status_requests) {
    REPRIEVE_MARK("reference/requests/pod-wide-status-1.37");
    take_larger(effective, *pod.status_requests);
    take_larger(effective, *pod.status_allocated);
  } else {
    take_larger(effective, actuated_requests(pod));
    take_larger(effective, allocated_requests(pod));
  }
  return effective;
}

void override_with_pod_level_1_37(ResourceList& requests, const Pod& pod) {
  ResourceList effective = *pod.pod_level_requests;
  if (pod.has_status_resources) {
    if (resize_is_infeasible(pod)) effective.clear();
    if (pod.status_requests) take_larger(effective, *pod.status_requests);
    if (pod.status_allocated) take_larger(effective, *pod.status_allocated);
  }
  for (const auto& [name, quantity] : effective) {
    if (is_pod_level_resource(name)) requests[name] = quantity;
  }
}

// IsPodLevelRequestsSet: at least one resource that can be set for a whole pod.
bool has_pod_level_requests(const Pod& pod) {
  if (!pod.pod_level_requests) return false;
  for (const auto& [name, quantity] : *pod.pod_level_requests) {
    if (is_pod_level_resource(name)) return true;
  }
  return false;
}

// pkg/apis/core/v1/helper/helpers.go IsExtendedResourceName: has a slash, is not Kubernetes' own,
// and is still a qualified name behind the prefix of a quota.
bool is_extended_resource_name(std::string_view name) {
  if (name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos)
    return false;
  return !name.starts_with("requests.") && is_qualified_name("requests." + std::string(name));
}

}  // namespace

Amounts held_by(const Pod& pod, Release release) {
  ResourceList requests;
  if (release == Release::k1_36) {
    requests = container_requests_1_36(pod);
    if (has_pod_level_requests(pod)) {
      REPRIEVE_MARK("reference/requests/pod-level-1.36");
      override_with_pod_level_1_36(requests, pod);
    }
  } else {
    requests = container_requests_1_37(pod);
    if (has_pod_level_requests(pod)) {
      REPRIEVE_MARK("reference/requests/pod-level-1.37");
      override_with_pod_level_1_37(requests, pod);
    }
  }
  add(requests, pod.overhead);
  return rounded(requests);
}

Amounts asked_by(const Pod& preemptor) {
  ResourceList requests = spec_requests(preemptor);
  if (has_pod_level_requests(preemptor)) {
    REPRIEVE_MARK("reference/requests/pod-level-of-the-preemptor");
    for (const auto& [name, quantity] : *preemptor.pod_level_requests) {
      if (is_pod_level_resource(name)) requests[name] = quantity;
    }
  }
  if (!preemptor.overhead.empty()) REPRIEVE_MARK("reference/requests/overhead");
  add(requests, preemptor.overhead);
  return rounded(requests);
}

Amounts rounded(const ResourceList& list) {
  Amounts amounts;
  for (const auto& [name, quantity] : list) {
    if (name == "cpu") {
      amounts[name] = to_milli(quantity);
    } else if (name == "memory" || name == "ephemeral-storage" || is_scalar_resource_name(name)) {
      amounts[name] = ceil_units(quantity);
    }
  }
  return amounts;
}

bool is_scalar_resource_name(std::string_view name) {
  return is_extended_resource_name(name) || name.starts_with("hugepages-") ||
         name.find("kubernetes.io/") != std::string_view::npos || name.starts_with("attachable-volumes-");
}

}  // namespace reprieve::reference
