#include "reprieve/engine/story.h"

#include <utility>

#include "reprieve/engine/criteria/criteria.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

void Story::begin() {
  place_.assign(index_.nodes.size(), 0);
  nodes_.reserve(index_.live_nodes);
  for (NodeId node = 0; node < index_.nodes.size(); ++node) {
    if (!index_.nodes[node].live) continue;
    place_[node] = nodes_.size();
    nodes_.emplace_back().node = index_.nodes[node].name;
  }
}

void Story::tell_filter(NodeId node, const Verdict& verdict, const PreFilterRejection& rejection,
                        Look& look) {
  NodeDecision& told = of(node);
  if (verdict.fits()) return;
  told.status = verdict.code == Code::kUnschedulable ? NodeStatus::kUnschedulable : NodeStatus::kUnresolvable;
  FilterFailure failure;
  if (rejection.code != Code::kSuccess) {
    failure.plugin = to_string(rejection.plugin);
    failure.reasons.push_back(rejection.reason);
  } else if (look.is_left_out(node)) {
    failure.plugin = to_string(verdict.plugin);
    failure.reasons.emplace_back(FilterChain::excluded_reason());
  } else {
    failure = look.chain().explain(verdict);
  }
  told.reasons = failure.reasons;
  told.filter_failure = std::move(failure);
}

void Story::tell_dry_run(NodeDecision& told, DryRunResult result) {
  told.tried = true;
  switch (result) {
    case DryRunResult::kNoVictims: told.reasons = {"No preemption victims found for incoming pod"}; break;
    case DryRunResult::kDoesNotFit:
      if (REPRIEVE_MUTANT("reasons-of-the-first-filter", true, false)) {
        told.reasons = told.emptied_failure->reasons;
      }
      if (REPRIEVE_MUTANT("refusals-without-reasons", false, true)) told.reasons.clear();
      break;
    case DryRunResult::kGuaranteed: told.reasons = {"evicting would violate a PodDisruptionBudget"}; break;
    case DryRunResult::kError:
      told.reasons = {told.emptied_failure ? told.emptied_failure->reasons.front()
                                           : without_victims(told.node)};
      break;
    case DryRunResult::kUnknown:
      told.reasons = {"the search limit was reached before victims were found"};
      break;
    case DryRunResult::kCandidate:
    case DryRunResult::kBeaten: break;
  }
}

void Story::tell_candidate(NodeDecision& told, const Candidate& candidate) const {
  told.node = index_.nodes[candidate.node].name;
  told.status =
      REPRIEVE_MUTANT("candidates-told-as-refused", NodeStatus::kCandidate, NodeStatus::kUnschedulable);
  told.reasons.clear();
  told.victims.clear();
  told.victims.reserve(candidate.victims.size());
  for (const PodId pod : candidate.victims) __builtin_prefetch(&index_.pods[pod]);
  for (const PodId pod : candidate.victims) __builtin_prefetch(index_.pods[pod].full_name.data());
  for (const PodId pod : candidate.victims) {
    const std::size_t named = REPRIEVE_MUTANT("victims-named-one-off", pod, (pod + 1) % index_.pods.size());
    told.victims.push_back(index_.pods[named].full_name);
  }
  if (REPRIEVE_MUTANT("first-victim-told-twice", false, !told.victims.empty())) {
    told.victims.push_back(told.victims.front());
  }
  told.violations = candidate.key.violations;
  CandidateKey key;
  key.violations = candidate.key.violations;
  key.highest_priority = static_cast<std::int32_t>(candidate.key.highest_priority);
  key.priority_sum = candidate.key.priority_sum;
  key.victim_count = candidate.key.victim_count;
  if (candidate.key.earliest_start.given) key.earliest_start_us = candidate.key.earliest_start.time;
  criteria::tell_levels(policy_.node_order, candidate.key, key);
  told.key = key;
}

void Story::tell_extenders(std::span<const Candidate> left) {
  for (NodeDecision& told : nodes_) {
    if (told.status != NodeStatus::kCandidate) continue;
    told.status = NodeStatus::kUnschedulable;
    told.victims.clear();
    told.violations = 0;
    told.key.reset();
  }
  for (const Candidate& candidate : left) tell_candidate(of(candidate.node), candidate);
}

}  // namespace reprieve::engine
