#include "reprieve/engine/victims.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "reprieve/engine/nominated.h"
#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

constexpr std::array kUsual = {ImportanceCriterion::kPriority, ImportanceCriterion::kStartTime};

}  // namespace

void DryRun::begin(const Cycle& cycle, FilterChain& chain, const Policy& policy) {
  cycle_ = cycle;
  chain_ = &chain;
  policy_ = &policy;
  usual_importance_ = std::ranges::equal(policy.importance, kUsual);
  priority_first_ = !policy.importance.empty() && policy.importance.front() == ImportanceCriterion::kPriority;
  guaranteed_ = REPRIEVE_MUTANT("guarantee-ignored", policy.budgets.guaranteed, false) &&
                REPRIEVE_MUTANT("guarantee-whatever-the-priority",
                                !policy.budgets.below_priority ||
                                    cycle.index->pod_priority[cycle.pod] < *policy.budgets.below_priority,
                                true);
  bounded_levels_ = policy.node_order;
  if (!priority_first_) {
    const auto second = std::ranges::find(policy.node_order, NodeCriterion::kHighestPriority);
    bounded_levels_ = {policy.node_order.begin(), second};
  }
  ledger_.begin(*cycle.index, policy.charging);
}

// The node's pods are kept in the usual order, in which those of lower priority come last.
void DryRun::collect(NodeId node) {
  const Index& index = *cycle_.index;
  const std::int32_t priority = index.pod_priority[cycle_.pod];
  const std::vector<PodId>& pods = cycle_.node(node).pods;
  const auto first = std::ranges::partition_point(pods, [&](PodId pod) {
    return REPRIEVE_MUTANT("equal-priority-is-victim", index.pod_priority[pod] >= priority,
                           index.pod_priority[pod] > priority);
  });
  potential_.assign(first, pods.end());
  if (REPRIEVE_MUTANT("least-important-first", false, true)) std::ranges::reverse(potential_);
  if (usual_importance_) return;
  // A total order: pods which tie stay in the order of the input.
  std::ranges::sort(potential_, [&](PodId a, PodId b) {
    const bool in_order = REPRIEVE_MUTANT("ties-go-by-name", index.pods[a].sequence < index.pods[b].sequence,
                                          index.pods[a].full_name < index.pods[b].full_name);
    const Order order =
        criteria::compare_pods(index, in_order ? a : b, in_order ? b : a, policy_->importance);
    return in_order ? order != Order::kAfter : order == Order::kAfter;
  });
}

// A bound before any walk: a candidate has at least one victim, and none is of lower priority than
// the least. Sound for every filter.
bool DryRun::cannot_win(const Key<std::int64_t>& best) const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  if (usual_importance_) {
    const PodId last = REPRIEVE_MUTANT("bound-of-the-highest", potential_.back(), potential_.front());
    least = cycle_.index->pod_priority[last];
  } else {
    for (const PodId pod : potential_) least = std::min<std::int64_t>(least, cycle_.index->pod_priority[pod]);
  }
  Key<std::int64_t> bound;
  bound.add(least, {}, 0);
  return is_beaten(bound, best, bounded_levels_);
}

bool DryRun::charge_and_tell(std::size_t i, NodeDecision* story) {
  return ledger_.charge_pod(potential_[i], [&](BudgetId budget, std::int64_t left, bool disrupted) {
    if (!story) return;
    story->potential_victims[i].charges.push_back({.budget = cycle_.index->budgets[budget].full_name,
                                                   .left = static_cast<std::int32_t>(left),
                                                   .disrupted = disrupted});
  });
}

void DryRun::classify(NodeDecision* story) {
  ledger_.reset();
  violating_.assign(potential_.size(), 0);
  for (std::size_t i = 0; i < potential_.size(); ++i) {
    violating_[i] = charge_and_tell(i, story) ? 1 : 0;
    if (story) story->potential_victims[i].violating = violating_[i] != 0;
  }
}

// Whether `b`, which is listed after `a`, goes before it. Of two without a start time 1.36 reads the
// clock anew, so that their places in this list count; 1.37 has read it when the input was listed.
bool DryRun::goes_before(PodId b, PodId a) const {
  const Index& index = *cycle_.index;
  const bool in_order = index.release == Release::k1_36 || index.pods[a].sequence < index.pods[b].sequence;
  const Order order = criteria::compare_pods(index, in_order ? a : b, in_order ? b : a, policy_->importance);
  return order == (in_order ? Order::kAfter : Order::kBefore);
}

// Over the victims alone, in order of importance.
void DryRun::count_violations() {
  ledger_.reset();
  key_.violations = 0;
  for (std::size_t i = 0; i < potential_.size(); ++i) {
    if (REPRIEVE_MUTANT("actual-counts-the-spared", evicted_[i] != 0, true) &&
        ledger_.charge_pod(potential_[i])) {
      ++key_.violations;
    }
  }
}

