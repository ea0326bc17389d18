#include "reprieve/engine/requests.h"

#include <algorithm>

#include "reprieve/engine/selectors.h"
#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

constexpr std::string_view kHugePages = "hugepages-";

// IsSupportedPodLevelResource.
bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with(kHugePages);
}

// IsPodLevelRequestsSet: one supported name switches it on.
bool has_pod_level_requests(const Pod& pod) {
  return pod.pod_level_requests && std::ranges::any_of(*pod.pod_level_requests, [](const auto& entry) {
           return is_pod_level_resource(entry.first);
         });
}

// IsPodResizeInfeasible: only the first PodResizePending condition counts.
bool is_resize_infeasible(const Pod& pod) {
  for (const PodCondition& condition : pod.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

// 1.36 fills a map, container statuses first, so of equal names the last counts.
const ContainerStatus* status_1_36(const Pod& pod, const std::string& name) {
  const ContainerStatus* found = nullptr;
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.name == name) found = &status;
  }
  for (const ContainerStatus& status : pod.init_container_statuses) {
    if (status.name == name) found = &status;
  }
  return found;
}

// 1.37 takes the first (findContainerStatus).
const ContainerStatus* status_1_37(const Pod& pod, const std::string& name) {
  for (const ContainerStatus& status : pod.container_statuses) {
    if (status.name == name) return &status;
  }
  for (const ContainerStatus& status : pod.init_container_statuses) {
    if (status.name == name) return &status;
  }
  return nullptr;
}

void add_rows(std::vector<Quantity>& to, const std::vector<Quantity>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = to[i] + from[i];
}

void raise_rows(std::vector<Quantity>& to, const std::vector<Quantity>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

}  // namespace

bool is_scalar_resource_name(std::string_view name) {
  if (name.starts_with(kHugePages) || name.starts_with("attachable-volumes-")) return true;
  if (name.find("kubernetes.io/") != std::string_view::npos) return true;
  // IsExtendedResourceName: qualified, outside kubernetes.io, and still a qualified name once a
  // quota's "requests." stands before it.
  if (name.find('/') == std::string_view::npos || name.starts_with("requests.")) return false;
  return is_label_key("requests." + std::string(name));
}

ResourceColumns::ResourceColumns() : names_{"cpu", "memory", "ephemeral-storage"} {
  columns_ = {{"cpu", kCpu}, {"memory", kMemory}, {"ephemeral-storage", kEphemeralStorage}};
}

int ResourceColumns::column(std::string_view name) {
  // Nearly every name is one of these three.
  if (name == "cpu") return kCpu;
  if (name == "memory") return kMemory;
  if (const auto it = columns_.find(name); it != columns_.end()) return it->second;
  int column = kIgnored;
  if (is_scalar_resource_name(name)) {
    column = static_cast<int>(names_.size());
    names_.emplace_back(name);
  }
  columns_.emplace(name, column);
  return column;
}

void RequestReader::set(Row& row, std::string_view name, Quantity amount, ResourceColumns& columns) {
  const int column = columns.column(name);
  if (column == ResourceColumns::kIgnored) return;
  if (row.size() < columns.size()) row.resize(columns.size());
  row[static_cast<std::size_t>(column)] = amount;
}

void RequestReader::add(Row& row, const ResourceList& list, ResourceColumns& columns) {
  for (const auto& [name, amount] : list) {
    const int column = columns.column(name);
    if (column == ResourceColumns::kIgnored) continue;
    if (row.size() < columns.size()) row.resize(columns.size());
    Quantity& to = row[static_cast<std::size_t>(column)];
    to = to + amount;
  }
}

void RequestReader::raise(Row& row, const ResourceList& list, ResourceColumns& columns) {
  for (const auto& [name, amount] : list) {
    const int column = columns.column(name);
    if (column == ResourceColumns::kIgnored) continue;
    if (row.size() < columns.size()) row.resize(columns.size());
    Quantity& to = row[static_cast<std::size_t>(column)];
    to = std::max(to, amount);
  }
}

