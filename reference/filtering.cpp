#include "reprieve/reference/filtering.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"

namespace reprieve::reference {

CycleState::CycleState(const CycleState& other) {
  for (const std::unique_ptr<Plugin>& plugin : other.plugins) plugins.push_back(plugin->clone());
}

void CycleState::add_pod(const Pod& pod, const Node& node) {
  for (const std::unique_ptr<Plugin>& plugin : plugins) plugin->add_pod(pod, node);
}

void CycleState::remove_pod(const Pod& pod, const Node& node) {
  for (const std::unique_ptr<Plugin>& plugin : plugins) plugin->remove_pod(pod, node);
}

PreFiltered run_pre_filter_plugins(const Situation& situation) {
  PreFiltered result;
  for (std::unique_ptr<Plugin>& plugin : make_default_plugins(situation)) {
    PreFilterResult answer = plugin->pre_filter();
    if (answer.skip) continue;
    if (!answer.status.ok()) {
      // No default plugin answers plain Unschedulable here, so the rest need not run.
      REPRIEVE_MARK("reference/filter/rejected-for-every-node");
      result.rejection = answer.status;
      result.rejection.failure.plugin = plugin->name();
      if (answer.status.code == Code::kError) {
        result.rejection.failure.reasons = {fmt::format("running PreFilter plugin \"{}\": {}", plugin->name(),
                                                        answer.status.failure.reasons.front())};
      }
      return result;
    }
    if (answer.nodes) {
      result.restricted_by.emplace_back(plugin->name());
      if (result.eligible) {
        std::erase_if(*result.eligible,
                      [&](const std::string& name) { return !answer.nodes->contains(name); });
      } else {
        result.eligible = answer.nodes;
      }
    }
    result.state.plugins.push_back(std::move(plugin));
  }
  return result;
}

Status run_filter_plugins(const CycleState& state, const NodeInfo& node) {
  for (const std::unique_ptr<Plugin>& plugin : state.plugins) {
    Status status = plugin->filter(node);
    if (status.ok()) continue;
    status.failure.plugin = plugin->name();
    if (status.code == Code::kError) {
      REPRIEVE_MARK("reference/filter/a-plugin-failed");
      status.failure.reasons = {
          fmt::format("running \"{}\" filter plugin: {}", plugin->name(), status.failure.reasons.front())};
    }
    return status;
  }
  return {};
}

Status run_filter_plugins_with_nominated_pods(const Situation& situation, const CycleState& state,
                                              const NodeInfo& node) {
  std::vector<const Pod*> counted = nominated_pods(situation, node.node->name);
  std::erase_if(counted, [&situation](const Pod* pod) {
    if (pod == &situation.preemptor)
      REPRIEVE_MARK("reference/nominated/the-preemptor-itself");
    else if (pod->priority < situation.preemptor.priority)
      REPRIEVE_MARK("reference/nominated/less-important");
    else if (pod->priority == situation.preemptor.priority)
      REPRIEVE_MARK("reference/nominated/equally-important");
    return pod == &situation.preemptor || pod->priority < situation.preemptor.priority;
  });
  Status without = run_filter_plugins(state, node);
  if (counted.empty()) return without;

  NodeInfo node_with_nominated = node;
  CycleState state_with_nominated = state;
  for (const Pod* pod : counted) {
    node_with_nominated.add(*pod, situation.held_by(*pod));
    state_with_nominated.add_pod(*pod, *node.node);
  }
  // Upstream runs this pass first: when both fail, its reasons are the ones that are told.
  Status with_nominated = run_filter_plugins(state_with_nominated, node_with_nominated);
  if (!with_nominated.ok()) REPRIEVE_MARK("reference/fits/not-with-nominated");
  if (with_nominated.ok() && !without.ok()) REPRIEVE_MARK("reference/fits/only-with-nominated");
  with_nominated.failure.with_nominated = !with_nominated.ok() && without.ok();
  return with_nominated.ok() ? without : with_nominated;
}

FilteredNodes filter_nodes(const Situation& situation) {
  PreFiltered pre_filtered = run_pre_filter_plugins(situation);
  FilteredNodes result;
  if (!pre_filtered.rejection.ok()) {
    if (pre_filtered.rejection.code == Code::kError) result.failed = pre_filtered.rejection;
    result.statuses.assign(situation.nodes.size(), pre_filtered.rejection);
    return result;
  }
  for (const NodeInfo& node : situation.nodes) {
    const std::string& name = node.node->name;
    const bool excluded = pre_filtered.eligible && !pre_filtered.eligible->contains(name);
    // The node that the pod is nominated to is filtered first, and even when it is excluded; then
    // its status is the filter's, unless a plugin failed (evaluateNominatedNode).
    Status status;
    if (!excluded || name == situation.preemptor.nominated_node_name) {
      status = run_filter_plugins_with_nominated_pods(situation, pre_filtered.state, node);
      if (excluded) REPRIEVE_MARK("reference/filter/nominated-node-though-excluded");
      if (!excluded && status.code == Code::kError) result.failed = status;
    }
    if (excluded && (name != situation.preemptor.nominated_node_name || status.code == Code::kError)) {
      REPRIEVE_MARK("reference/filter/node-is-excluded");
      status = unresolvable(
          fmt::format("node(s) didn't satisfy plugin(s) [{}]", fmt::join(pre_filtered.restricted_by, " ")));
      status.failure.plugin = pre_filtered.restricted_by.front();
    }
    result.statuses.push_back(std::move(status));
  }
  result.state = std::move(pre_filtered.state);
  return result;
}

}  // namespace reprieve::reference
