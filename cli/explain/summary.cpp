// The outcome in a few sentences.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reprieve/cli/explain/explain.h"
#include "reprieve/cli/explain/words.h"
#include "reprieve/cli/view.h"

namespace reprieve::cli::explain {

namespace {

std::string subject(const Explanation& told) {
  return fmt::format("{} (priority {})", told.preemptor, told.priority);
}

std::string without_dot(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string value_shift(const std::string& value) {
  const std::size_t at = value.find(" + ");
  return at == std::string::npos ? "" : value.substr(at);
}

std::vector<const NodeDecision*> dropped_nodes(const Decision& decision) {
  std::vector<const NodeDecision*> nodes;
  for (const NodeDecision& node : decision.nodes) {
    if (effect_of_extenders(node).dropped) nodes.push_back(&node);
  }
  return nodes;
}

std::vector<std::string> names(const std::vector<const NodeDecision*>& nodes) {
  std::vector<std::string> all;
  for (const NodeDecision* node : nodes) all.push_back(node->node);
  return all;
}

void say_rivalry(Explanation& told) {
  const Decision& decision = told.decision;
  const auto level = std::ranges::find(told.rivalry->levels, true, &Level::decides);
  if (level == told.rivalry->levels.end()) return;
  // The shift of 2^31 says nothing where both sides have it equally often.
  const auto plain = [&](const std::string& value) {
    const bool same = level->criterion == NodeCriterion::kPrioritySum &&
                      value_shift(level->winner) == value_shift(level->runner_up);
    return same ? value.substr(0, value.find(" + ")) : value;
  };
  const NodeDecision* winner = find_node(decision, told.rivalry->winner);
  const NodeDecision* loser = find_node(decision, told.rivalry->runner_up);
  const bool reordered = (winner != nullptr && lists_another_first(told.facts, *winner)) ||
                         (loser != nullptr && lists_another_first(told.facts, *loser));
  told.summary.push_back(fmt::format("{} is preferred to {}, the runner-up of {}, because {}: {} against {}.",
                                     told.rivalry->winner, told.rivalry->runner_up,
                                     count(told.ranking.size(), "candidate"),
                                     because(level->criterion, told.rivalry->winner, reordered),
                                     plain(level->winner), plain(level->runner_up)));
}

void summarise_nominated(Explanation& told) {
  const Decision& decision = told.decision;
  const std::string& node = decision.nominated.front();
  const NodeDecision* chosen = find_node(decision, node);
  const auto victims = chosen == nullptr ? std::vector<std::string>() : chosen->victims;
  told.summary.push_back(fmt::format(
      "{} fits on no node as things stand. The scheduler nominates {} for it and evicts {} there: {}.",
      subject(told), node, count(victims.size(), "pod"), listed(victims)));
  const auto dropped = dropped_nodes(decision);
  if (told.ranking.size() == 1 && dropped.empty()) {
    told.summary.push_back(
        fmt::format("{} is the only node where evicting lower-priority pods makes room.", node));
  } else if (told.ranking.size() == 1) {
    told.summary.push_back(fmt::format(
        "{} is the only candidate left: eviction would make room on {} too, but extenders dropped {}.", node,
        listed(names(dropped)), dropped.size() == 1 ? "it" : "them"));
  } else if (decision.nominated.size() > 1) {
    told.summary.push_back(
        fmt::format("{} are equally good on every level, so which of them is taken is arbitrary.",
                    listed(decision.nominated)));
  }
  if (told.rivalry && decision.decided_by) say_rivalry(told);
  if (chosen != nullptr && chosen->violations > 0) {
    told.summary.push_back(
        fmt::format("This is counted as {}; preemption respects budgets only as far as it can.",
                    count(static_cast<std::size_t>(chosen->violations), "budget violation")));
  }
  if (!decision.bounded.empty()) {
    std::vector<std::string> gaps;
    for (const Bound& bound : decision.bounded) {
      if (bound.found != bound.at_least) gaps.push_back(cli::in_words(bound));
    }
    told.summary.push_back(
        fmt::format("The search ran into its limit, so a better choice may exist: {}.", listed(gaps)));
  }
  const auto order = std::ranges::find(told.warnings, "budgetOrder", &Warning::kind);
  if (order != told.warnings.end()) {
    const bool elsewhere = !order->nodes.empty() && std::ranges::count(order->nodes, node) == 0;
    told.summary.push_back(
        elsewhere ? fmt::format("In another order of the budgets {} would be chosen (see Warnings).",
                                listed(order->nodes))
                  : "In another order of the budgets the answer differs (see Warnings).");
  }
  if (!decision.cleared.empty()) {
    told.summary.push_back(
        fmt::format("{} of lower priority had been nominated to {} and must look for a node anew.",
                    listed(decision.cleared), node));
  }
}

void summarise_no_candidate(const Pod* preemptor, Explanation& told) {
  const Decision& decision = told.decision;
  const auto dropped = dropped_nodes(decision);
  if (!dropped.empty()) {
    told.summary.push_back(fmt::format(
        "{} stays pending and nobody is evicted. Eviction would make room on {}, but the extenders left no "
        "candidate.",
        subject(told), listed(names(dropped))));
  } else if (decision.nodes.empty()) {
    told.summary.push_back(fmt::format("{} stays pending: there is no node.", subject(told)));
  } else {
    told.summary.push_back(fmt::format(
        "{} stays pending and nobody is evicted: {}.", subject(told),
        !decision.reason.empty()
            ? "where eviction makes room it would violate a budget, which the policy rules out"
        : decision.nodes.size() == 1
            ? fmt::format("on {}, the only node, eviction makes no room", decision.nodes.front().node)
            : "eviction makes room on none of " + count(decision.nodes.size(), "node")));
  }
  std::size_t hopeless = 0;
  std::size_t tried = 0;
  std::size_t without_victims = 0;
  for (const NodeDecision& node : decision.nodes) {
    if (node.status == NodeStatus::kUnresolvable) ++hopeless;
    if (node.status != NodeStatus::kUnschedulable || effect_of_extenders(node).dropped) continue;
    ++(node.potential_victims.empty() ? without_victims : tried);
  }
  const auto are = [](std::size_t number) { return count(number, "node") + (number == 1 ? " is" : " are"); };
  std::vector<std::string> parts;
  // With one node its own paragraph says it.
  if (decision.nodes.size() > 1) {
    if (tried > 0)
      parts.push_back(fmt::format("{} tried in vain with every lower-priority pod off",
                                  count(tried, "node") + (tried == 1 ? " was" : " were")));
    if (without_victims > 0)
      parts.push_back(
          fmt::format("{} no pod of lower priority",
                      count(without_victims, "node") + (without_victims == 1 ? " has" : " have")));
    if (hopeless > 0) parts.push_back(are(hopeless) + " ruled out whatever is evicted");
  }
  if (!parts.empty()) told.summary.push_back(listed(parts) + ".");
  if (told.nearest_miss) {
    std::vector<std::string> amounts;
    for (const Shortfall& shortfall : told.nearest_miss->shortfalls)
      amounts.push_back(in_words(shortfall, told.facts, told.nearest_miss->node));
    told.summary.push_back(fmt::format("The nearest miss is {}: with every lower-priority pod gone, {}.",
                                       told.nearest_miss->node, fmt::join(amounts, "; ")));
  }
  if (preemptor == nullptr || preemptor->nominated_node_name.empty()) return;
  told.summary.push_back(fmt::format("Its own nomination to {} is {}.", preemptor->nominated_node_name,
                                     decision.cleared.empty() ? "kept" : "cleared"));
}

void summarise_ineligible(const Case& question, const Pod* pod, Explanation& told) {
  if (pod != nullptr && pod->preemption_policy == PreemptionPolicy::kNever) {
    std::vector<std::string> classes;
    for (const PriorityClass& each : question.cluster.priority_classes) {
      if (each.preemption_policy == PreemptionPolicy::kNever && each.value == pod->priority)
        classes.push_back(each.name);
    }
    told.summary.push_back(fmt::format(
        "{} may not preempt: its preemptionPolicy is Never{}. It waits in the queue ahead of lower "
        "priorities, until room appears by itself.",
        subject(told), classes.size() == 1 ? fmt::format(" (as in PriorityClass {})", classes.front()) : ""));
    return;
  }
  std::vector<std::string> leaving;
  if (pod != nullptr && !pod->nominated_node_name.empty()) {
    for (const Pod& other : question.cluster.pods) {
      if (other.node_name == pod->nominated_node_name && other.deletion_time_us &&
          other.priority < pod->priority) {
        leaving.push_back(full_name(other));
      }
    }
  }
  if (leaving.empty()) {
    told.summary.push_back(
        fmt::format("{} may not preempt: {}.", subject(told), without_dot(told.decision.reason)));
    return;
  }
  told.summary.push_back(fmt::format(
      "{} may not preempt now: it is already nominated to {}, where {} {} still terminating. The scheduler "
      "waits for that instead of evicting more ({}).",
      subject(told), pod->nominated_node_name, listed(leaving), leaving.size() == 1 ? "is" : "are",
      without_dot(told.decision.reason)));
}

}  // namespace

void summarise(const Case& question, Explanation& told) {
  const Pod* preemptor = find_pod(question.cluster, told.preemptor);
  switch (told.decision.outcome) {
    case Outcome::kFits: {
      std::vector<std::string> fitting;
      for (const NodeDecision& node : told.decision.nodes) {
        if (node.status == NodeStatus::kFits) fitting.push_back(node.node);
      }
      told.summary.push_back(fmt::format("{} needs no eviction: it fits on {} of {} as things stand ({}).",
                                         subject(told), fitting.size(),
                                         count(told.decision.nodes.size(), "node"), listed(fitting)));
      break;
    }
    case Outcome::kIneligible: summarise_ineligible(question, preemptor, told); break;
    case Outcome::kNominated: summarise_nominated(told); break;
    case Outcome::kNoCandidate: summarise_no_candidate(preemptor, told); break;
    case Outcome::kError:
      // The reason may begin with the extender's name.
      told.summary.push_back(
          !told.ended_by_extender
              ? fmt::format("{} cannot be decided: {}", subject(told), told.decision.reason)
          : told.decision.reason.starts_with("extender ") || told.facts.extenders.empty()
              ? fmt::format("{} stays pending and nobody is evicted: the attempt ended with an error of {}.",
                            subject(told), told.decision.reason)
              : fmt::format(
                    "{} stays pending and nobody is evicted: the attempt ended with an error of {}{}: {}.",
                    subject(told), told.facts.extenders.size() == 1 ? "extender " : "one of the extenders ",
                    listed(told.facts.extenders), told.decision.reason));
      break;
  }
}

}  // namespace reprieve::cli::explain
