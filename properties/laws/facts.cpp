#include "reprieve/properties/laws/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "reprieve/properties/laws/importance.h"
#include "reprieve/reference/fit.h"

namespace reprieve::laws {
namespace {

std::pair<std::string_view, std::string_view> split(std::string_view full_name) {
  const std::size_t slash = full_name.find('/');
  if (slash == std::string_view::npos) return {{}, full_name};
  return {full_name.substr(0, slash), full_name.substr(slash + 1)};
}

std::pair<std::string_view, std::string_view> key_of(const Pod* pod) { return {pod->namespace_, pod->name}; }

std::optional<Facts::Refusal> refusal_of(const reference::Status& status) {
  if (status.ok()) return std::nullopt;
  return Facts::Refusal{
      .plugin = status.failure.plugin,
      .text = fmt::format("{}: {}", status.failure.plugin, fmt::join(status.failure.reasons, ", ")),
      .unresolvable = status.code == reference::Code::kUnresolvable};
}

}  // namespace

Facts::Facts(const Case& question, const Decision& decision) : question_(question), decision_(decision) {}
Facts::~Facts() = default;

void Facts::index_nodes() {
  if (std::exchange(has_nodes_, true)) return;
  const std::vector<Node>& nodes = question_.cluster.nodes;
  on_node_.resize(nodes.size());
  nodes_by_name_.resize(nodes.size());
  std::iota(nodes_by_name_.begin(), nodes_by_name_.end(), std::size_t{0});
  std::ranges::sort(nodes_by_name_, {}, [&](std::size_t node) { return std::string_view(nodes[node].name); });
  for (const NodeDecision& told : decision_.nodes) {
    if (const auto node = find_node(told.node)) on_node_[*node].told = &told;
  }
}

void Facts::index_pods() {
  if (std::exchange(has_pods_, true)) return;
  index_nodes();
  for (const Pod& pod : question_.cluster.pods) pods_by_name_.push_back(&pod);
  std::ranges::sort(pods_by_name_, {}, key_of);
  preemptor_ = find_pod(question_.preemptor);
  for (const Pod& pod : question_.cluster.pods) {
    if (pod.node_name.empty()) continue;
    const auto node = find_node(pod.node_name);
    if (!node) continue;
    on_node_[*node].running.push_back(&pod);
    if (preemptor_ != nullptr && pod.priority < preemptor_->priority) {
      on_node_[*node].potential_victims.push_back(&pod);
    }
  }
}

const Pod* Facts::preemptor() {
  index_pods();
  return preemptor_;
}

const Pod* Facts::find_pod(std::string_view full_name) {
  index_pods();
  const auto wanted = split(full_name);
  const auto found = std::ranges::lower_bound(pods_by_name_, wanted, {}, key_of);
  return found != pods_by_name_.end() && key_of(*found) == wanted ? *found : nullptr;
}

std::optional<Pods> Facts::find_pods(std::span<const std::string> full_names) {
  Pods pods;
  pods.reserve(full_names.size());
  for (const std::string& name : full_names) {
    const Pod* pod = find_pod(name);
    if (pod == nullptr) return std::nullopt;
    pods.push_back(pod);
  }
  return pods;
}

std::optional<std::size_t> Facts::find_node(std::string_view name) {
  index_nodes();
  const auto name_of = [this](std::size_t node) {
    return std::string_view(question_.cluster.nodes[node].name);
  };
  const auto found = std::ranges::lower_bound(nodes_by_name_, name, {}, name_of);
  if (found == nodes_by_name_.end() || name_of(*found) != name) return std::nullopt;
  return *found;
}

const Pods& Facts::running_on(std::size_t node) {
  index_pods();
  return on_node_[node].running;
}

const Pods& Facts::potential_victims_on(std::size_t node) {
  index_pods();
  return on_node_[node].potential_victims;
}

const std::optional<Pods>& Facts::victims_on(std::size_t node) {
  index_pods();
  OnNode& entry = on_node_[node];
  if (!std::exchange(entry.has_victims, true) && entry.told != nullptr) {
    entry.victims = find_pods(entry.told->victims);
  }
  return entry.victims;
}

const NodeDecision* Facts::told_of(std::size_t node) {
  index_nodes();
  return on_node_[node].told;
}

const Pods& Facts::by_importance(std::size_t node) {
  const Pods& pods = potential_victims_on(node);
  std::optional<Pods>& sorted = on_node_[node].by_importance;
  if (!sorted) {
    std::vector<Listed> order = listed(question_.policy, question_.cluster.nodes[node], pods);
    sort_by_importance(question_.policy, order);
    sorted.emplace();
    for (const Listed& entry : order) sorted->push_back(entry.pod);
  }
  return *sorted;
}

const std::vector<ChargedPod>& Facts::classed(std::size_t node) {
  std::optional<std::vector<ChargedPod>>& charged = (index_pods(), on_node_[node].classed);
  if (!charged) charged = charge(question_.cluster, question_.policy.charging, by_importance(node));
  return *charged;
}

reference::Fit& Facts::fit() {
  if (fit_ == nullptr) fit_ = std::make_unique<reference::Fit>(question_, *preemptor());
  return *fit_;
}

const std::optional<Facts::Refusal>& Facts::refusal_as_it_stands(std::size_t node) {
  index_nodes();
  if (!std::exchange(has_refusals_, true)) {
    const std::vector<reference::Status> statuses = fit().as_it_stands();
    for (std::size_t i = 0; i < statuses.size(); ++i) on_node_[i].refusal = refusal_of(statuses[i]);
  }
  return on_node_[node].refusal;
}

bool Facts::fits_without(std::size_t node, const Pods& gone) { return fit().fits_afresh(node, gone); }

std::optional<Facts::Refusal> Facts::refusal_without(std::size_t node, const Pods& gone) {
  return refusal_of(fit().afresh(node, gone));
}

std::optional<Facts::Refusal> Facts::refusal_patched_without(std::size_t node, const Pods& gone) {
  return refusal_of(fit().patched(node, by_importance(node), gone));
}

}  // namespace reprieve::laws
