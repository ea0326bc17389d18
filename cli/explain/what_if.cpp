#include "reprieve/cli/explain/what_if.h"

#include <algorithm>
#include <utility>

namespace reprieve::cli::explain {

namespace {

bool names(const Pod& pod, std::string_view full) {
  const std::size_t slash = pod.namespace_.size();
  return full.size() == slash + 1 + pod.name.size() && full.starts_with(pod.namespace_) &&
         full[slash] == '/' && full.ends_with(pod.name);
}

// Pod affinity and topology spread of the preemptor count pods of other nodes, and a claim can be in
// use elsewhere. Without them a node is judged by what is on it or nominated to it, and by the
// anti-affinity of pods anywhere.
bool looks_at_one_node(const Case& question) {
  const Pod* preemptor = find_pod(question.cluster, question.preemptor);
  return preemptor != nullptr && preemptor->affinity.required_pod_affinity.empty() &&
         preemptor->affinity.required_pod_anti_affinity.empty() &&
         preemptor->topology_spread_constraints.empty() &&
         std::ranges::all_of(preemptor->volumes,
                             [](const PodVolume& volume) { return volume.kind == VolumeKind::kOther; });
}

bool repels(const Pod& pod) { return !pod.affinity.required_pod_anti_affinity.empty(); }

std::int64_t cost(const Case& question) {
  return static_cast<std::int64_t>(1 + question.cluster.nodes.size() + question.cluster.pods.size());
}

}  // namespace

const NodeDecision* find_node(const Decision& decision, std::string_view node) {
  const auto at = std::ranges::find(decision.nodes, node, &NodeDecision::node);
  return at == decision.nodes.end() ? nullptr : &*at;
}

const Pod* find_pod(const Cluster& cluster, std::string_view full) {
  const auto at = std::ranges::find_if(cluster.pods, [&](const Pod& pod) { return names(pod, full); });
  return at == cluster.pods.end() ? nullptr : &*at;
}

Pod* find_pod(Cluster& cluster, std::string_view full) {
  const auto at = std::ranges::find_if(cluster.pods, [&](const Pod& pod) { return names(pod, full); });
  return at == cluster.pods.end() ? nullptr : &*at;
}

WhatIf::WhatIf(const Case& question, const Decision& decision, Decider decide, std::int64_t work_limit)
    : question_(question),
      decision_(decision),
      importance_(question),
      decide_(std::move(decide)),
      work_left_(work_limit),
      node_local_(looks_at_one_node(question)) {}

bool WhatIf::more_important(const NodeDecision& node, const PotentialVictim& a,
                            const PotentialVictim& b) const {
  const auto place = [&](const PotentialVictim& victim) {
    return std::ranges::find(node.potential_victims, victim.pod, &PotentialVictim::pod);
  };
  return place(a) < place(b) && !importance_.tied(a.pod, b.pod);
}

Case WhatIf::reduced(const std::set<std::string, std::less<>>& nodes) const {
  Case small;
  small.name = question_.name;
  small.preemptor = question_.preemptor;
  small.policy = question_.policy;
  small.extenders = question_.extenders;
  small.cluster.budgets = question_.cluster.budgets;
  small.cluster.priority_classes = question_.cluster.priority_classes;
  small.cluster.namespaces = question_.cluster.namespaces;
  // Of other nodes only what repels the preemptor from afar is kept, and no room: they can neither
  // fit nor become candidates.
  std::set<std::string_view> repelling;
  for (const Pod& pod : question_.cluster.pods) {
    const bool near = nodes.contains(pod.node_name) || nodes.contains(pod.nominated_node_name);
    const bool far = repels(pod) && !pod.node_name.empty();
    if (!near && !far && !names(pod, question_.preemptor)) continue;
    small.cluster.pods.push_back(pod);
    if (far) repelling.insert(pod.node_name);
  }
  for (const Node& node : question_.cluster.nodes) {
    if (nodes.contains(node.name)) {
      small.cluster.nodes.push_back(node);
    } else if (repelling.contains(node.name)) {
      small.cluster.nodes.push_back(node);
      small.cluster.nodes.back().allocatable.clear();
    }
  }
  return small;
}

const Case& WhatIf::about(const std::string& node) {
  if (node_ == node && !node_.empty()) return node_case_;
  node_ = node;
  node_case_ = node_local_ ? reduced({node}) : question_;
  node_case_.extenders.clear();
  node_case_.policy.sampling.reset();
  // Its own nomination decides eligibility and is filtered first; neither matters to "fits there".
  if (Pod* preemptor = find_pod(node_case_.cluster, question_.preemptor))
    preemptor->nominated_node_name.clear();
  return node_case_;
}

std::optional<Decision> WhatIf::decide(const Case& question) {
  if (work_left_ < cost(question)) {
    exhausted_ = true;
    return std::nullopt;
  }
  work_left_ -= cost(question);
  ++decisions_;
  Decision decision = decide_(question);
  if (decision.outcome == Outcome::kError) return std::nullopt;
  return decision;
}

std::optional<NodeDecision> WhatIf::node_without(const std::string& node, const PodSet& gone) {
  Case changed = about(node);
  std::erase_if(changed.cluster.pods, [&](const Pod& pod) { return gone.contains(full_name(pod)); });
  const auto decision = decide(changed);
  if (!decision) return std::nullopt;
  const NodeDecision* found = find_node(*decision, node);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

bool WhatIf::fits_without(const std::string& node, const PodSet& gone) {
  const auto found = node_without(node, gone);
  return found && found->status == NodeStatus::kFits;
}

bool WhatIf::affords(const std::string& node, std::int64_t decisions) {
  return cost(about(node)) <= work_left_ / std::max<std::int64_t>(1, decisions);
}

const Case& WhatIf::candidates(const std::string& affected) {
  if (again_ && affected_ == affected) return *again_;
  affected_ = affected;
  // Extenders and sampling see the whole list of nodes.
  if (!node_local_ || !question_.extenders.empty() || question_.policy.sampling) {
    if (!again_) again_ = question_;
    return *again_;
  }
  std::set<std::string, std::less<>> nodes;
  if (!affected.empty() && !leaders_.empty()) {
    nodes.insert(leaders_.begin(), leaders_.end());
    nodes.insert(affected);
  } else {
    // A budget guarantee can turn a node that was refused into one that is not.
    const bool refused_too = question_.policy.budgets.guaranteed;
    for (const NodeDecision& node : decision_.nodes) {
      if (node.status == NodeStatus::kCandidate || (refused_too && node.tried)) nodes.insert(node.node);
    }
  }
  if (const Pod* preemptor = find_pod(question_.cluster, question_.preemptor);
      preemptor != nullptr && !preemptor->nominated_node_name.empty()) {
    nodes.insert(preemptor->nominated_node_name);
  }
  again_ = reduced(nodes);
  return *again_;
}

std::optional<Decision> WhatIf::after(const std::function<void(Case&)>& change, const std::string& affected) {
  Case changed = candidates(affected);
  change(changed);
  return decide(changed);
}

std::optional<Decision> WhatIf::whole(const std::function<void(Case&)>& change) {
  Case changed = question_;
  change(changed);
  return decide(changed);
}

}  // namespace reprieve::cli::explain
