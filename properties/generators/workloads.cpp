#include "reprieve/properties/generators/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reprieve/properties/generators/random.h"

namespace reprieve::generators {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;
constexpr TimeUs kBeginUs = 1'767'225'600'000'000;  // 2026-01-01
constexpr std::int64_t kMeanMilli = 1000;           // of a running pod
constexpr std::int64_t kMeanMib = 4096;
constexpr std::int32_t kPendingPriority = 1'000'000;

struct Size {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
};

/// 1/2, 1/3, 1/5, ... of the numbers drawn are above 1, 2, 4, ...: a Pareto tail, cut off at 16.
std::int64_t heavy(Random& random, std::int64_t unit) {
  std::int64_t size = unit / 4 + random.below(static_cast<int>(unit / 4));
  for (int doubling = 0; doubling < 5 && random.percent(40); ++doubling) size *= 2;
  return size;
}

Size draw_size(Workload workload, Random& random) {
  const auto around = [&](std::int64_t mean, int percent) {
    const int spread = static_cast<int>(mean * percent / 100);
    return mean - spread + random.below(2 * spread + 1);
  };
  switch (workload) {
    case Workload::kHeavyTailed: {
      const std::int64_t cpu_milli = heavy(random, kMeanMilli);
      return {cpu_milli, cpu_milli * kMeanMib / kMeanMilli * (50 + random.below(101)) / 100};
    }
    case Workload::kEqualSizes: return {kMeanMilli, kMeanMib};
    case Workload::kAntiCorrelated: {
      const std::int64_t cpu_milli = around(kMeanMilli, 90);
      return {cpu_milli, (2 * kMeanMilli - cpu_milli) * kMeanMib / kMeanMilli + random.below(200)};
    }
    case Workload::kKnapsackHard: return {around(kMeanMilli, 20), around(kMeanMib, 20)};
    default: return {around(kMeanMilli, 90), around(kMeanMib, 90)};
  }
}

std::int32_t draw_priority(Workload workload, const Size& size, Random& random) {
  switch (workload) {
    case Workload::kFourPriorities: return 1000 * random.below(4);
    case Workload::kEqualSizes:
    case Workload::kAntiCorrelated: return 0;
    case Workload::kKnapsackHard: return static_cast<std::int32_t>(size.cpu_milli);
    case Workload::kOneGoodNode: return 1000 + 100 * random.below(10);
    default: return 100 * random.below(10);
  }
}

constexpr int kApps = 50;  // of kSpreadAntiAffinity
constexpr int kZones = 10;

std::string app_name(int number) { return fmt::format("app-{}", number); }

/// The one node of kOneGoodNode: neither the first nor the last.
int good_node(const WorkloadSettings& settings) {
  return static_cast<int>(std::int64_t{settings.nodes} * 2 / 3);
}

/// Spread over zones and repelled by pods of its own app, both required.
void draw_constraints(Random& random, Pod& pod) {
  const LabelSelector own{.match_labels = {{"app", app_name(random.below(kApps))}}, .match_expressions = {}};
  pod.labels = own.match_labels;
  TopologySpreadConstraint spread;
  spread.topology_key = "topology.kubernetes.io/zone";
  spread.label_selector = own;
  pod.topology_spread_constraints.push_back(std::move(spread));
  PodAffinityTerm repelled;
  repelled.label_selector = own;
  repelled.namespaces = {"default"};
  repelled.topology_key = "kubernetes.io/hostname";
  pod.affinity.required_pod_anti_affinity.push_back(std::move(repelled));
}

std::string budget_name(int number) { return fmt::format("b{}", number); }

/// A budget selects the pods that carry its own label.
void draw_labels(const WorkloadSettings& settings, Random& random, Pod& pod) {
  if (settings.workload == Workload::kSpreadAntiAffinity)
    pod.labels.insert_or_assign("app", app_name(random.below(kApps)));
  if (settings.budgets == 0 || settings.workload == Workload::kOneGoodNode) return;
  int covered_percent = 50;
  int layers = 1;
  if (settings.workload == Workload::kExhaustedBudgets) covered_percent = 100;
  if (settings.workload == Workload::kOverlapping) {
    covered_percent = 90;
    layers = 3;
  }
  if (!random.percent(covered_percent)) return;
  for (int layer = 0; layer < layers; ++layer) {
    pod.labels.insert_or_assign(budget_name(random.below(settings.budgets)), "");
  }
}

std::int32_t draw_allowed(Workload workload, Random& random) {
  switch (workload) {
    case Workload::kExhaustedBudgets:
    case Workload::kEqualSizes: return 0;
    case Workload::kOverlapping: return random.below(4);
    default: return random.percent(30) ? 0 : random.between(1, 5);
  }
}

Pod make_pod(std::string name, const Size& size, std::int32_t priority) {
  Pod pod;
  pod.uid = "uid-" + name;
  pod.name = std::move(name);
  pod.priority = priority;
  pod.containers.push_back({.name = "main",
                            .requests = {{"cpu", quantity_from_milli(size.cpu_milli)},
                                         {"memory", Quantity{.units = size.memory_mib * kMiB}}}});
  return pod;
}

/// Of a node, by the mean of its pods.
Size capacity_of(const WorkloadSettings& settings) {
  return {kMeanMilli * settings.pods_per_node, kMeanMib * settings.pods_per_node};
}

Pod draw_pending(const WorkloadSettings& settings, Random& random, std::string name) {
  const Size capacity = capacity_of(settings);
  const auto part = [&](std::int64_t whole) {
    return whole * random.between(10 * settings.least_percent, 10 * settings.most_percent) / 1000;
  };
  const Size size{part(capacity.cpu_milli), part(capacity.memory_mib)};
  Pod pod = make_pod(std::move(name), size, kPendingPriority);
  if (settings.workload == Workload::kSpreadAntiAffinity) draw_constraints(random, pod);
  return pod;
}

constexpr std::array<std::string_view, kWorkloads.size()> kNames = {
    "uniform",       "heavy-tailed",    "exhausted-budgets", "four-priorities",
    "equal-sizes",   "anti-correlated", "knapsack-hard",     "overlapping-budgets",
    "one-good-node", "nothing-helps",   "identical-nodes",   "spread-anti-affinity"};

}  // namespace