// Sidecars add to the sum and to every later init step; the init steps together are a floor.
// `fill` writes what one container counts into a zeroed row.
template <class Fill>
void RequestReader::aggregate(const Pod& pod, Row& result, Fill fill) {
  result.clear();
  for (const Container& container : pod.containers) {
    container_.clear();
    fill(container, false, container_);
    add_rows(result, container_);
    if (REPRIEVE_MUTANT("first-container-alone", false, true)) break;
  }
  if (pod.init_containers.empty()) return;
  restartable_.clear();
  init_.clear();
  for (const Container& container : pod.init_containers) {
    container_.clear();
    fill(container, true, container_);
    if (container.restart_always) {
      REPRIEVE_MARK("engine/requests/sidecar");
      add_rows(result, container_);
      add_rows(restartable_, container_);
      raise_rows(init_, restartable_);
    } else {
      if (REPRIEVE_MUTANT("init-container-without-sidecars", true, false)) add_rows(container_, restartable_);
      raise_rows(init_, container_);
      REPRIEVE_MARK("engine/requests/init-container");
    }
  }
  raise_rows(result, init_);
}

// 1.36: a container whose status has `resources` counts the largest of spec, actuated and
// allocated; an init container's status counts only if it is a sidecar's.
void RequestReader::containers_1_36(const Pod& pod, bool with_status, ResourceColumns& columns) {
  const bool infeasible = with_status && is_resize_infeasible(pod);
  aggregate(pod, total_, [&](const Container& container, bool init, Row& row) {
    const ContainerStatus* status =
        with_status && (!init || container.restart_always) ? status_1_36(pod, container.name) : nullptr;
    if (!status || !status->has_resources) {
      add(row, container.requests, columns);
      return;
    }
    REPRIEVE_MARK("engine/requests/status-counts-1.36");
    if (infeasible) {
      REPRIEVE_MARK("engine/requests/infeasible-1.36");
    } else {
      raise(row, container.requests, columns);
    }
    if (status->requests) raise(row, *status->requests, columns);
    if (status->allocated_resources) raise(row, *status->allocated_resources, columns);
  });
}

// 1.37: three sums over the whole pod (spec, allocated, actuated), and the largest of them for
// each resource; pod-wide statuses, when complete, stand for the sums of the containers'.
void RequestReader::containers_1_37(const Pod& pod, bool with_status, ResourceColumns& columns) {
  const auto spec = [&](const Container& container, bool, Row& row) {
    add(row, container.requests, columns);
  };
  aggregate(pod, total_, spec);
  if (!with_status) return;
  const bool infeasible = is_resize_infeasible(pod);
  if (REPRIEVE_MUTANT("infeasible-resize-counts", infeasible, false)) {
    REPRIEVE_MARK("engine/requests/infeasible-1.37");
    total_.clear();
  }
  if (pod.status_allocated && pod.has_status_resources && pod.status_requests) {
    REPRIEVE_MARK("engine/requests/pod-wide-status-1.37");
    raise(total_, *pod.status_allocated, columns);
    raise(total_, *pod.status_requests, columns);
    return;
  }
  if (pod.container_statuses.empty() && pod.init_container_statuses.empty()) {
    return;  // both sums fall back to spec, or to nothing when infeasible
  }
  const auto fallback = [&](const Container& container, Row& row) {
    if (!infeasible) add(row, container.requests, columns);
  };
  aggregate(pod, part_, [&](const Container& container, bool, Row& row) {
    const ContainerStatus* status = status_1_37(pod, container.name);
    if (status && status->allocated_resources) {
      add(row, *status->allocated_resources, columns);
    } else {
      fallback(container, row);
    }
  });
  raise_rows(total_, part_);
  aggregate(pod, part_, [&](const Container& container, bool, Row& row) {
    const ContainerStatus* status = status_1_37(pod, container.name);
    if (status && status->has_resources && status->requests) {
      add(row, *status->requests, columns);
    } else if (status && status->allocated_resources) {
      add(row, *status->allocated_resources, columns);
    } else {
      fallback(container, row);
    }
  });
  raise_rows(total_, part_);
}

