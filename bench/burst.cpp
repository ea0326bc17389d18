#include "reprieve/bench/burst.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "reprieve/bench/agreement.h"

namespace reprieve::bench {
namespace {

Scene scene_with_burst(const Setup& setup, int count, int percent, std::vector<Pod>& burst) {
  Setup without = setup;
  without.percents.clear();
  Scene scene = *make_scene(without);  // only the trace can fail
  generators::WorkloadSettings asking = setup.settings;
  asking.pending = count;
  asking.least_percent = asking.most_percent = percent;
  burst = more_pending(asking, "burst");
  for (const Pod& pod : burst) scene.cluster.pods.push_back(pod);
  return scene;
}

}  // namespace

Burst::Burst(const Setup& setup, int count, int percent, Applied applied)
    : scene_(scene_with_burst(setup, count, percent, burst_)),
      applied_(applied),
      budgets_(scene_.cluster.budgets),
      snapshot_(scene_.cluster, scene_.policy.release) {
  for (const Pod& pod : burst_) names_.push_back(full_name(pod));
  taken_.reserve(burst_.size());
  for (std::size_t i = 0; i < scene_.cluster.pods.size(); ++i)
    pod_by_name_.emplace(full_name(scene_.cluster.pods[i]), i);
  // A budget of a workload is named by the label that it selects.
  for (std::size_t i = 0; i < budgets_.size(); ++i) budget_by_label_.emplace(budgets_[i].name, i);
}

void Burst::spend_budgets(const Pod& victim) {
  for (const auto& [label, value] : victim.labels) {
    const auto found = budget_by_label_.find(label);
    if (found == budget_by_label_.end()) continue;
    DisruptionBudget& budget = budgets_[found->second];
    if (budget.disruptions_allowed == 0) continue;
    --budget.disruptions_allowed;
    snapshot_.set_budget(budget);
  }
}

namespace {

/// Empty unless a node was nominated.
std::span<const std::string> victims_of(const Decision& decision) {
  if (decision.outcome != Outcome::kNominated) return {};
  return std::ranges::find(decision.nodes, decision.nominated.front(), &NodeDecision::node)->victims;
}

}  // namespace

const Decision& Burst::step() {
  const std::size_t at = taken_.size();
  const Decision& decision = taken_.emplace_back(
      decide(snapshot_, names_[at], scene_.policy, {}, engine::Depth::kAnswer, workspace_));
  if (decision.outcome != Outcome::kNominated) return decision;
  const std::span<const std::string> victims = victims_of(decision);
  snapshot_.remove_pods(victims);
  if (!budgets_.empty()) {
    for (const std::string& victim : victims)
      spend_budgets(scene_.cluster.pods[pod_by_name_.find(victim)->second]);
  }
  Pod& pod = burst_[at];
  if (applied_ == Applied::kBound) {
    pod.node_name = decision.nominated.front();
    pod.phase = PodPhase::kRunning;
  } else {
    pod.nominated_node_name = decision.nominated.front();
  }
  snapshot_.set_pod(pod);
  return decision;
}

std::vector<std::size_t> Burst::gone() const {
  std::vector<std::size_t> gone;
  for (const Decision& decision : taken_) {
    for (const std::string& victim : victims_of(decision)) gone.push_back(pod_by_name_.find(victim)->second);
  }
  return gone;
}

int Burst::victims() const { return static_cast<int>(gone().size()); }

void Burst::undo() {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    burst_[i].node_name.clear();
    burst_[i].nominated_node_name.clear();
    burst_[i].phase = PodPhase::kPending;
    snapshot_.set_pod(burst_[i]);
  }
  for (const std::size_t pod : gone()) snapshot_.set_pod(scene_.cluster.pods[pod]);
  for (std::size_t i = 0; i < budgets_.size(); ++i) {
    if (budgets_[i] == scene_.cluster.budgets[i]) continue;
    budgets_[i] = scene_.cluster.budgets[i];
    snapshot_.set_budget(budgets_[i]);
  }
  taken_.clear();
}

Cluster Burst::cluster() const {
  Cluster cluster = scene_.cluster;
  cluster.budgets = budgets_;
  std::copy(burst_.begin(), burst_.end(), cluster.pods.end() - static_cast<std::ptrdiff_t>(burst_.size()));
  std::vector<bool> is_gone(cluster.pods.size(), false);
  for (const std::size_t pod : gone()) is_gone[pod] = true;
  std::size_t i = 0;
  std::erase_if(cluster.pods, [&](const Pod&) { return is_gone[i++]; });
  return cluster;
}

std::string burst_disagreement(const Setup& setup, int count, int percent, Applied applied, int every) {
  Burst burst(setup, count, percent, applied);
  for (int k = 0; k < burst.count(); ++k) {
    if (k % every != 0) {
      burst.step();
      continue;
    }
    const engine::Snapshot rebuilt(burst.cluster(), burst.policy().release);
    engine::Workspace workspace;
    const Decision anew =
        decide(rebuilt, burst.next(), burst.policy(), {}, engine::Depth::kAnswer, workspace);
    const std::string difference = answer_difference(burst.step(), anew);
    if (!difference.empty())
      return fmt::format("{}, step {} of a burst against rebuilding: {}", setup.name, k, difference);
  }
  return {};
}

}  // namespace reprieve::bench
