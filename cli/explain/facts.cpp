#include "reprieve/cli/explain/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reprieve/cli/explain/victim_sets.h"
#include "reprieve/cli/explain/what_if.h"
#include "reprieve/cli/explain/words.h"
#include "reprieve/reference/situation.h"

namespace reprieve::cli::explain {

namespace {

bool has(const std::vector<std::string>& pods, const std::string& pod) {
  return std::ranges::count(pods, pod) > 0;
}

// Source: k8s.io/kube-scheduler/framework/types.go (HostPortInfo.CheckConflict).
bool conflict(const reference::HostPort& a, const reference::HostPort& b) {
  return a.protocol == b.protocol && a.port == b.port &&
         (a.ip == b.ip || a.ip == "0.0.0.0" || b.ip == "0.0.0.0");
}

PodFacts facts_of_pod(const Pod& pod, const reference::Situation& situation,
                      const std::vector<reference::HostPort>& wanted) {
  PodFacts facts{.pod = full_name(pod),
                 .priority = pod.priority,
                 .start_time_us = pod.start_time_us,
                 .requests = reference::held_by(pod, situation.release)};
  if (wanted.empty()) return facts;
  for (const reference::HostPort& held : reference::host_ports(pod)) {
    if (std::ranges::any_of(wanted, [&](const auto& port) { return conflict(port, held); }))
      facts.ports.push_back(fmt::format("{}/{}", held.port, held.protocol));
  }
  return facts;
}

// Source: pkg/scheduler/extender.go (IsInterested): a container that names a managed resource.
bool is_asked(const Extender& extender, const Pod& pod) {
  if (!extender.supports_preemption) return false;
  const auto manages = [&](const Container& container) {
    return std::ranges::any_of(extender.managed_resources, [&](const std::string& resource) {
      return container.requests.contains(resource);
    });
  };
  return extender.managed_resources.empty() || std::ranges::any_of(pod.containers, manages) ||
         std::ranges::any_of(pod.init_containers, manages);
}

std::string requests_in_words(const PodFacts& pod, const FilterFailure& failure) {
  std::vector<std::string> parts = {fmt::format("priority {}", pod.priority)};
  for (const Shortfall& shortfall : failure.shortfalls) {
    const auto at = pod.requests.find(shortfall.resource);
    if (at != pod.requests.end())
      parts.push_back(fmt::format("{} {}", amount(at->first, at->second), at->first));
  }
  return fmt::format("{} ({})", pod.pod, fmt::join(parts, ", "));
}

std::vector<std::string> port_holders(const NodeFacts& node, const std::vector<std::string>& gone) {
  std::vector<std::string> parts;
  for (const PodFacts& pod : node.pods) {
    if (pod.ports.empty() || has(gone, pod.pod)) continue;
    parts.push_back(fmt::format("host port {} is held by {}", listed(pod.ports), pod.pod));
  }
  return parts;
}

}  // namespace

Facts facts_of(const Case& question, const Decision& decision) {
  Facts facts{.preemptor = question.preemptor};
  const Pod* preemptor = find_pod(question.cluster, question.preemptor);
  if (preemptor == nullptr) return facts;
  facts.priority = preemptor->priority;
  facts.requests = reference::asked_by(*preemptor);
  for (const Extender& extender : question.extenders) {
    if (is_asked(extender, *preemptor)) facts.extenders.push_back(extender.name);
  }
  const auto wanted = reference::host_ports(*preemptor);
  const reference::Situation situation(question, *preemptor);
  std::vector<const Pod*> nominated;
  for (const Pod& pod : question.cluster.pods) {
    if (pod.node_name.empty() && !pod.nominated_node_name.empty()) nominated.push_back(&pod);
  }
  for (const reference::NodeInfo& info : situation.nodes) {
    const NodeDecision* node = find_node(decision, info.node->name);
    if (node == nullptr || !(node->tried || node->filter_failure)) continue;
    NodeFacts& all = facts.nodes[node->node];
    for (const Pod* pod : info.pods) all.pods.push_back(facts_of_pod(*pod, situation, wanted));
    // Source: framework/runtime/framework.go (addGENominatedPods).
    if (nominated.empty()) continue;
    for (const Pod* pod : reference::nominated_pods(situation, node->node)) {
      if (pod != preemptor && pod->priority >= preemptor->priority)
        all.nominated.push_back(facts_of_pod(*pod, situation, wanted));
    }
  }
  return facts;
}

const NodeFacts* find(const Facts& facts, std::string_view node) {
  const auto at = facts.nodes.find(node);
  return at == facts.nodes.end() ? nullptr : &at->second;
}

const PodFacts* find(const Facts& facts, std::string_view node, std::string_view pod) {
  const NodeFacts* on = find(facts, node);
  if (on == nullptr) return nullptr;
  const auto at = std::ranges::find(on->pods, pod, &PodFacts::pod);
  return at == on->pods.end() ? nullptr : &*at;
}

std::vector<const PodFacts*> not_lower(const Facts& facts, std::string_view node) {
  std::vector<const PodFacts*> pods;
  if (const NodeFacts* on = find(facts, node)) {
    for (const PodFacts& pod : on->pods) {
      if (pod.priority >= facts.priority) pods.push_back(&pod);
    }
  }
  return pods;
}

std::vector<std::string> found_by_dry_run(const NodeDecision& node) {
  std::vector<std::string> pods;
  for (const PotentialVictim& victim : node.potential_victims) {
    if (victim.evicted) pods.push_back(victim.pod);
  }
  return pods;
}

ExtenderEffect effect_of_extenders(const NodeDecision& node) {
  ExtenderEffect effect;
  const std::vector<std::string> found = found_by_dry_run(node);
  if (!node.tried || found.empty() || node.emptied_failure) return effect;
  if (node.status != NodeStatus::kCandidate) {
    // A node that a guarantee of the budgets refused says so, one that was dropped has no reason left.
    effect.dropped = node.status == NodeStatus::kUnschedulable && node.reasons.empty();
    return effect;
  }
  for (const std::string& pod : found) {
    if (!has(node.victims, pod)) effect.spared.push_back(pod);
  }
  for (const std::string& pod : node.victims) {
    if (!has(found, pod)) effect.added.push_back(pod);
  }
  // Equals may be listed either way: upstream sorts the victims again where both classes exist.
  const auto place = [&](const std::string& pod) {
    return std::ranges::find(node.potential_victims, pod, &PotentialVictim::pod);
  };
  for (std::size_t i = 1; effect.spared.empty() && effect.added.empty() && i < node.victims.size(); ++i) {
    const auto first = place(node.victims[i - 1]);
    const auto second = place(node.victims[i]);
    // Pods that look equal may have changed places as any tie may.
    const bool alike = first->priority == second->priority && first->start_time_us == second->start_time_us;
    if (second < first && !alike) effect.reordered = true;
  }
  return effect;
}

const PodFacts* highest_victim(const Facts& facts, const NodeDecision& node) {
  const PodFacts* highest = nullptr;
  for (const std::string& name : node.victims) {
    const PodFacts* pod = find(facts, node.node, name);
    if (pod != nullptr && (highest == nullptr || pod->priority > highest->priority)) highest = pod;
  }
  return highest;
}

bool lists_another_first(const Facts& facts, const NodeDecision& node) {
  const PodFacts* highest = highest_victim(facts, node);
  return highest != nullptr && node.key && node.key->highest_priority != highest->priority;
}

std::vector<std::size_t> turns(const NodeDecision& node) {
  std::vector<std::size_t> order(node.potential_victims.size());
  std::size_t next = 1;
  for (const bool violating : {true, false}) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (node.potential_victims[i].violating == violating) order[i] = next++;
    }
  }
  return order;
}

