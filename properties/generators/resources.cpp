// What pods request and nodes have.
#include <algorithm>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

constexpr std::int64_t kMi = 1024 * 1024;

int container_units(Draft& draft) {
  if (draft.same_size_units > 0) return draft.same_size_units;
  return draft.random.between(1, 4);
}

void request(Draft& draft, ResourceList& list, int resource, int units) {
  const std::string& name = draft.resources[static_cast<std::size_t>(resource)].name;
  Quantity& quantity = list[name] = draft.amount(resource, units);
  if (draft.memory_by_the_byte && name == "memory") quantity.units += draft.random.below(3);
}

// Huge pages need cpu or memory beside them (validation: validateContainerResourceRequirements).
bool asks_for_huge_pages(const ResourceList& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const auto& item) { return item.first.starts_with("hugepages-"); });
}
bool asks_for_cpu_or_memory(const ResourceList& list) {
  return list.contains("cpu") || list.contains("memory");
}

/// A container's requests: a random part of the resources in play. Returns their units.
Units fill_requests(Draft& draft, ResourceList& list, bool pod_level = false) {
  Units units{};
  for (int r = 0; r < static_cast<int>(draft.resources.size()); ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (pod_level && draft.resources[i].container_only) continue;
    if (draft.now(Feature::kZeroRequests)) {
      if (draft.random.coin()) request(draft, list, r, 0);
      continue;
    }
    // Extended resources are rare in pods, or no pod would ever do without.
    if (draft.random.percent(r == 0 ? 85 : 60)) {
      units[i] = container_units(draft);
      request(draft, list, r, units[i]);
    }
  }
  if (asks_for_huge_pages(list) && !asks_for_cpu_or_memory(list)) {
    units[0] = container_units(draft);
    request(draft, list, 0, units[0]);
  }
  return units;
}

void add(Units& sum, const Units& more) {
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += more[r];
}
void raise(Units& most, const Units& other) {
  for (std::size_t r = 0; r < most.size(); ++r) most[r] = std::max(most[r], other[r]);
}

Units add_init_containers(Draft& draft, Pod& pod, const Units& containers) {
  Units sidecars{};
  Units peak{};
  const int count = draft.random.between(1, 3);
  for (int i = 0; i < count; ++i) {
    Container container;
    container.name = draft.numbered("i", i + 1);
    container.restart_always = draft.now(Feature::kSidecars);
    if (!container.restart_always && !draft.has(Feature::kInitContainers)) continue;
    Units units = fill_requests(draft, container.requests);
    if (container.restart_always) {
      add(sidecars, units);
      raise(peak, sidecars);
    } else {
      add(units, sidecars);
      raise(peak, units);
    }
    pod.init_containers.push_back(std::move(container));
  }
  Units total = containers;
  add(total, sidecars);
  raise(total, peak);
  return total;
}

/// Statuses as a kubelet leaves them in the middle of an in-place resize: what is actuated and what
/// is allocated need not be what the spec asks for.
void add_resize_status(Draft& draft, Pod& pod) {
  const auto add_status = [&](const Container& container, std::vector<ContainerStatus>& statuses) {
    if (draft.random.percent(20)) return;  // no status yet
    ContainerStatus status;
    status.name = container.name;
    status.has_resources = draft.random.percent(75);
    if (status.has_resources && draft.random.percent(90)) fill_requests(draft, status.requests.emplace());
    if (draft.random.percent(60)) fill_requests(draft, status.allocated_resources.emplace());
    statuses.push_back(std::move(status));
  };
  for (const Container& container : pod.containers) add_status(container, pod.container_statuses);
  for (const Container& container : pod.init_containers) add_status(container, pod.init_container_statuses);
  if (pod.pod_level_requests && draft.random.coin()) {
    pod.has_status_resources = draft.random.percent(75);
    if (pod.has_status_resources && draft.random.percent(90)) {
      fill_requests(draft, pod.status_requests.emplace(), true);
    }
    if (draft.random.coin()) fill_requests(draft, pod.status_allocated.emplace(), true);
  }
  if (draft.random.percent(60)) {
    static constexpr std::array kTypes = {"PodResizePending", "PodResizePending", "PodResizeInProgress"};
    static constexpr std::array kReasons = {"Infeasible", "Infeasible", "Deferred", ""};
    static constexpr std::array kStatuses = {"True", "True", "False"};
    pod.conditions.push_back({.type = draft.random.pick(kTypes),
                              .status = draft.random.pick(kStatuses),
                              .reason = draft.random.pick(kReasons)});
  }
}

}  // namespace