// The levels that are known only once the victims are.
void DryRun::fill_key() {
  if (!priority_first_) key_.highest_priority = cycle_.index->pod_priority[victims_.front()];
  if (policy_->violations == ViolationCount::kActual &&
      REPRIEVE_MUTANT("actual-violations-not-counted", true, false)) {
    count_violations();
  }
  criteria::fill_levels(*cycle_.index, policy_->node_order, victims_, key_, scratch_);
}

DryRunResult DryRun::run(NodeId node, const Key<std::int64_t>* best, NodeDecision* story) {
  if (!enter(node, story)) return DryRunResult::kNoVictims;
  if (best && cannot_win(*best)) {
    REPRIEVE_MARK("engine/bound/node-cannot-win");
    return DryRunResult::kBeaten;
  }
  if (!take_all_off(story)) {
    return verdict_.code == Code::kError ? DryRunResult::kError : DryRunResult::kDoesNotFit;
  }
  return reprieve_in_order(best, story);
}

bool DryRun::enter(NodeId node, NodeDecision* story) {
  const Index& index = *cycle_.index;
  counted_nominated(cycle_, node, nominated_);
  chain_->enter(node, nominated_);
  collect(node);
  if (potential_.empty()) REPRIEVE_MARK("engine/victims/none-potential");
  if (story) {
    for (const PodId pod : potential_) {
      PotentialVictim& victim = story->potential_victims.emplace_back();
      victim.pod = index.pods[pod].full_name;
      victim.priority = index.pod_priority[pod];
      if (index.has(pod, kHasStart)) victim.start_time_us = index.pod_start[pod];
    }
  }
  return REPRIEVE_MUTANT("crowded-nodes-passed-over", !potential_.empty(),
                         potential_.size() == 1 || potential_.size() == 2);
}

bool DryRun::take_all_off(NodeDecision* story) {
  for (const PodId pod : potential_) chain_->patch(pod, -1);
  verdict_ = chain_->check_again();
  if (verdict_.fits()) return true;
  REPRIEVE_MARK("engine/victims/evicting-all-is-not-enough");
  if (story) story->emptied_failure = chain_->explain(verdict_);
  return false;
}

void DryRun::choose(std::span<const std::uint8_t> evicted) {
  evicted_.assign(evicted.begin(), evicted.end());
  victims_.clear();
  key_ = {};
  for (std::size_t i = 0; i < potential_.size(); ++i) {
    if (evicted_[i] == 0) continue;
    victims_.push_back(potential_[i]);
    const Importance<std::int64_t> importance = cycle_.index->importance_of(potential_[i]);
    key_.add(importance.priority, importance.start, 0);
  }
  fill_key();
}

void DryRun::tell_charges(NodeDecision& story) {
  ledger_.reset();
  for (std::size_t i = 0; i < potential_.size(); ++i) {
    if (evicted_[i] == 0) continue;
    PotentialVictim& victim = story.potential_victims[i];
    victim.evicted = true;
    victim.violating = charge_and_tell(i, &story);
  }
}

DryRunResult DryRun::reprieve_in_order(const Key<std::int64_t>* best, NodeDecision* story) {
  const Index& index = *cycle_.index;
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
      victim.evicted = REPRIEVE_MUTANT("eviction-not-told", true, false);
      victim.not_reprieved = run.chain_->explain(run.verdict_);
      Fits::evict(i);
    }
  };
  key_ = {};
  evicted_.assign(potential_.size(), 0);
  // What is counted over the victims alone is known once they are; until then 0 bounds it.
  const bool counted = policy_->violations == ViolationCount::kClassified;
  bool refused = REPRIEVE_MUTANT("guarantee-counts-the-spared", false,
                                 guaranteed_ && std::ranges::find(violating_, 1) != violating_.end());
  const auto evicted = [&](std::size_t i) {
    evicted_[i] = 1;
    refused = refused || (guaranteed_ && violating_[i] != 0);
    if (refused && !story) return false;
    const Importance<std::int64_t> importance = index.importance_of(potential_[i]);
    if (REPRIEVE_MUTANT("terminating-victims-cost-nothing", true, !index.has(potential_[i], kTerminating))) {
      key_.add(importance.priority, importance.start,
               counted ? violation_of(violating_, i, key_.violations) : 0);
    }
    return !best || !is_beaten(key_, *best, bounded_levels_);
  };
  const bool finished = story ? reprieve(violating_, StoryFits{{*this}, story}, evicted)
                              : reprieve(violating_, Fits{*this}, evicted);
  if (refused) return DryRunResult::kGuaranteed;
  if (!finished) {
    REPRIEVE_MARK("engine/bound/walk-is-abandoned");
    return DryRunResult::kBeaten;
  }
  const bool in_order = list_victims<PodId>(
      potential_, violating_, evicted_, [&](PodId b, PodId a) { return goes_before(b, a); }, victims_);
  verdict_ = {};
  // "expected at least one victim pod on node": the filters contradict themselves.
  if (victims_.empty()) return DryRunResult::kError;
  if (!in_order) key_.highest_priority = index.pod_priority[victims_.front()];  // level 2 reads the first
  fill_key();
  return DryRunResult::kCandidate;
}

}  // namespace reprieve::engine
