#include "reprieve/properties/laws/keys.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <set>
#include <utility>

#include "reprieve/properties/laws/charging.h"
#include "reprieve/properties/laws/importance.h"

namespace reprieve::laws {
namespace {

int sign(std::strong_ordering order) { return order < 0 ? -1 : (order > 0 ? 1 : 0); }

std::int64_t start_of(const CandidateKey& key) {
  return key.earliest_start_us.value_or(std::numeric_limits<std::int64_t>::max());  // missing is "now"
}

bool names(const Policy& policy, NodeCriterion criterion) {
  return std::ranges::find(policy.node_order, criterion) != policy.node_order.end();
}

// A pod that an extender lists twice holds its requests once.
Pods without_repeats(const Pods& pods) {
  Pods once = pods;
  std::ranges::sort(once);
  const auto rest = std::ranges::unique(once);
  once.erase(rest.begin(), rest.end());
  return once;
}

std::int64_t budgets_touched(const Cluster& cluster, const Pods& victims) {
  return std::ranges::count_if(cluster.budgets, [&](const DisruptionBudget& budget) {
    return std::ranges::any_of(victims, [&](const Pod* pod) {
      return selects(budget, *pod) && !budget.disrupted_pods.contains(pod->name);
    });
  });
}

}  // namespace

std::optional<CandidateKey> key_of(Facts& facts, const NodeDecision& candidate) {
  const auto node = facts.find_node(candidate.node);
  const std::optional<Pods> victims = facts.find_pods(candidate.victims);
  if (!node || !victims || victims->empty()) return std::nullopt;
  CandidateKey key{.violations = candidate.violations,
                   .highest_priority = victims->front()->priority,
                   .victim_count = static_cast<std::int64_t>(victims->size())};
  std::int32_t highest = victims->front()->priority;
  for (const Pod* victim : *victims) {
    key.priority_sum += std::int64_t{victim->priority} + (std::int64_t{1} << 31);
    highest = std::max(highest, victim->priority);
  }
  for (const Pod* victim : *victims) {
    if (victim->priority != highest || !victim->start_time_us) continue;
    key.earliest_start_us = std::min(start_of(key), *victim->start_time_us);
  }
  const Case& question = facts.question();
  if (names(question.policy, NodeCriterion::kRequestedShare)) {
    key.requested_share =
        share_of(without_repeats(*victims), question.cluster.nodes[*node], question.policy.release);
  }
  if (names(question.policy, NodeCriterion::kBudgetsTouched)) {
    key.budgets_touched = budgets_touched(question.cluster, *victims);
  }
  return key;
}

int compare_at(NodeCriterion level, const CandidateKey& a, const CandidateKey& b) {
  switch (level) {
    case NodeCriterion::kPdbViolations: return sign(a.violations <=> b.violations);
    case NodeCriterion::kHighestPriority: return sign(a.highest_priority <=> b.highest_priority);
    case NodeCriterion::kPrioritySum: return sign(a.priority_sum <=> b.priority_sum);
    case NodeCriterion::kVictimCount: return sign(a.victim_count <=> b.victim_count);
    case NodeCriterion::kLatestStart: return sign(start_of(b) <=> start_of(a));
    case NodeCriterion::kRequestedShare:
      return compare_shares(a.requested_share.value_or(Share{}), b.requested_share.value_or(Share{}));
    case NodeCriterion::kBudgetsTouched:
      return sign(a.budgets_touched.value_or(0) <=> b.budgets_touched.value_or(0));
  }
  std::unreachable();
}

Comparison compare_keys(const std::vector<NodeCriterion>& order, const CandidateKey& a,
                        const CandidateKey& b) {
  for (const NodeCriterion level : order) {
    if (const int better = compare_at(level, a, b); better != 0) return {.order = better, .by = level};
  }
  return {};
}

}  // namespace reprieve::laws
