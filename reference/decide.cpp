// The whole flow, in the order of docs/SEMANTICS.md.
// Source: pkg/scheduler/schedule_one.go (schedulingAlgorithm, schedulePod),
// pkg/scheduler/framework/preemption/preemption.go (evaluate, findCandidates).
#include "reprieve/reference/decide.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "reprieve/reference/clearing.h"
#include "reprieve/reference/dry_run.h"
#include "reprieve/reference/eligibility.h"
#include "reprieve/reference/extenders.h"
#include "reprieve/reference/filtering.h"
#include "reprieve/reference/ranking.h"
#include "reprieve/reference/sampling.h"

namespace reprieve::reference {
namespace {

Decision undecided(std::string reason) { return {.outcome = Outcome::kError, .reason = std::move(reason)}; }

// What cannot be decided here: a program that must be asked.
std::optional<std::string> unsupported(const Case& question) {
  for (const Extender& extender : question.extenders) {
    if (extender.url) return "extenders: " + extender.name + " is asked over HTTP";
  }
  return std::nullopt;
}

const Pod* find_preemptor(const Case& question) {
  for (const Pod& pod : question.cluster.pods) {
    if (full_name(pod) == question.preemptor) return &pod;
  }
  return nullptr;
}

NodeStatus to_node_status(Code code) {
  if (code == Code::kSuccess) return NodeStatus::kFits;
  return code == Code::kUnschedulable ? NodeStatus::kUnschedulable : NodeStatus::kUnresolvable;
}

NodeDecision as_filtered(const NodeInfo& node, const Status& status) {
  NodeDecision decision{
      .node = node.node->name, .status = to_node_status(status.code), .reasons = status.failure.reasons};
  if (!status.ok()) decision.filter_failure = status.failure;
  return decision;
}

// A node that an extender left out, although the dry run found victims there.
void drop(NodeDecision& node) {
  node.status = NodeStatus::kUnschedulable;
  node.victims.clear();
  node.violations = 0;
  node.key.reset();
}

void show_candidate(const Situation& situation, const Candidate& candidate, NodeDecision& node) {
  node.status = NodeStatus::kCandidate;
  node.reasons.clear();
  node.victims.clear();
  for (const Pod* victim : candidate.victims) node.victims.push_back(full_name(*victim));
  node.violations = candidate.violations;
  node.key = key_of(situation, candidate);
}

}  // namespace

Decision decide(const Case& question) {
  if (const auto field = unsupported(question)) return undecided("not supported by the reference: " + *field);
  const Pod* preemptor = find_preemptor(question);
  if (preemptor == nullptr)
    return undecided("the preemptor " + question.preemptor + " is not in the cluster");
  if (!preemptor->node_name.empty()) {
    return undecided("the preemptor " + question.preemptor + " is already on node " + preemptor->node_name);
  }
  const Situation situation(question, *preemptor);
  Decision decision;

  // Does it fit without eviction?
  const FilteredNodes filtered = filter_nodes(situation);
  if (!filtered.failed.ok()) return undecided(filtered.failed.failure.reasons.front());
  for (std::size_t i = 0; i < situation.nodes.size(); ++i) {
    decision.nodes.push_back(as_filtered(situation.nodes[i], filtered.statuses[i]));
  }
  if (std::ranges::any_of(filtered.statuses, &Status::ok)) {
    decision.outcome = Outcome::kFits;
    return decision;
  }

  // 1. Eligible? (A cluster without nodes ends before this question.)
  if (!situation.nodes.empty()) {
    if (auto reason = why_ineligible(situation, filtered.statuses)) {
      decision.outcome = Outcome::kIneligible;
      decision.reason = std::move(*reason);
      return decision;
    }
  }

  // 2. Would eviction help? Only where the first failing filter says "unschedulable".
  std::vector<std::size_t> potential_nodes;
  for (std::size_t i = 0; i < situation.nodes.size(); ++i) {
    if (filtered.statuses[i].code == Code::kUnschedulable) potential_nodes.push_back(i);
  }

  // 3, 4 and 7. Victims on each node, as far as the sample reaches.
  std::vector<Candidate> candidates;
  std::optional<std::string> failure;
  bool refused_for_budgets = false;
  Shortlist shortlist(question.policy.sampling, potential_nodes.size());
  for (std::size_t step = 0; step < potential_nodes.size() && !shortlist.is_enough(); ++step) {
    const std::size_t node = potential_nodes[shortlist.at(step)];
    NodeDecision& story = decision.nodes[node];
    DryRun found = dry_run_preemption(situation, filtered.state, node, story);
    if (found.undecidable) return undecided("not supported by the reference: " + *found.undecidable);
    if (found.failed) failure = found.failed;
    refused_for_budgets |= found.refused_for_budgets;
    if (!found.candidate) continue;
    show_candidate(situation, *found.candidate, story);
    if (shortlist.keeps(found.candidate->violations > 0)) candidates.push_back(*std::move(found.candidate));
  }
  if (candidates.empty()) {
    if (failure) return undecided(*failure);
    decision.outcome = Outcome::kNoCandidate;
    if (refused_for_budgets) decision.reason = "no candidate without violating a PodDisruptionBudget";
    decision.cleared = cleared_without_candidate(*preemptor);
    return decision;
  }

  // 5. Extenders.
  std::ranges::sort(candidates, {}, &Candidate::node);
  const ExtendersAnswer answer = call_extenders(situation, question.extenders, std::move(candidates));
  if (answer.failure) return undecided(*answer.failure);
  if (answer.heard) {
    for (NodeDecision& node : decision.nodes) {
      if (node.status == NodeStatus::kCandidate) drop(node);
    }
    for (const Candidate& candidate : answer.candidates)
      show_candidate(situation, candidate, decision.nodes[candidate.node]);
  }
  if (answer.candidates.empty()) {
    // "no candidate node for preemption": unlike above, upstream leaves the nomination as it is.
    decision.outcome = Outcome::kNoCandidate;
    return decision;
  }

  // 6. The levels of nodeOrder.
  std::vector<CandidateKey> keys;
  for (const Candidate& candidate : answer.candidates) keys.push_back(key_of(situation, candidate));
  const Ranked ranked = rank(keys, question.policy.node_order);

  // 8. The result.
  decision.outcome = Outcome::kNominated;
  decision.decided_by = ranked.decided_by;
  for (const std::size_t i : ranked.tie) {
    decision.nominated.push_back(situation.nodes[answer.candidates[i].node].node->name);
  }
  decision.cleared = cleared_by(situation, answer.candidates[ranked.tie.front()]);
  return decision;
}

}  // namespace reprieve::reference
