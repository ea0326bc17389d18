#include "reprieve/engine/victims.h"

#include <algorithm>
#include <array>
#include <limits>

namespace reprieve::engine {
namespace {

constexpr std::array kUsual = {ImportanceCriterion::kPriority, ImportanceCriterion::kStartTime};

}  // namespace

void DryRun::begin(const Cycle& cycle, FilterChain& chain, const Policy& policy) {
  cycle_ = cycle;
  chain_ = &chain;
  policy_ = &policy;
  usual_importance_ = std::ranges::equal(policy.importance, kUsual);
  if (allowed_.size() < cycle.index->budgets.size()) {
    allowed_.resize(cycle.index->budgets.size());
    allowed_stamp_.resize(cycle.index->budgets.size());
  }
}

// The node's pods are kept in the usual order, in which those of lower priority come last.
void DryRun::collect(NodeId node) {
  const Index& index = *cycle_.index;
  const std::int32_t priority = index.pod_priority[cycle_.pod];
  const std::vector<PodId>& pods = cycle_.node(node).pods;
  const auto first =
      std::ranges::partition_point(pods, [&](PodId pod) { return index.pod_priority[pod] >= priority; });
  potential_.assign(first, pods.end());
  if (usual_importance_) return;
  std::ranges::sort(potential_, {}, [&](PodId pod) { return index.pods[pod].sequence; });
  // Stable, so that pods which tie stay in the order of the input.
  std::stable_sort(potential_.begin(), potential_.end(), [&](PodId a, PodId b) {
    const bool in_order = index.pods[a].sequence < index.pods[b].sequence;
    const Order order = compare_importance<std::int64_t>(index.importance_of(in_order ? a : b),
                                                         index.importance_of(in_order ? b : a),
                                                         policy_->importance, index.release);
    return in_order ? order == Order::kBefore : order == Order::kAfter;
  });
}

// A bound before any walk: a candidate has at least one victim, and none is of lower priority than
// the least. Sound for every filter.
bool DryRun::cannot_win(const Key<std::int64_t>& best) const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  if (usual_importance_) {
    least = cycle_.index->pod_priority[potential_.back()];
  } else {
    for (const PodId pod : potential_) least = std::min<std::int64_t>(least, cycle_.index->pod_priority[pod]);
  }
  Key<std::int64_t> bound;
  bound.add(least, {}, 0);
  return is_beaten(bound, best, std::span<const NodeCriterion>(policy_->node_order));
}

void DryRun::classify(NodeDecision* story) {
  const Index& index = *cycle_.index;
  ++stamp_;
  if (stamp_ == 0) {
    std::ranges::fill(allowed_stamp_, 0);
    stamp_ = 1;
  }
  violating_.assign(potential_.size(), 0);
  for (std::size_t i = 0; i < potential_.size(); ++i) {
    const PodId pod = potential_[i];
    memberships_.clear();
    for (const BudgetId budget : index.group_of(pod).budgets) {
      const BudgetRecord& record = index.budgets[budget];
      if (allowed_stamp_[budget] != stamp_) {
        allowed_stamp_[budget] = stamp_;
        allowed_[budget] = record.allowed;
      }
      memberships_.push_back(
          {budget, !record.disrupted_pods.empty() && record.disrupted_pods.contains(index.pods[pod].name())});
    }
    if (memberships_.empty()) continue;
    const auto tell = [&](const Membership& membership) {
      if (!story) return;
      story->potential_victims[i].charges.push_back(
          {.budget = index.budgets[membership.budget].full_name,
           .left = static_cast<std::int32_t>(allowed_[membership.budget]),
           .disrupted = membership.disrupted});
    };
    violating_[i] = charge<std::int64_t>(memberships_, allowed_, policy_->charging, tell) ? 1 : 0;
    if (story) story->potential_victims[i].violating = violating_[i] != 0;
  }
}

DryRunResult DryRun::run(NodeId node, const Key<std::int64_t>* best, NodeDecision* story) {
  const Index& index = *cycle_.index;
  collect(node);
  if (potential_.empty()) return DryRunResult::kNoVictims;
  if (best && cannot_win(*best)) return DryRunResult::kBeaten;
  if (story) {
    for (const PodId pod : potential_) {
      PotentialVictim& victim = story->potential_victims.emplace_back();
      victim.pod = index.pods[pod].full_name;
      victim.priority = index.pod_priority[pod];
      if (index.has(pod, kHasStart)) victim.start_time_us = index.pod_start[pod];
    }
  }

  for (const PodId pod : potential_) chain_->patch(pod, -1);
  verdict_ = chain_->check_again();
  if (!verdict_.fits()) {
    if (story) story->emptied_failure = chain_->explain(verdict_);
    return verdict_.code == Code::kError ? DryRunResult::kError : DryRunResult::kDoesNotFit;
  }
  classify(story);

  struct Fits {
    DryRun& run;
    void restore(std::size_t i) { run.chain_->patch(run.potential_[i], 1); }
    bool fits() {
      run.verdict_ = run.chain_->check_again();
      return run.verdict_.fits();
    }
    void evict(std::size_t i) { run.chain_->patch(run.potential_[i], -1); }
  };
  struct StoryFits : Fits {
    NodeDecision* story;
    void evict(std::size_t i) {
      // Told before the pod is taken off again: the shortfalls are those with it back in place.
      PotentialVictim& victim = story->potential_victims[i];
      victim.evicted = true;
      victim.not_reprieved = run.chain_->explain(run.verdict_);
      Fits::evict(i);
    }
  };
  key_ = {};
  evicted_.assign(potential_.size(), 0);
  const auto evicted = [&](std::size_t i) {
    evicted_[i] = 1;
    const Importance<std::int64_t> importance = index.importance_of(potential_[i]);
    key_.add(importance.priority, importance.start, violating_[i]);
    return !best || !is_beaten(key_, *best, std::span<const NodeCriterion>(policy_->node_order));
  };
  const bool finished = story ? reprieve(violating_, StoryFits{{*this}, story}, evicted)
                              : reprieve(violating_, Fits{*this}, evicted);
  if (!finished) return DryRunResult::kBeaten;
  victims_.clear();
  for (std::size_t i = 0; i < potential_.size(); ++i) {
    if (evicted_[i] != 0) victims_.push_back(potential_[i]);
  }
  // "expected at least one victim pod on node": the filters contradict themselves.
  verdict_ = {};
  return victims_.empty() ? DryRunResult::kError : DryRunResult::kCandidate;
}

}  // namespace reprieve::engine
