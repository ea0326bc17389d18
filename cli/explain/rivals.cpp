#include "reprieve/cli/explain/rivals.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/explain/victim_sets.h"
#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

std::size_t place_in_tie(const Decision& decision, const NodeDecision& node) {
  return static_cast<std::size_t>(std::ranges::find(decision.nominated, node.node) -
                                  decision.nominated.begin());
}

std::vector<std::string> most_important(const NodeDecision& node) {
  std::vector<std::string> pods;
  for (const PotentialVictim& victim : node.potential_victims) {
    if (victim.evicted && node.key && victim.priority == node.key->highest_priority)
      pods.push_back(victim.pod);
  }
  return pods;
}

// What the loser would need on the level that decided, whatever the means.
std::string needs(const NodeDecision& winner, const NodeDecision& loser, NodeCriterion level) {
  switch (level) {
    case NodeCriterion::kPdbViolations:
      return fmt::format("Its evictions would have to count {} ({} now), or fewer.",
                         count(static_cast<std::size_t>(winner.key->violations), "budget violation"),
                         loser.key->violations);
    case NodeCriterion::kHighestPriority:
      return fmt::format("Its most important victim would have to have priority {} or lower; {} {} {}.",
                         winner.key->highest_priority, listed(most_important(loser)),
                         most_important(loser).size() == 1 ? "has" : "have", loser.key->highest_priority);
    case NodeCriterion::kPrioritySum:
      return fmt::format("Its victims' priorities would have to add up to {} or less ({} now).",
                         value_on(*winner.key, level), value_on(*loser.key, level));
    case NodeCriterion::kVictimCount:
      return fmt::format("It would have to evict {} or fewer ({} now).",
                         count(static_cast<std::size_t>(winner.key->victim_count), "pod"),
                         loser.key->victim_count);
    case NodeCriterion::kLatestStart:
      return fmt::format("{} would have to have started later than {}.", listed(most_important(loser)),
                         start_of(winner.key->earliest_start_us));
    case NodeCriterion::kRequestedShare:
    case NodeCriterion::kBudgetsTouched: break;
  }
  return "It would have to be better on that level.";
}

const PotentialVictim* first_evicted(const NodeDecision& node) {
  const auto at = std::ranges::find(node.potential_victims, true, &PotentialVictim::evicted);
  return at == node.potential_victims.end() ? nullptr : &*at;
}

const PotentialVictim* first_violating_victim(const NodeDecision& node) {
  const auto at = std::ranges::find_if(node.potential_victims, [](const PotentialVictim& victim) {
    return victim.evicted && victim.violating;
  });
  return at == node.potential_victims.end() ? nullptr : &*at;
}

void try_changes(WhatIf& what_if, const NodeDecision& winner, const NodeDecision& loser, Rivalry& rivalry) {
  const Goal loser_wins = [&](const Decision& decision) {
    const NodeDecision* node = find_node(decision, loser.node);
    if (node == nullptr) return false;
    if (decision.outcome == Outcome::kFits) return node->status == NodeStatus::kFits;
    return decision.outcome == Outcome::kNominated && decision.nominated == std::vector{loser.node};
  };
  const auto keep = [&](std::optional<Change> change) {
    if (change) rivalry.changes.push_back(std::move(*change));
    return change.has_value();
  };
  const bool by_budgets = rivalry.decided_by == NodeCriterion::kPdbViolations;
  keep(with_more_room(what_if, loser.node, by_budgets ? first_violating_victim : first_evicted, loser_wins));
  if (by_budgets) keep(with_larger_budgets(what_if, loser.node, first_violating_victim, loser_wins));
  const std::vector<std::string> top = most_important(loser);
  if (rivalry.decided_by == NodeCriterion::kHighestPriority && !top.empty()) {
    const std::int32_t priority = winner.key->highest_priority;
    if (!keep(with_priority(what_if, top, priority, loser_wins)) && priority > INT32_MIN) {
      keep(with_priority(what_if, top, priority - 1, loser_wins));
    }
  }
  if (rivalry.decided_by == NodeCriterion::kPrioritySum &&
      winner.key->victim_count == loser.key->victim_count) {
    // The least that one pod would have to give way to turn the sum.
    const std::int64_t difference = loser.key->priority_sum - winner.key->priority_sum + 1;
    for (const PotentialVictim& victim : loser.potential_victims) {
      const std::int64_t priority = victim.priority - difference;
      if (!victim.evicted || priority < INT32_MIN) continue;
      if (keep(with_priority(what_if, {victim.pod}, static_cast<std::int32_t>(priority), loser_wins))) break;
    }
  }
  if (rivalry.decided_by == NodeCriterion::kLatestStart && !top.empty() && winner.key->earliest_start_us) {
    keep(with_start(what_if, top, *winner.key->earliest_start_us + 1'000'000, loser_wins));
  }
}

}  // namespace

std::vector<std::size_t> ranked(const Decision& decision, const Policy& policy) {
  std::vector<std::size_t> order;
  if (decision.outcome != Outcome::kNominated) return order;
  for (std::size_t i = 0; i < decision.nodes.size(); ++i) {
    if (decision.nodes[i].status == NodeStatus::kCandidate && decision.nodes[i].key) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const NodeDecision& left = decision.nodes[a];
    const NodeDecision& right = decision.nodes[b];
    const std::size_t place_left = place_in_tie(decision, left);
    const std::size_t place_right = place_in_tie(decision, right);
    if (place_left != place_right) return place_left < place_right;
    return compare(*left.key, *right.key, policy.node_order) < 0;
  });
  return order;
}

std::optional<Rivalry> rivalry(WhatIf& what_if, const std::vector<std::size_t>& ranking) {
  const Decision& decision = what_if.decision();
  if (ranking.size() <= decision.nominated.size() || decision.nominated.empty()) return std::nullopt;
  const NodeDecision& winner = decision.nodes[ranking.front()];
  const NodeDecision& loser = decision.nodes[ranking[decision.nominated.size()]];
  Rivalry result{.winner = winner.node, .runner_up = loser.node, .decided_by = decision.decided_by};
  for (const NodeCriterion criterion : what_if.question().policy.node_order) {
    result.levels.push_back({.criterion = criterion,
                             .winner = value_on(*winner.key, criterion),
                             .runner_up = value_on(*loser.key, criterion),
                             .better = compare(*winner.key, *loser.key, {criterion}),
                             .decides = decision.decided_by == criterion});
  }
  if (result.decided_by) {
    result.needs = needs(winner, loser, *result.decided_by);
    try_changes(what_if, winner, loser, result);
  }
  return result;
}

}  // namespace reprieve::cli::explain
