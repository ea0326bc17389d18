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

std::vector<std::string> most_important(const Facts& facts, const NodeDecision& node) {
  std::vector<std::string> pods;
  const PodFacts* highest = highest_victim(facts, node);
  for (const std::string& name : node.victims) {
    const PodFacts* pod = find(facts, node.node, name);
    if (pod != nullptr && pod->priority == highest->priority) pods.push_back(name);
  }
  return pods;
}

// "it would have to evict 2 pods or fewer (4 now)": whether equality is enough is for the levels below.
std::string fewer(const NodeDecision& winner, const NodeDecision& loser, NodeCriterion level,
                  const std::vector<NodeCriterion>& order, std::string_view verb, std::string_view noun,
                  std::int64_t of_winner, std::int64_t of_loser) {
  const auto at = std::ranges::find(order, level);
  const int later = compare(*loser.key, *winner.key, {at == order.end() ? at : at + 1, order.end()});
  const std::string most = count(static_cast<std::size_t>(of_winner), noun);
  if (later < 0)
    return fmt::format("it would have to {} {}{} ({} now).", verb, most, of_winner == 0 ? "" : " or fewer",
                       of_loser);
  const std::string equal = later == 0 ? "they tie" : fmt::format("the levels below prefer {}", winner.node);
  if (of_winner == 0)
    return fmt::format("that is not enough: with {} too, {} ({} now).", most, equal, of_loser);
  return fmt::format("it would have to {} fewer than {} ({} now; with as many, {}).", verb, most, of_loser,
                     equal);
}

// What the loser would need on the level that decided, whatever the means. `enough` is the highest
// priority of its most important victims that was decided to turn the choice.
std::string needs(const Facts& facts, const NodeDecision& winner, const NodeDecision& loser,
                  NodeCriterion level, const std::vector<NodeCriterion>& order,
                  std::optional<std::int32_t> enough) {
  const std::vector<std::string> top = most_important(facts, loser);
  switch (level) {
    case NodeCriterion::kPdbViolations:
      return fewer(winner, loser, level, order, "count", "budget violation", winner.key->violations,
                   loser.key->violations);
    case NodeCriterion::kHighestPriority: {
      const std::int32_t highest = winner.key->highest_priority;
      if (lists_another_first(facts, loser)) {
        return fmt::format(
            "the first victim listed for it would have to have a priority below {}, or that and win on the "
            "levels "
            "below ({} now).",
            highest, loser.key->highest_priority);
      }
      const std::string has =
          fmt::format("{} {} {}", listed(top), top.size() == 1 ? "has" : "have", loser.key->highest_priority);
      if (!enough)
        return fmt::format("its most important victim would have to have a priority below {}; {}.", highest,
                           has);
      return fmt::format("its most important victim would have to have priority {} or lower{}; {}.", *enough,
                         *enough == highest ? "" : fmt::format(" ({} is not enough)", highest), has);
    }
    case NodeCriterion::kPrioritySum: {
      const auto at = std::ranges::find(order, level);
      const bool equal_is_enough =
          compare(*loser.key, *winner.key, {at == order.end() ? at : at + 1, order.end()}) < 0;
      const std::string sum = value_on(*winner.key, level);
      return fmt::format("its victims' priorities would have to add up to {} ({} now).",
                         equal_is_enough ? sum + " or less" : "less than " + sum,
                         value_on(*loser.key, level));
    }
    case NodeCriterion::kVictimCount:
      return fewer(winner, loser, level, order, "evict", "pod", winner.key->victim_count,
                   loser.key->victim_count);
    case NodeCriterion::kLatestStart:
      return fmt::format("{} would have to have started later than {}.", listed(top),
                         start_of(winner.key->earliest_start_us));
    case NodeCriterion::kRequestedShare:
      return fmt::format("its victims would have to hold less than {} of the node ({} now).",
                         value_on(*winner.key, level), value_on(*loser.key, level));
    case NodeCriterion::kBudgetsTouched:
      return fewer(winner, loser, level, order, "touch", "budget", winner.key->budgets_touched.value_or(0),
                   loser.key->budgets_touched.value_or(0));
  }
  return "it would have to be better on that level.";
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

// Into rivalry.changes; returns the priority of the loser's most important victims that was enough.
std::optional<std::int32_t> try_changes(WhatIf& what_if, const Facts& facts, const NodeDecision& winner,
                                        const NodeDecision& loser, Rivalry& rivalry) {
  std::optional<std::int32_t> enough;
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
  const std::vector<std::string> top = most_important(facts, loser);
  // With an extender's own order the first victim listed counts, whatever the others have.
  if (rivalry.decided_by == NodeCriterion::kHighestPriority && !top.empty() &&
      !lists_another_first(facts, loser)) {
    const std::int32_t priority = winner.key->highest_priority;
    if (keep(with_priority(what_if, top, priority, loser_wins)))
      enough = priority;
    else if (priority > INT32_MIN && keep(with_priority(what_if, top, priority - 1, loser_wins)))
      enough = priority - 1;
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
  return enough;
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

std::optional<Rivalry> rivalry(WhatIf& what_if, const Facts& facts, const std::vector<std::size_t>& ranking) {
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
    const auto enough = try_changes(what_if, facts, winner, loser, result);
    result.needs =
        needs(facts, winner, loser, *result.decided_by, what_if.question().policy.node_order, enough);
  }
  return result;
}

}  // namespace reprieve::cli::explain
