#include "reprieve/cli/explain/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

std::size_t count_status(const Decision& decision, NodeStatus status) {
  return static_cast<std::size_t>(std::ranges::count(decision.nodes, status, &NodeDecision::status));
}

// Chosen, its tie, other candidates from best to worst, nodes that fit, nodes that were tried, the
// rest.
std::vector<std::size_t> order_nodes(const Decision& decision, const std::vector<std::size_t>& ranking) {
  std::vector<std::size_t> group(decision.nodes.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const NodeDecision& node = decision.nodes[i];
    switch (node.status) {
      case NodeStatus::kCandidate: group[i] = ranking.size(); break;
      case NodeStatus::kFits: group[i] = ranking.size() + 1; break;
      case NodeStatus::kUnschedulable: group[i] = ranking.size() + (node.tried ? 2 : 3); break;
      case NodeStatus::kUnresolvable: group[i] = ranking.size() + 4; break;
    }
  }
  for (std::size_t place = 0; place < ranking.size(); ++place) group[ranking[place]] = place;
  std::vector<std::size_t> order(group.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::less(), [&](std::size_t i) { return group[i]; });
  return order;
}

std::string subject(const Explanation& told) {
  return fmt::format("{} (priority {})", told.preemptor, told.priority);
}

std::string value_shift(const std::string& value) {
  const std::size_t at = value.find(" + ");
  return at == std::string::npos ? "" : value.substr(at);
}

void summarise_nominated(Explanation& told) {
  const Decision& decision = told.decision;
  const NodeDecision* chosen = find_node(decision, decision.nominated.front());
  const auto victims = chosen == nullptr ? std::vector<std::string>() : chosen->victims;
  told.summary.push_back(fmt::format(
      "{} fits on no node as things stand. The scheduler nominates {} for it and evicts {} there: {}.",
      subject(told), decision.nominated.front(), count(victims.size(), "pod"), listed(victims)));
  if (told.ranking.size() == 1) {
    told.summary.push_back(fmt::format("{} is the only node where evicting lower-priority pods makes room.",
                                       decision.nominated.front()));
  } else if (decision.nominated.size() > 1) {
    told.summary.push_back(
        fmt::format("{} are equally good on every level, so which of them is taken is arbitrary.",
                    listed(decision.nominated)));
  }
  if (told.rivalry && decision.decided_by) {
    const auto level = std::ranges::find(told.rivalry->levels, true, &Level::decides);
    if (level != told.rivalry->levels.end()) {
      // The shift of 2^31 says nothing where both sides have it equally often.
      const auto plain = [&](const std::string& value) {
        const bool same = level->criterion == NodeCriterion::kPrioritySum &&
                          value_shift(level->winner) == value_shift(level->runner_up);
        return same ? value.substr(0, value.find(" + ")) : value;
      };
      told.summary.push_back(
          fmt::format("It is preferred to {}, the runner-up of {}, because {}: {} against {}.",
                      told.rivalry->runner_up, count(told.ranking.size(), "candidate"),
                      because(level->criterion), plain(level->winner), plain(level->runner_up)));
    }
  }
  if (chosen != nullptr && chosen->violations > 0) {
    told.summary.push_back(
        fmt::format("This is counted as {}; preemption respects budgets only as far as it can.",
                    count(static_cast<std::size_t>(chosen->violations), "budget violation")));
  }
  if (!decision.cleared.empty()) {
    told.summary.push_back(
        fmt::format("{} of lower priority had been nominated to {} and must look for a node anew.",
                    listed(decision.cleared), decision.nominated.front()));
  }
}

