#include "reprieve/manifest/loader.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace reprieve::manifest {
namespace {

constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();

/// The group of an apiVersion: "policy" of "policy/v1", "" of "v1".
std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
}

/// Kinds that are not read although something in them can matter to a decision.
bool can_matter(std::string_view kind) {
  static constexpr std::string_view kKinds[] = {
      "CSIStorageCapacity",    "ComponentGroup", "CompositePodGroup", "DeviceClass",
      "DeviceTaintRule",       "LimitRange",     "PodGroup",          "ResourceClaim",
      "ResourceClaimTemplate", "ResourceSlice",  "RuntimeClass",      "Workload"};
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

std::string full_object_name(std::string_view kind, std::string_view ns, std::string_view name) {
  return ns.empty() ? fmt::format("{} {}", kind, name) : fmt::format("{} {}/{}", kind, ns, name);
}

/// Adds up; false when the sum does not fit (for CPU, in thousandths).
bool add_checked(Quantity& total, Quantity more, bool cpu) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::int64_t limit = cpu ? kMax / 1000 - 1 : kMax - 1;
  if (total.units > limit - more.units - 1) return false;
  total = total + more;
  return true;
}

}  // namespace

void Loader::add(Element value, std::string_view list_kind) {
  std::string_view kind, api_version;
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) decoder_.fail_type("an object", value);
  for (auto at = object.begin(); at != object.end(); ++at) {
    // The first of each; that there is one only is checked when the object is decoded.
    if (kind.empty() && at.key() == "kind") {
      if (at.value().get(kind) != simdjson::SUCCESS) decoder_.fail_at("kind", "expected a string");
    } else if (api_version.empty() && at.key() == "apiVersion") {
      if (at.value().get(api_version) != simdjson::SUCCESS)
        decoder_.fail_at("apiVersion", "expected a string");
    }
    if (!kind.empty() && !api_version.empty()) break;
  }
  if (kind.empty()) kind = list_kind;
  if (kind.empty()) decoder_.fail_at("kind", "is required");
  saw_objects = true;

  Element items;
  const bool is_list = kind.ends_with("List") && object.at_key("items").get(items) == simdjson::SUCCESS;
  if (!is_list) {
    add_object(value, kind, group_of(api_version));
    return;
  }
  const std::string item_kind(kind.substr(0, kind.size() - 4));
  decoder_.fields(value, [&](std::string_view key, Element field) {
    if (key != "items") return;
    decoder_.elements(field, [&](Element element) { add(element, item_kind); });
  });
}

void Loader::add_object(Element value, std::string_view kind, std::string_view group) {
  if (group.empty()) {
    if (kind == "Pod") return add_pod(value);
    if (kind == "Node") return add_to(cluster.nodes, kind, {}, decode_node(decoder_, value));
    if (kind == "Namespace") return add_to(cluster.namespaces, kind, {}, decode_namespace(decoder_, value));
  }
  if (kind == "PodDisruptionBudget" && (group == "policy" || group.empty())) {
    DisruptionBudget budget = decode_budget(decoder_, value);
    const std::string ns = budget.namespace_;
    return add_to(cluster.budgets, kind, ns, std::move(budget));
  }
  if (kind == "PriorityClass" && (group == "scheduling.k8s.io" || group.empty())) {
    return add_to(cluster.priority_classes, kind, {}, decode_priority_class(decoder_, value));
  }
  if ((group.empty() || group == "storage.k8s.io") && add_storage_object(value, kind)) return;
  if (group == "reprieve.dev") return add_own(value, kind);
  if (group.empty() && (kind == "PreemptionCase" || kind == "PreemptionPolicy"))
    decoder_.fail_at("apiVersion", "is required: reprieve.dev/v1alpha1");
  ignore(kind, group);
}

bool Loader::add_storage_object(Element value, std::string_view kind) {
  if (kind == "PersistentVolumeClaim") {
    PersistentVolumeClaim claim = decode_claim(decoder_, value);
    const std::string ns = claim.namespace_;
    add_to(cluster.claims, kind, ns, std::move(claim));
  } else if (kind == "PersistentVolume") {
    add_to(cluster.volumes, kind, {}, decode_volume(decoder_, value));
  } else if (kind == "StorageClass") {
    DecodedStorageClass decoded = decode_storage_class(decoder_, value);
    add_to(cluster.storage_classes, kind, {}, std::move(decoded.storage_class));
    storage_class_times_.resize(cluster.storage_classes.size(), decoded.creation_time_us);
  } else if (kind == "CSINode") {
    add_to(cluster.csi_nodes, kind, {}, decode_csi_node(decoder_, value));
  } else if (kind == "CSIDriver") {
    add_to(cluster.csi_drivers, kind, {}, decode_csi_driver(decoder_, value));
  } else if (kind == "VolumeAttachment") {
    add_to(cluster.volume_attachments, kind, {}, decode_volume_attachment(decoder_, value));
  } else {
    return false;
  }
  return true;
}

