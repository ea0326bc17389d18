#include "reprieve/reference/fit.h"

#include <algorithm>
#include <utility>

#include "reprieve/reference/filters/plugins.h"

namespace reprieve::reference {
namespace {

bool contains(std::span<const Pod* const> pods, const Pod* pod) {
  return std::ranges::find(pods, pod) != pods.end();
}

// The status of one node, as filter_nodes gives it.
Status status_on(const Situation& situation, std::size_t node) {
  const NodeInfo& info = situation.nodes[node];
  const PreFiltered pre_filtered = run_pre_filter_plugins(situation);
  if (!pre_filtered.rejection.ok()) return pre_filtered.rejection;
  const bool excluded = pre_filtered.eligible && !pre_filtered.eligible->contains(info.node->name);
  if (excluded && info.node->name != situation.preemptor.nominated_node_name) {
    return unresolvable("excluded by a plugin's PreFilter");
  }
  return run_filter_plugins_with_nominated_pods(situation, pre_filtered.state, info);
}

}  // namespace

Fit::Fit(const Case& question, const Pod& preemptor)
    : situation_(question, preemptor), resources_(make_node_resources_fit(situation_)) {}

NodeInfo Fit::left_on(std::size_t node, std::span<const Pod* const> gone) const {
  NodeInfo left(*situation_.nodes[node].node);
  for (const Pod* pod : situation_.nodes[node].pods) {
    if (!contains(gone, pod)) left.add(*pod, situation_.held_by(*pod));
  }
  return left;
}

Status Fit::afresh(std::size_t node, std::span<const Pod* const> gone) {
  NodeInfo left = left_on(node, gone);
  std::swap(situation_.nodes[node], left);
  Status status = status_on(situation_, node);
  std::swap(situation_.nodes[node], left);
  return status;
}

bool Fit::fits_afresh(std::size_t node, std::span<const Pod* const> gone) {
  NodeInfo left = left_on(node, gone);
  if (!resources_->filter(left).ok()) return false;  // and with it all of them together
  std::swap(situation_.nodes[node], left);
  const bool fits = status_on(situation_, node).ok();
  std::swap(situation_.nodes[node], left);
  return fits;
}

Status Fit::patched(std::size_t node, std::span<const Pod* const> potential_victims,
                    std::span<const Pod* const> gone) const {
  const PreFiltered pre_filtered = run_pre_filter_plugins(situation_);
  if (!pre_filtered.rejection.ok()) return pre_filtered.rejection;
  NodeInfo info = situation_.nodes[node];
  CycleState state = pre_filtered.state;
  for (const Pod* pod : potential_victims) {
    info.remove(*pod, situation_.held_by(*pod));
    state.remove_pod(*pod, *info.node);
  }
  for (const Pod* pod : potential_victims) {
    if (contains(gone, pod)) continue;
    info.add(*pod, situation_.held_by(*pod));
    state.add_pod(*pod, *info.node);
  }
  return run_filter_plugins_with_nominated_pods(situation_, state, info);
}

}  // namespace reprieve::reference
