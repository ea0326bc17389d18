#include "reprieve/properties/generators/big.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace reprieve::generators {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;
constexpr TimeUs kBeginUs = 1'767'225'600'000'000;  // 2026-01-01

/// splitmix64: the same numbers on every platform, which std::uniform_int_distribution does not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
  }
  template <typename T, std::size_t N>
  const T& pick(const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(below(N))];
  }

 private:
  std::uint64_t state_;
};

/// Requests of one deployment. Sizes repeat within a deployment and differ widely between them, as
/// in real clusters: most pods are small, a few are large.
struct Deployment {
  std::string name;
  std::string namespace_;
  std::string template_hash;
  std::int64_t cpu_milli;
  std::int64_t memory_mib;
  std::int32_t priority;
  std::int64_t replicas;
};

constexpr std::array<std::int64_t, 8> kCpuMilli = {100, 100, 250, 250, 500, 500, 1000, 2000};  // mean 587.5
constexpr std::array<std::int64_t, 3> kMibPerCore = {2048, 4096, 6144};
constexpr std::array<std::int32_t, 4> kPriorities = {0, 0, 1000, 100'000};
constexpr std::int32_t kPendingPriority = 1'000'000;

std::string suffix(Random& random, std::size_t length) {
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";  // as in generated pod names
  std::string text;
  while (text.size() < length) text += kAlphabet[static_cast<std::size_t>(random.below(kAlphabet.size()))];
  return text;
}

std::vector<Deployment> deployments(Random& random, std::int64_t pods) {
  std::vector<Deployment> all;
  for (std::int64_t left = pods; left > 0;) {
    const std::int64_t replicas = std::min<std::int64_t>(left, 1 + random.below(40));
    const std::int64_t cpu_milli = random.pick(kCpuMilli);
    all.push_back({.name = fmt::format("app-{}", all.size()),
                   .namespace_ = fmt::format("team-{}", random.below(20)),
                   .template_hash = suffix(random, 9),
                   .cpu_milli = cpu_milli,
                   .memory_mib = cpu_milli * random.pick(kMibPerCore) / 1000,
                   .priority = random.pick(kPriorities),
                   .replicas = replicas});
    left -= replicas;
  }
  return all;
}

Pod make_pod(const Deployment& deployment, Random& random) {
  Pod pod;
  pod.namespace_ = deployment.namespace_;
  pod.name = fmt::format("{}-{}-{}", deployment.name, deployment.template_hash, suffix(random, 5));
  pod.uid =
      fmt::format("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", random.below(1LL << 32), random.below(1 << 16),
                  random.below(1 << 12), random.below(1 << 12), random.below(1LL << 48));
  pod.labels = {{"app", deployment.name}, {"pod-template-hash", deployment.template_hash}};
  pod.priority = deployment.priority;
  pod.creation_time_us = kBeginUs + random.below(30LL * 24 * 3600) * 1'000'000;
  pod.start_time_us = *pod.creation_time_us + 1'000'000;
  pod.containers.push_back({.name = "main",
                            .requests = {{"cpu", quantity_from_milli(deployment.cpu_milli)},
                                         {"memory", Quantity{.units = deployment.memory_mib * kMiB}}}});
  pod.phase = PodPhase::kRunning;
  return pod;
}

}  // namespace

Cluster big_cluster(const BigSettings& settings) {
  Random random(settings.seed);
  Cluster cluster;
  const std::int64_t total = std::int64_t{settings.nodes} * settings.pods_per_node;
  const std::vector<Deployment> all = deployments(random, total);

  // Every node holds pods_per_node pods, dealt in random order; its capacity is then what they use plus
  // up to a twentieth. So the nodes are of slightly different sizes, all nearly full.
  std::vector<const Deployment*> deck;
  for (const Deployment& deployment : all)
    deck.insert(deck.end(), static_cast<std::size_t>(deployment.replicas), &deployment);
  for (std::size_t i = deck.size(); i > 1; --i)
    std::swap(deck[i - 1], deck[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);

  for (std::int32_t n = 0; n < settings.nodes; ++n) {
    Node node;
    node.name = fmt::format("node-{:05}", n);
    node.labels = {{"kubernetes.io/hostname", node.name},
                   {"kubernetes.io/os", "linux"},
                   {"topology.kubernetes.io/zone", fmt::format("zone-{}", n % 3)}};
    std::int64_t cpu_milli = 0, memory_mib = 0;
    for (std::int32_t k = 0; k < settings.pods_per_node; ++k) {
      const Deployment& deployment = *deck[static_cast<std::size_t>(n) * settings.pods_per_node + k];
      Pod pod = make_pod(deployment, random);
      pod.node_name = node.name;
      cpu_milli += deployment.cpu_milli;
      memory_mib += deployment.memory_mib;
      cluster.pods.push_back(std::move(pod));
    }
    const auto with_slack = [&](std::int64_t used) { return used + used * random.below(50) / 1000; };
    node.allocatable = {{"cpu", quantity_from_milli(with_slack(cpu_milli))},
                        {"memory", Quantity{.units = with_slack(memory_mib) * kMiB}},
                        {"ephemeral-storage", Quantity{.units = 100'000 * kMiB}},
                        {"pods", Quantity{.units = std::max<std::int64_t>(110, settings.pods_per_node)}}};
    cluster.nodes.push_back(std::move(node));
  }

  for (std::int32_t b = 0; b < settings.budgets && b < std::ssize(all); ++b) {
    const Deployment& deployment = all[static_cast<std::size_t>(b)];
    DisruptionBudget budget;
    budget.namespace_ = deployment.namespace_;
    budget.name = deployment.name;
    budget.selector = LabelSelector{.match_labels = {{"app", deployment.name}}, .match_expressions = {}};
    budget.disruptions_allowed = static_cast<std::int32_t>(deployment.replicas / 10);
    cluster.budgets.push_back(std::move(budget));
  }

  const std::int64_t mean_node_milli = 5875 * settings.pods_per_node / 10;
  for (std::int32_t k = 0; k < settings.pending; ++k) {
    const std::int64_t cpu_milli =
        mean_node_milli / 10 + random.below(std::max<std::int64_t>(1, mean_node_milli / 4));
    Pod pod = make_pod({.name = fmt::format("pending-{}", k),
                        .namespace_ = "default",
                        .template_hash = suffix(random, 9),
                        .cpu_milli = cpu_milli,
                        .memory_mib = cpu_milli * 3,
                        .priority = kPendingPriority,
                        .replicas = 1},
                       random);
    pod.name = fmt::format("pending-{}", k);
    pod.phase = PodPhase::kPending;
    pod.start_time_us.reset();
    cluster.pods.push_back(std::move(pod));
  }
  for (std::int32_t t = 0; t < 20; ++t) {
    const std::string name = fmt::format("team-{}", t);
    cluster.namespaces.push_back({.name = name, .labels = {{"kubernetes.io/metadata.name", name}}});
  }
  cluster.namespaces.push_back({.name = "default", .labels = {{"kubernetes.io/metadata.name", "default"}}});
  return cluster;
}

}  // namespace reprieve::generators