void summarise_no_candidate(Explanation& told) {
  const std::size_t hopeless = count_status(told.decision, NodeStatus::kUnresolvable);
  const std::size_t tried = count_status(told.decision, NodeStatus::kUnschedulable);
  const bool alone = told.decision.nodes.size() == 1;
  told.summary.push_back(
      fmt::format("{} stays pending and nobody is evicted: eviction makes room on {}.", subject(told),
                  alone ? "no node (there is one)" : "none of " + count(told.decision.nodes.size(), "node")));
  std::vector<std::string> parts;
  if (tried > 0)
    parts.push_back(fmt::format("{} tried in vain, taking every lower-priority pod off",
                                tried == 1 ? "1 node was" : fmt::format("{} nodes were", tried)));
  if (hopeless > 0)
    parts.push_back(fmt::format("{} ruled out whatever is evicted",
                                hopeless == 1 ? "1 node is" : fmt::format("{} nodes are", hopeless)));
  if (!parts.empty()) told.summary.push_back(listed(parts) + ".");
  if (told.nearest_miss) {
    std::vector<std::string> amounts;
    for (const Shortfall& shortfall : told.nearest_miss->shortfalls) amounts.push_back(in_words(shortfall));
    told.summary.push_back(fmt::format("The nearest miss is {}, with every lower-priority pod gone: {}.",
                                       told.nearest_miss->node, fmt::join(amounts, "; ")));
  }
  if (!told.decision.cleared.empty()) told.summary.emplace_back("Its own nomination is cleared.");
}

void summarise_ineligible(const WhatIf& what_if, Explanation& told) {
  told.summary.push_back(fmt::format("{} may not preempt: {}", subject(told), told.decision.reason));
  const Pod* pod = find_pod(what_if.question().cluster, told.preemptor);
  if (pod == nullptr) return;
  if (pod->preemption_policy == PreemptionPolicy::kNever) {
    told.summary.emplace_back(
        "Its preemptionPolicy (or that of its PriorityClass) is Never: it waits in the queue ahead of lower "
        "priorities, until room appears by itself.");
    return;
  }
  std::vector<std::string> leaving;
  for (const Pod& other : what_if.question().cluster.pods) {
    if (other.node_name == pod->nominated_node_name && other.deletion_time_us &&
        other.priority < pod->priority) {
      leaving.push_back(full_name(other));
    }
  }
  if (!pod->nominated_node_name.empty() && !leaving.empty()) {
    told.summary.push_back(fmt::format(
        "It is already nominated to {}, where {} {} still terminating. The scheduler waits for that "
        "instead of evicting more.",
        pod->nominated_node_name, listed(leaving), leaving.size() == 1 ? "is" : "are"));
  }
}

void summarise(const WhatIf& what_if, Explanation& told) {
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
    case Outcome::kIneligible: summarise_ineligible(what_if, told); break;
    case Outcome::kNominated: summarise_nominated(told); break;
    case Outcome::kNoCandidate: summarise_no_candidate(told); break;
    case Outcome::kError:
      told.summary.push_back(fmt::format("{} cannot be decided: {}", subject(told), told.decision.reason));
      break;
  }
}

// How much is missing, in parts of what is asked for; infinite where it is not a matter of amounts.
double missing_share(const NodeDecision& node) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (!node.tried || !node.emptied_failure || node.emptied_failure->shortfalls.empty()) return kNever;
  double share = 0;
  for (const Shortfall& shortfall : node.emptied_failure->shortfalls) {
    const double missing = static_cast<double>(shortfall.requested) + static_cast<double>(shortfall.used) -
                           static_cast<double>(shortfall.allocatable);
    share = std::max(share, missing / std::max(1.0, static_cast<double>(shortfall.requested)));
  }
  return share;
}

std::optional<NearestMiss> nearest_miss(const Decision& decision) {
  const auto nearest = std::ranges::min_element(decision.nodes, std::ranges::less(), missing_share);
  if (nearest == decision.nodes.end() || missing_share(*nearest) == std::numeric_limits<double>::infinity()) {
    return std::nullopt;
  }
  return NearestMiss{.node = nearest->node, .shortfalls = nearest->emptied_failure->shortfalls};
}