std::vector<std::string> back_before(const NodeDecision& node, std::size_t victim) {
  const std::vector<std::size_t> order = turns(node);
  std::vector<std::string> pods;
  for (const bool violating : {true, false}) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const PotentialVictim& other = node.potential_victims[i];
      if (other.violating == violating && !other.evicted && order[i] < order[victim])
        pods.push_back(other.pod);
    }
  }
  return pods;
}

std::string in_words(const Shortfall& shortfall, const Facts& facts, std::string_view node) {
  const std::string& resource = shortfall.resource;
  const std::string unit = resource == "pods" ? "pod places" : resource;
  const std::int64_t free = difference(shortfall.allocatable, shortfall.used);
  std::string needs = amount(resource, shortfall.requested);
  std::string has_free = amount(resource, free);
  std::string all = amount(resource, shortfall.allocatable);
  // "1.4Gi of 4Gi is free and it needs 1.4Gi" would explain nothing.
  if (needs == has_free) {
    needs = std::to_string(shortfall.requested);
    has_free = std::to_string(free);
    all = std::to_string(shortfall.allocatable);
  }
  if (shortfall.allocatable == 0)
    return fmt::format("{} has no {} and {} needs {}", node, unit, facts.preemptor, needs);
  if (free < 0) {
    return fmt::format("{} more {} than {}'s {} is in use already and {} needs {}",
                       amount(resource, difference(0, free)), unit, node, all, facts.preemptor, needs);
  }
  return fmt::format("{} of {}'s {} {} is free and {} needs {}", free == 0 ? "none" : has_free, node, all,
                     unit, facts.preemptor, needs);
}

std::string in_words(const FilterFailure& failure, const Facts& facts, std::string_view node,
                     const std::vector<std::string>& gone) {
  std::vector<std::string> parts;
  for (const Shortfall& shortfall : failure.shortfalls) parts.push_back(in_words(shortfall, facts, node));
  const NodeFacts* on = find(facts, node);
  if (failure.plugin == "NodePorts" && on != nullptr) parts = port_holders(*on, gone);
  if (parts.empty()) parts = failure.reasons;
  std::string text = fmt::format("{} ({})", fmt::join(parts, "; "), failure.plugin);
  if (!failure.with_nominated || on == nullptr) return text;
  std::vector<std::string> counted;
  for (const PodFacts& pod : on->nominated) counted.push_back(requests_in_words(pod, failure));
  if (counted.empty()) return text + ", counting the pods nominated to this node";
  return text + fmt::format(", counting {}: pods of equal or higher priority that are nominated to {} count",
                            listed(counted), node);
}

}  // namespace reprieve::cli::explain