void Loader::add_own(Element value, std::string_view kind) {
  if (decoder_.warnings() == nullptr)
    decoder_.fail_at("kind", fmt::format("a {} cannot be an object of a request", kind));
  if (kind == "PreemptionCase") {
    if (case_spec) decoder_.fail("a second PreemptionCase; the input may hold one");
    case_spec = decode_case(decoder_, value);
    preemptor_place = decoder_.at("spec.preemptor");
  } else if (kind == "PreemptionPolicy") {
    if (policy) decoder_.fail("a second PreemptionPolicy; the input may hold one");
    policy = decode_policy(decoder_, value);
  } else {
    decoder_.fail_at("kind", "unknown kind of reprieve.dev; known are PreemptionCase and PreemptionPolicy");
  }
}

void Loader::ignore(std::string_view kind, std::string_view group) {
  if (!decoder_.wants_warnings()) return;
  const std::string name = group.empty() ? std::string(kind) : fmt::format("{} of {}", kind, group);
  decoder_.warn(can_matter(kind)
                    ? fmt::format("kind {} is not modelled, though it can change a decision", name)
                    : fmt::format("kind {} is ignored", name));
}

void Loader::add_pod(Element value) {
  DecodedPod decoded = decode_pod(decoder_, value);
  const std::size_t position = cluster.pods.size();
  // The scheduler's informers leave them out (pkg/scheduler/scheduler.go: NewInformerFactory).
  const bool ended = decoded.pod.phase == PodPhase::kSucceeded || decoded.pod.phase == PodPhase::kFailed;
  const auto [entry, is_new] = enter("Pod", decoded.pod.namespace_, decoded.pod.name);
  if (!is_new) {
    const bool identical =
        entry->position == kDropped ? ended : !ended && cluster.pods[entry->position] == decoded.pod;
    report_duplicate(full_object_name("Pod", decoded.pod.namespace_, decoded.pod.name), *entry, identical);
    return;
  }
  entry->position = ended ? kDropped : static_cast<std::uint32_t>(position);
  if (ended) {
    finished_pods.push_back(full_name(decoded.pod));
    return;
  }
  sum_requests(decoded.pod);
  const bool has_class = !decoded.priority_class_name.empty();
  if (!decoded.has_priority || (has_class && !decoded.has_preemption_policy)) {
    undecided_.push_back({.pod = position,
                          .needs_priority = !decoded.has_priority,
                          .needs_policy = !decoded.has_preemption_policy,
                          .class_name = std::move(decoded.priority_class_name)});
  }
  cluster.pods.push_back(std::move(decoded.pod));
  pod_entries_.push_back(entry);
}

void Loader::expect(std::size_t offset, std::size_t size) {
  constexpr std::size_t kMany = 1024;
  auto& pods = cluster.pods;
  if (pods.size() == pods_before_ || offset < first_pod_at_) {
    first_pod_at_ = offset;
    pods_before_ = pods.size();
  }
  if (pods.size() < pods.capacity() || pods.size() - pods_before_ < kMany || offset >= size) return;
  const double pods_a_byte =
      static_cast<double>(pods.size() - pods_before_) / static_cast<double>(offset - first_pod_at_);
  const std::size_t left = size - offset;
  // No more than the source takes itself, should the pods come to an end; and enough that growing again and
  // again costs no more than doubling does.
  constexpr std::size_t kLeastOfPod_bytes = 1024;
  const std::size_t more = std::min(static_cast<std::size_t>(pods_a_byte * static_cast<double>(left) * 1.02),
                                    left / kLeastOfPod_bytes);
  const std::size_t room = std::max(more, pods.size() / 8);
  pods.reserve(pods.size() + room);
  // A quarter full: most names are new, and then a bucket that is empty is all that is read.
  seen_.reserve(4 * (seen_.size() + room));
}