// The final tie, the runner-up, and candidates that equal the runner-up.
std::vector<std::string> leaders(const Decision& decision, const std::vector<std::size_t>& ranking,
                                 const Policy& policy) {
  std::vector<std::string> names = decision.nominated;
  for (std::size_t place = names.size(); place < ranking.size(); ++place) {
    const NodeDecision& runner_up = decision.nodes[ranking[decision.nominated.size()]];
    const NodeDecision& node = decision.nodes[ranking[place]];
    if (compare(*node.key, *runner_up.key, policy.node_order) != 0) break;
    names.push_back(node.node);
  }
  return names;
}

std::vector<std::string> terminating_victims(const Case& question, const Decision& decision) {
  std::vector<std::string> pods;
  for (const NodeDecision& node : decision.nodes) {
    for (const PotentialVictim& victim : node.potential_victims) pods.push_back(victim.pod);
  }
  std::ranges::sort(pods);
  std::vector<std::string> terminating;
  for (const Pod& pod : question.cluster.pods) {
    if (pod.deletion_time_us && std::ranges::binary_search(pods, full_name(pod)))
      terminating.push_back(full_name(pod));
  }
  return terminating;
}

void append(std::vector<Warning>& all, std::vector<Warning> more) {
  for (Warning& warning : more) all.push_back(std::move(warning));
}

}  // namespace

Explanation tell(const Case& question, const Decider& decide, const Options& options) {
  Explanation told;
  told.preemptor = question.preemptor;
  told.policy = question.policy.name;
  told.walk = question.policy.victims == VictimSearch::kGreedy && !question.policy.budgets.guaranteed;
  if (const Pod* pod = find_pod(question.cluster, question.preemptor)) told.priority = pod->priority;
  told.decision = decide(question);
  const Decision& decision = told.decision;
  WhatIf what_if(question, decision, decide, options.work_limit);
  if (decision.outcome == Outcome::kError) {
    summarise(what_if, told);
    return told;
  }
  told.ranking = ranked(decision, question.policy);
  what_if.set_leaders(leaders(decision, told.ranking, question.policy));
  told.node_order = order_nodes(decision, told.ranking);
  told.terminating = terminating_victims(question, decision);
  const BudgetBook book(what_if);
  for (const std::size_t index : told.ranking) {
    told.real_violations[decision.nodes[index].node] = book.violations(decision.nodes[index].victims);
  }

  std::optional<Search> found;
  const NodeDecision* chosen =
      decision.nominated.empty() ? nullptr : find_node(decision, decision.nominated.front());
  if (chosen != nullptr && !chosen->potential_victims.empty()) found = search(*chosen, what_if, book);
  if (decision.outcome == Outcome::kNoCandidate) told.nearest_miss = nearest_miss(decision);
  told.rivalry = rivalry(what_if, told.ranking);
  summarise(what_if, told);

  if (decision.outcome == Outcome::kNominated || decision.outcome == Outcome::kNoCandidate) {
    append(told.warnings, warn_of_required_affinity(what_if));
  }
  if (chosen != nullptr && found) append(told.warnings, warn_of_victims(what_if, *chosen, book, *found));
  append(told.warnings, warn_of_violations(what_if, told.ranking, book));
  if (decision.outcome == Outcome::kNominated) append(told.warnings, warn_of_budget_order(what_if, book));
  append(told.warnings, warn_of_ties(what_if));
  append(told.warnings, warn_of_sampling(question, decision));
  if (!options.victim.empty()) {
    told.victim = answer_about(options.victim, what_if, told.ranking, book, found ? &*found : nullptr);
  }
  if (what_if.exhausted()) {
    told.warnings.push_back(
        {.kind = "partial",
         .text = fmt::format(
             "The cluster is large: the search for the above stopped after {}, so more may be worth "
             "saying.",
             count(static_cast<std::size_t>(what_if.decisions()), "further decision"))});
  }
  told.decisions = 1 + what_if.decisions();
  return told;
}

}  // namespace reprieve::cli::explain
