#include "reprieve/properties/exhaustive/write.h"

#include <algorithm>
#include <ranges>
#include <string>

namespace reprieve::exhaustive {
namespace {

constexpr std::int32_t kPriorityStep = 10;
constexpr TimeUs kFirstStartUs = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z
constexpr TimeUs kMinuteUs = 60'000'000;

std::string name(const char* prefix, std::size_t index) { return prefix + std::to_string(index + 1); }

/// Any will do (walk.h).
int preemptor_size(const Scope& scope) { return scope.sizes.back(); }

std::int32_t preemptor_priority(const Scope& scope) { return kPriorityStep * (scope.priorities + 1); }

Pod pod_of_size(int size) {
  Pod pod;
  pod.containers.resize(1);
  pod.containers[0].name = "c";
  pod.containers[0].requests.emplace("cpu", Quantity{.units = size});
  return pod;
}

Pod running_pod(Kind kind, const Kinds& kinds, const Scope& scope) {
  Pod pod = pod_of_size(kinds.size(kind));
  pod.phase = PodPhase::kRunning;
  for (int budget = 0; budget < scope.budgets; ++budget) {
    if ((kinds.budgets(kind) >> budget & 1U) != 0) {
      pod.labels.emplace(name("b", static_cast<std::size_t>(budget)), "yes");
    }
  }
  if (kinds.is_peer(kind)) {
    pod.priority = preemptor_priority(scope);
    pod.start_time_us = kFirstStartUs;
    return pod;
  }
  const int rank = kinds.rank(kind);
  pod.priority = kPriorityStep * (scope.priorities - kinds.priority(rank));
  if (kinds.start(rank) < scope.starts) pod.start_time_us = kFirstStartUs + kMinuteUs * kinds.start(rank);
  return pod;
}

/// Backwards, but for pods of one rank.
std::vector<Kind> input_order(const std::vector<Kind>& pods, const Kinds& kinds) {
  std::vector<Kind> order = pods;
  std::ranges::stable_sort(order, [&](Kind a, Kind b) { return kinds.rank(a) > kinds.rank(b); });
  return order;
}

}  // namespace

void write_layout(const Layout& layout, const Kinds& kinds, const Scope& scope, Case& question) {
  question.name = "exhaustive";
  question.preemptor = "default/preemptor";
  Cluster& cluster = question.cluster;
  cluster = {};
  for (const std::vector<Kind>& pods : std::views::reverse(layout)) {
    Node& node = cluster.nodes.emplace_back();
    node.name = name("n", cluster.nodes.size() - 1);
    node.allocatable.emplace("pods", Quantity{.units = 110});
    for (const Kind kind : input_order(pods, kinds)) {
      Pod& pod = cluster.pods.emplace_back(running_pod(kind, kinds, scope));
      pod.name = name("p", cluster.pods.size() - 1);
      pod.node_name = node.name;
    }
  }
  Pod& preemptor = cluster.pods.emplace_back(pod_of_size(preemptor_size(scope)));
  preemptor.name = "preemptor";
  preemptor.priority = preemptor_priority(scope);
  for (int i = 0; i < scope.budgets; ++i) {
    DisruptionBudget& budget = cluster.budgets.emplace_back();
    budget.name = name("b", static_cast<std::size_t>(i));
    budget.selector = LabelSelector{{{budget.name, "yes"}}, {}};
  }
}

void write_settings(const std::vector<int>& rooms, const std::vector<int>& allowed, const Scope& scope,
                    Case& question) {
  auto room = rooms.rbegin();
  for (Node& node : question.cluster.nodes) {
    node.allocatable.insert_or_assign("cpu", Quantity{.units = preemptor_size(scope) + *room++});
  }
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    question.cluster.budgets[i].disruptions_allowed = allowed[i];
  }
}

}  // namespace reprieve::exhaustive