void choose_resources(Draft& draft) {
  Random& random = draft.random;
  const bool fractions = draft.has(Feature::kFractions);
  static constexpr std::array<std::int64_t, 3> kCpuUnits = {250, 500, 1000};
  const std::int64_t cpu_unit = fractions ? random.between(1, 7) : random.pick(kCpuUnits);
  draft.resources.push_back({.name = "cpu", .unit_milli = cpu_unit});
  // Half a byte and the like: sums are exact and rounded once (component-helpers resource/helpers.go).
  // Or amounts that are nearly alike: whoever keeps them rounded takes some for equal.
  draft.memory_by_the_byte = fractions && random.coin();
  const std::int64_t bytes_milli =
      fractions && !draft.memory_by_the_byte ? 500 * random.between(1, 3) : 256 * kMi * 1000;
  const auto bring = [&](Feature feature, ResourceInPlay resource) {
    if (draft.has(feature) && static_cast<int>(draft.resources.size()) < kMaxResources) {
      draft.resources.push_back(std::move(resource));
    }
  };
  bring(Feature::kMemory, {.name = "memory", .unit_milli = bytes_milli});
  bring(Feature::kExtendedResources, {.name = "example.com/gpu", .unit_milli = 1000, .container_only = true});
  bring(Feature::kHugePages, {.name = "hugepages-2Mi", .unit_milli = 2 * kMi * 1000});
  bring(Feature::kEphemeralStorage,
        {.name = "ephemeral-storage", .unit_milli = bytes_milli, .container_only = true});
  bring(Feature::kHugePages, {.name = "hugepages-1Gi", .unit_milli = 1024 * kMi * 1000});
}

Units add_requests(Draft& draft, Pod& pod) {
  const int count = draft.now(Feature::kContainers) ? draft.random.between(2, 3) : 1;
  Units total{};
  for (int i = 0; i < count; ++i) {
    Container& container = pod.containers.emplace_back();
    container.name = draft.numbered("c", i + 1);
    add(total, fill_requests(draft, container.requests));
  }
  if (draft.now(Feature::kInitContainers) || draft.now(Feature::kSidecars)) {
    total = add_init_containers(draft, pod, total);
  }
  if (draft.now(Feature::kPodLevelResources)) {
    // At least what the containers ask for together (validation: validatePodResourceConsistency).
    ResourceList& requests = pod.pod_level_requests.emplace();
    for (int r = 0; r < static_cast<int>(draft.resources.size()); ++r) {
      const auto i = static_cast<std::size_t>(r);
      if (draft.resources[i].container_only || draft.random.percent(30)) continue;
      total[i] += draft.random.below(2);
      request(draft, requests, r, total[i]);
      if (draft.memory_by_the_byte && draft.resources[i].name == "memory") requests["memory"].units += 64;
    }
  }
  if (draft.now(Feature::kOverhead)) {
    for (int r = 0; r < std::min(2, static_cast<int>(draft.resources.size())); ++r) {
      const auto i = static_cast<std::size_t>(r);
      if (draft.resources[i].container_only || draft.random.percent(30)) continue;
      request(draft, pod.overhead, r, 1);
      total[i] += 1;
    }
  }
  if (!pod.node_name.empty() && draft.now(Feature::kResize)) add_resize_status(draft, pod);
  return total;
}

void add_requests_exactly(Draft& draft, Pod& pod, const Units& units) {
  Container& container = pod.containers.emplace_back();
  container.name = "c1";
  for (int r = 0; r < static_cast<int>(draft.resources.size()); ++r) {
    const int wanted = units[static_cast<std::size_t>(r)];
    if (wanted > 0) request(draft, container.requests, r, wanted);
  }
  if (asks_for_huge_pages(container.requests) && !asks_for_cpu_or_memory(container.requests)) {
    request(draft, container.requests, 0, 0);
  }
}

void set_allocatable(Draft& draft, Node& node, const Units& units, int pods) {
  for (int r = 0; r < static_cast<int>(draft.resources.size()); ++r) {
    const int have = units[static_cast<std::size_t>(r)];
    // A resource that the node does not have at all is none of it.
    if (have == 0 && draft.random.coin()) continue;
    request(draft, node.allocatable, r, have);
    if (draft.has(Feature::kFractions)) {
      // Kubelets report whole bytes; millicores may be odd.
      Quantity& quantity = node.allocatable[draft.resources[static_cast<std::size_t>(r)].name];
      if (r > 0)
        quantity = {.units = draft.random.coin() ? ceil_units(quantity) : quantity.units, .milli = 0};
    }
  }
  const int limit = draft.now(Feature::kPodLimit) ? std::max(0, pods + draft.random.between(-1, 1)) : 110;
  node.allocatable["pods"] = {.units = limit, .milli = 0};
}

}  // namespace reprieve::generators
