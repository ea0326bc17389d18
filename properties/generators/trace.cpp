#include "reprieve/properties/generators/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

namespace reprieve::generators {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;
constexpr TimeUs kTraceBeginUs = 1'672'531'200'000'000;  // 2023-01-01; the trace has only offsets
constexpr const char* kModelLabel = "alibabacloud.com/gpu-model";
constexpr const char* kGroupLabel = "group";

/// The trace's classes, least important first. BE is best effort, LS latency sensitive.
struct ServiceClass {
  std::string_view name;
  std::int32_t priority;
};
constexpr std::array<ServiceClass, 4> kClasses = {
    {{"BE", 0}, {"Burstable", 1'000}, {"LS", 10'000}, {"Guaranteed", 100'000}}};

using Row = std::vector<std::string>;

/// A CSV file without quoting, as the trace's are; the first row must be `header`.
std::expected<std::vector<Row>, std::string> read_csv(const std::string& path, std::string_view header) {
  std::ifstream file(path);
  if (!file) return std::unexpected(fmt::format("{}: cannot be opened", path));
  std::vector<Row> rows;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (number == 1) {
      if (line != header) return std::unexpected(fmt::format("{}:1: the header must be {}", path, header));
      continue;
    }
    Row row;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      row.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    const auto columns = std::ranges::count(header, ',') + 1;
    if (std::ssize(row) != columns) {
      return std::unexpected(
          fmt::format("{}:{}: {} fields instead of {}", path, number, row.size(), columns));
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return std::unexpected(fmt::format("{}: no rows", path));
  return rows;
}

/// Numbers of one row; remembers the first that is not one.
class Numbers {
 public:
  std::int64_t operator()(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // The largest figure of the trace is below 10^8; the bound keeps every later product in range.
    const bool good =
        error == std::errc{} && end == text.data() + text.size() && value >= 0 && value < 1'000'000'000'000;
    if (!good && bad_.empty()) bad_ = fmt::format("\"{}\" is not a number from 0 to 10^12", text);
    return good ? value : 0;
  }
  const std::string& bad() const { return bad_; }

 private:
  std::string bad_;
};

ResourceList resources(std::int64_t cpu_milli, std::int64_t memory_mib, std::int64_t gpu_milli) {
  ResourceList list;
  list["cpu"] = quantity_from_milli(cpu_milli);
  list["memory"] = {.units = memory_mib * kMiB};
  if (gpu_milli > 0) list[kTraceGpuResource] = {.units = gpu_milli};
  return list;
}

std::int64_t amount(const ResourceList& list, std::string_view name) {
  const auto found = list.find(name);
  if (found == list.end()) return 0;
  return name == "cpu" ? to_milli(found->second) : ceil_units(found->second);
}

/// "V100M16|V100M32" as a required node affinity.
NodeSelector one_of_models(const std::string& spec) {
  SelectorRequirement requirement{.key = kModelLabel, .op = SelectorOperator::kIn, .values = {}};
  for (std::size_t begin = 0; begin <= spec.size();) {
    const std::size_t end = std::min(spec.find('|', begin), spec.size());
    requirement.values.push_back(spec.substr(begin, end - begin));
    begin = end + 1;
  }
  return {.terms = {{.match_expressions = {requirement}, .match_fields = {}}}};
}

/// What is left on a node while it is being filled.
struct Room {
  std::int64_t cpu_milli, memory, gpu_milli, pods;
};

bool model_allowed(const Pod& pod, const Node& node) {
  const auto& affinity = pod.affinity.required_node_affinity;
  if (!affinity) return true;
  const auto model = node.labels.find(kModelLabel);
  return model != node.labels.end() &&
         std::ranges::count(affinity->terms[0].match_expressions[0].values, model->second) > 0;
}

std::expected<std::vector<Node>, std::string> read_nodes(const std::string& path) {
  auto rows = read_csv(path, "sn,cpu_milli,memory_mib,gpu,model");
  if (!rows) return std::unexpected(rows.error());
  std::vector<Node> nodes;
  for (const Row& row : *rows) {
    Numbers number;
    Node node;
    node.name = row[0];
    node.labels["kubernetes.io/hostname"] = row[0];
    if (!row[4].empty()) node.labels[kModelLabel] = row[4];
    node.allocatable = resources(number(row[1]), number(row[2]), number(row[3]) * 1000);
    node.allocatable["pods"] = {.units = 110};
    if (!number.bad().empty())
      return std::unexpected(fmt::format("{}:{}: {}", path, nodes.size() + 2, number.bad()));
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::expected<std::vector<Pod>, std::string> read_pods(const std::string& path) {
  auto rows = read_csv(path,
                       "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
                       "deletion_time,scheduled_time");
  if (!rows) return std::unexpected(rows.error());
  std::vector<Pod> pods;
  std::map<std::string, std::string> groups;  // requests and class -> name of the group
  for (const Row& row : *rows) {
    Numbers number;
    const auto service_class = std::ranges::find(kClasses, row[6], &ServiceClass::name);
    if (service_class == kClasses.end()) {
      return std::unexpected(fmt::format("{}:{}: unknown class \"{}\"", path, pods.size() + 2, row[6]));
    }
    Pod pod;
    pod.namespace_ = "trace";
    pod.name = row[0];
    pod.uid = row[0];
    pod.priority = service_class->priority;
    pod.creation_time_us = kTraceBeginUs + number(row[8]) * 1'000'000;
    pod.start_time_us = pod.creation_time_us;
    pod.containers.push_back(
        {.name = "main",
         .requests = resources(number(row[1]), number(row[2]), number(row[3]) * number(row[4]))});
    if (!row[5].empty()) pod.affinity.required_node_affinity = one_of_models(row[5]);
    const std::string shape = fmt::format("{}/{}/{}/{}/{}", row[1], row[2], row[3], row[4], row[6]);
    pod.labels[kGroupLabel] = groups.try_emplace(shape, fmt::format("g{}", groups.size())).first->second;
    if (!number.bad().empty())
      return std::unexpected(fmt::format("{}:{}: {}", path, pods.size() + 2, number.bad()));
    pods.push_back(std::move(pod));
  }
  // Arrival order; the file is nearly, but not by promise, in it.
  std::ranges::stable_sort(pods, {}, [](const Pod& pod) { return *pod.creation_time_us; });
  return pods;
}

}  // namespace

std::expected<Trace, std::string> read_trace(const std::string& folder) {
  auto nodes = read_nodes(folder + "/openb_node_list_all_node.csv");
  if (!nodes) return std::unexpected(nodes.error());
  auto pods = read_pods(folder + "/openb_pod_list_default.csv");
  if (!pods) return std::unexpected(pods.error());
  return Trace{.nodes = std::move(*nodes), .pods = std::move(*pods)};
}

Cluster fill(const Trace& trace) {
  Cluster cluster;
  cluster.nodes = trace.nodes;
  cluster.namespaces.push_back({.name = "trace", .labels = {{"kubernetes.io/metadata.name", "trace"}}});
  std::vector<Room> rooms;
  for (const Node& node : trace.nodes) {
    rooms.push_back({amount(node.allocatable, "cpu"), amount(node.allocatable, "memory"),
                     amount(node.allocatable, kTraceGpuResource), amount(node.allocatable, "pods")});
  }
  std::map<std::string, std::int32_t> placed;  // pods by group
  for (const Pod& pod : trace.pods) {
    const ResourceList& requests = pod.containers[0].requests;
    const Room need{amount(requests, "cpu"), amount(requests, "memory"), amount(requests, kTraceGpuResource),
                    1};
    for (std::size_t n = 0; n < rooms.size(); ++n) {
      Room& room = rooms[n];
      if (need.cpu_milli > room.cpu_milli || need.memory > room.memory || need.gpu_milli > room.gpu_milli ||
          need.pods > room.pods || !model_allowed(pod, trace.nodes[n])) {
        continue;
      }
      room = {room.cpu_milli - need.cpu_milli, room.memory - need.memory, room.gpu_milli - need.gpu_milli,
              room.pods - 1};
      Pod running = pod;
      running.node_name = trace.nodes[n].name;
      running.phase = PodPhase::kRunning;
      cluster.pods.push_back(std::move(running));
      ++placed[pod.labels.at(kGroupLabel)];
      break;
    }
  }
  for (const auto& [group, count] : placed) {
    DisruptionBudget budget;
    budget.namespace_ = "trace";
    budget.name = group;
    budget.selector = LabelSelector{.match_labels = {{kGroupLabel, group}}, .match_expressions = {}};
    budget.disruptions_allowed = count / 10;
    cluster.budgets.push_back(std::move(budget));
  }
  return cluster;
}

std::vector<Pod> draw_preemptors(const Trace& trace, std::uint64_t seed, std::size_t count) {
  std::vector<const Pod*> important;
  for (const Pod& pod : trace.pods) {
    if (pod.priority > kClasses.front().priority) important.push_back(&pod);
  }
  std::vector<Pod> preemptors;
  for (std::size_t k = 0; k < count && !important.empty(); ++k) {
    // splitmix64: the same draw on every platform.
    std::uint64_t z = seed + (k + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    Pod pod = *important[(z ^ (z >> 31)) % important.size()];
    pod.name = fmt::format("preemptor-{}", k);
    pod.uid = pod.name;
    pod.start_time_us.reset();
    preemptors.push_back(std::move(pod));
  }
  return preemptors;
}

}  // namespace reprieve::generators