std::string_view to_string(Workload workload) { return kNames[static_cast<std::size_t>(workload)]; }

std::optional<Workload> parse_workload(std::string_view name) {
  for (const Workload workload : kWorkloads) {
    if (to_string(workload) == name) return workload;
  }
  return std::nullopt;
}

Cluster workload_cluster(const WorkloadSettings& settings) {
  Random random(settings.seed);
  Cluster cluster;
  for (int b = 0; b < settings.budgets; ++b) {
    DisruptionBudget budget;
    budget.name = budget_name(b);
    budget.selector = LabelSelector{.match_labels = {{budget.name, ""}}, .match_expressions = {}};
    budget.disruptions_allowed = draw_allowed(settings.workload, random);
    cluster.budgets.push_back(std::move(budget));
  }
  const Size capacity = capacity_of(settings);
  const Random every_node = random;  // of kIdenticalNodes
  for (int n = 0; n < settings.nodes; ++n) {
    Node node;
    node.name = fmt::format("node-{:05}", n);
    node.labels = {{"kubernetes.io/hostname", node.name}};
    if (settings.workload == Workload::kSpreadAntiAffinity)
      node.labels.emplace("topology.kubernetes.io/zone", fmt::format("zone-{}", n % kZones));
    if (settings.workload == Workload::kIdenticalNodes) random = every_node;
    Size used;
    for (int k = 0; k < settings.pods_per_node; ++k) {
      const Size size = draw_size(settings.workload, random);
      Pod pod =
          make_pod(fmt::format("pod-{}-{}", n, k), size, draw_priority(settings.workload, size, random));
      if (settings.workload == Workload::kOneGoodNode && n == good_node(settings)) pod.priority %= 1000;
      if (settings.workload == Workload::kNothingHelps && k % 5 != 0) pod.priority = kPendingPriority;
      // No pod of a real cluster is without: upstream passes over those when it looks for budgets.
      pod.labels = {{"app.kubernetes.io/name", app_name(k % kApps)}};
      draw_labels(settings, random, pod);
      pod.node_name = node.name;
      pod.phase = PodPhase::kRunning;
      pod.start_time_us = kBeginUs + std::int64_t{random.below(30 * 24 * 3600)} * 1'000'000;
      used = {used.cpu_milli + size.cpu_milli, used.memory_mib + size.memory_mib};
      cluster.pods.push_back(std::move(pod));
    }
    // At most a twentieth is free.
    node.allocatable = {
        {"cpu", quantity_from_milli(used.cpu_milli + capacity.cpu_milli * random.below(50) / 1000)},
        {"memory",
         Quantity{.units = (used.memory_mib + capacity.memory_mib * random.below(50) / 1000) * kMiB}},
        {"pods", Quantity{.units = std::max(110, settings.pods_per_node + 1)}}};
    cluster.nodes.push_back(std::move(node));
  }
  for (int k = 0; k < settings.pending; ++k)
    cluster.pods.push_back(draw_pending(settings, random, fmt::format("pending-{}", k)));
  return cluster;
}

std::vector<Pod> more_pending(const WorkloadSettings& settings, std::string_view prefix) {
  Random random(settings.seed);
  std::vector<Pod> pods;
  for (int k = 0; k < settings.pending; ++k)
    pods.push_back(draw_pending(settings, random, fmt::format("{}-{}", prefix, k)));
  return pods;
}

}  // namespace reprieve::generators