template <class Object>
void Loader::add_to(std::vector<Object>& objects, std::string_view kind, std::string_view ns, Object object) {
  const auto [entry, is_new] = enter(kind, ns, object.name);
  if (!is_new) {
    report_duplicate(full_object_name(kind, ns, object.name), *entry, objects[entry->position] == object);
    return;
  }
  entry->position = static_cast<std::uint32_t>(objects.size());
  objects.push_back(std::move(object));
}

std::pair<Loader::Entry*, bool> Loader::enter(std::string_view kind, std::string_view ns,
                                              std::string_view name) {
  key_.assign(kind).append(1, '/').append(ns).append(1, '/').append(name);
  const auto [at, is_new] = seen_.try_emplace(key_);
  if (is_new && decoder_.wants_warnings()) {
    if (files_.empty() || files_.back() != decoder_.file()) files_.push_back(decoder_.file());
    at->second.place = {.file = static_cast<std::uint32_t>(files_.size() - 1),
                        .line = static_cast<std::uint32_t>(decoder_.object_line()),
                        .path = decoder_.path()};
  }
  return {&at->second, is_new};
}

void Loader::report_duplicate(std::string_view what, const Entry& first, bool identical) {
  if (!decoder_.wants_warnings()) decoder_.fail(fmt::format("{} occurs twice", what));
  Error before{.where = location(first.place), .message = "here"};
  const std::string where = to_string(before);
  if (!identical) {
    decoder_.fail(fmt::format("{} occurs twice, with different contents; the other one is at {}", what,
                              where.substr(0, where.size() - 6)));
  }
  if (!first_duplicate_) {
    first_duplicate_ = Duplicate{.message = fmt::format("{} occurs twice; the other one is at {}", what,
                                                        where.substr(0, where.size() - 6)),
                                 .where = decoder_.here()};
  }
  decoder_.warn("the same object occurs twice; one is kept");
}

Location Loader::location(const Place& place, std::string_view field) const {
  Location where{.file = files_.empty() ? std::string{} : files_[place.file],
                 .line = place.line,
                 .column = 0,
                 .field = place.path};
  if (!field.empty()) {
    if (!where.field.empty()) where.field += '.';
    where.field += field;
  }
  return where;
}

void Loader::sum_requests(const Pod& pod) {
  // More than the scheduler ever adds up, and still far below the limit in any real cluster.
  const auto add = [&](const ResourceList& list, std::initializer_list<Step> field) {
    for (const auto& [name, quantity] : list) {
      if (add_checked(totals_[name], quantity, name == "cpu")) continue;
      std::vector<Step> steps = field;
      steps.push_back({.key = name});
      decoder_.fail_at(steps, fmt::format("the sum of {} over all pods does not fit into 64 bits", name));
    }
  };
  const auto add_optional = [&](const std::optional<ResourceList>& list, std::initializer_list<Step> field) {
    if (list) add(*list, field);
  };
  const auto add_containers = [&](const std::vector<Container>& containers, std::string_view field) {
    for (std::size_t i = 0; i < containers.size(); ++i) {
      add(containers[i].requests,
          {{.key = "spec"}, {.key = field}, {.index = i}, {.key = "resources"}, {.key = "requests"}});
    }
  };
  const auto add_statuses = [&](const std::vector<ContainerStatus>& statuses, std::string_view field) {
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      add_optional(
          statuses[i].requests,
          {{.key = "status"}, {.key = field}, {.index = i}, {.key = "resources"}, {.key = "requests"}});
      add_optional(statuses[i].allocated_resources,
                   {{.key = "status"}, {.key = field}, {.index = i}, {.key = "allocatedResources"}});
    }
  };
  add_containers(pod.containers, "containers");
  add_containers(pod.init_containers, "initContainers");
  add(pod.overhead, {{.key = "spec"}, {.key = "overhead"}});
  add_optional(pod.pod_level_requests, {{.key = "spec"}, {.key = "resources"}, {.key = "requests"}});
  add_optional(pod.status_requests, {{.key = "status"}, {.key = "resources"}, {.key = "requests"}});
  add_optional(pod.status_allocated, {{.key = "status"}, {.key = "allocatedResources"}});
  add_statuses(pod.container_statuses, "containerStatuses");
  add_statuses(pod.init_container_statuses, "initContainerStatuses");
}

}  // namespace reprieve::manifest