// 1.36 overrides exactly the names in spec; with a status, by the largest of the three, which is 0
// for a name that an infeasible resize has in spec alone.
void RequestReader::pod_level_1_36(const Pod& pod, bool with_status, ResourceColumns& columns) {
  const bool use_status = with_status && pod.has_status_resources;
  const bool infeasible = use_status && is_resize_infeasible(pod);
  const auto in = [](const std::optional<ResourceList>& list, std::string_view name) {
    if (!list) return Quantity{};
    const auto it = list->find(name);
    return it == list->end() ? Quantity{} : it->second;
  };
  for (const auto& [name, amount] : *pod.pod_level_requests) {
    if (!is_pod_level_resource(name)) continue;
    Quantity effective = infeasible ? Quantity{} : amount;
    if (use_status) {
      effective = std::max({effective, in(pod.status_requests, name), in(pod.status_allocated, name)});
    }
    set(total_, name, effective, columns);
  }
}

// 1.37 overrides every supported name that spec or a status has; an infeasible resize leaves spec out.
void RequestReader::pod_level_1_37(const Pod& pod, bool with_status, ResourceColumns& columns) {
  const bool use_status = with_status && pod.has_status_resources;
  ResourceList effective;
  const auto raise_list = [&](const ResourceList& list) {
    for (const auto& [name, amount] : list) {
      const auto [it, added] = effective.try_emplace(name, amount);
      if (!added) it->second = std::max(it->second, amount);
    }
  };
  if (!use_status || !is_resize_infeasible(pod)) raise_list(*pod.pod_level_requests);
  if (use_status && pod.status_requests) raise_list(*pod.status_requests);
  if (use_status && pod.status_allocated) raise_list(*pod.status_allocated);
  for (const auto& [name, amount] : effective) {
    if (is_pod_level_resource(name)) set(total_, name, amount, columns);
  }
}

std::span<const std::int64_t> RequestReader::round(std::size_t width) {
  total_.resize(width);
  rounded_.resize(width);
  for (std::size_t i = 0; i < width; ++i) {
    rounded_[i] = i == ResourceColumns::kCpu
                      ? to_milli(total_[i])
                      : REPRIEVE_MUTANT("requests-rounded-down", ceil_units(total_[i]), total_[i].units);
  }
  return rounded_;
}

std::span<const std::int64_t> RequestReader::read(const Pod& pod, Release release, bool with_status,
                                                  ResourceColumns& columns) {
  if (release == Release::k1_36) {
    containers_1_36(pod, with_status, columns);
  } else {
    containers_1_37(pod, with_status, columns);
  }
  if (has_pod_level_requests(pod)) {
    if (!with_status) REPRIEVE_MARK("engine/requests/pod-level-of-the-preemptor");
    if (release == Release::k1_36) {
      if (with_status) REPRIEVE_MARK("engine/requests/pod-level-1.36");
      pod_level_1_36(pod, with_status, columns);
    } else {
      if (with_status) REPRIEVE_MARK("engine/requests/pod-level-1.37");
      pod_level_1_37(pod, with_status, columns);
    }
  }
  if (!pod.overhead.empty() && !with_status) REPRIEVE_MARK("engine/requests/overhead");
  if (REPRIEVE_MUTANT("overhead-ignored", true, false))
    add(total_, pod.overhead, columns);  // after the pod-level override
  return round(columns.size());
}

std::span<const std::int64_t> RequestReader::read_allocatable(const ResourceList& allocatable,
                                                              ResourceColumns& columns,
                                                              std::int64_t& pod_limit) {
  total_.clear();
  add(total_, allocatable, columns);
  const auto pods = allocatable.find("pods");
  pod_limit = pods == allocatable.end() ? 0 : ceil_units(pods->second);
  return round(columns.size());
}

}  // namespace reprieve::engine
