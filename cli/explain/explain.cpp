#include "reprieve/cli/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

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

std::map<std::string, std::vector<std::string>, std::less<>> skipped_budgets(const Decision& decision,
                                                                             const BudgetBook& book) {
  std::map<std::string, std::vector<std::string>, std::less<>> skipped;
  for (const NodeDecision& node : decision.nodes) {
    for (const PotentialVictim& victim : node.potential_victims) {
      if (!victim.violating) continue;  // charging goes on until then
      for (const std::string& budget : book.budgets_of(victim.pod)) {
        if (std::ranges::find(victim.charges, budget, &Charge::budget) == victim.charges.end())
          skipped[victim.pod].push_back(budget);
      }
    }
  }
  return skipped;
}

bool is_kubernetes(const Policy& policy) {
  Policy own = kubernetes_policy(policy.release);
  own.name = policy.name;
  own.sampling = policy.sampling;
  return policy == own;
}

void append(std::vector<Warning>& all, std::vector<Warning> more) {
  for (Warning& warning : more) all.push_back(std::move(warning));
}

}  // namespace

Explanation tell(const Case& question, const Decider& decide, const Options& options) {
  Explanation told;
  told.preemptor = question.preemptor;
  told.policy = question.policy.name;
  told.walk = question.policy.victims == VictimSearch::kGreedy;
  told.own_policy = !is_kubernetes(question.policy);
  if (const Pod* pod = find_pod(question.cluster, question.preemptor)) told.priority = pod->priority;
  told.release = question.policy.release;
  told.stops_charging = question.policy.charging == Charging::kUntilViolated;
  told.decision = decide(question);
  told.facts = facts_of(question, told.decision);
  const Decision& decision = told.decision;
  WhatIf what_if(question, decision, decide, options.work_limit);
  if (decision.outcome == Outcome::kError) {
    const auto without = question.extenders.empty()
                             ? std::optional<Decision>()
                             : what_if.whole([](Case& changed) { changed.extenders.clear(); });
    told.ended_by_extender = without.has_value();
    summarise(question, told);
    told.decisions = 1 + what_if.decisions();
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

  // The search for the optimum charges victims alone, so what it leaves out is not what it passes over.
  if (told.stops_charging && told.walk) told.not_charged = skipped_budgets(decision, book);

  std::optional<Search> found;
  const NodeDecision* chosen =
      decision.nominated.empty() ? nullptr : find_node(decision, decision.nominated.front());
  if (chosen != nullptr && !chosen->potential_victims.empty()) found = search(*chosen, what_if, book);
  if (decision.outcome == Outcome::kNoCandidate) told.nearest_miss = nearest_miss(decision);
  told.rivalry = rivalry(what_if, told.facts, told.ranking);

  // The optimum is sought among all sets of victims, so neither affinity nor importance is lost on it.
  if (told.walk && (decision.outcome == Outcome::kNominated || decision.outcome == Outcome::kNoCandidate)) {
    append(told.warnings, warn_of_required_affinity(what_if));
  }
  if (told.walk && chosen != nullptr && found)
    append(told.warnings, warn_of_victims(what_if, *chosen, book, *found));
  append(told.warnings, warn_of_extenders(what_if, told.facts, told.ranking));
  if (chosen != nullptr) append(told.warnings, warn_of_ports(what_if, told.facts, *chosen));
  append(told.warnings, warn_of_violations(what_if, told.ranking, book));
  if (decision.outcome == Outcome::kNominated) append(told.warnings, warn_of_budget_order(what_if, book));
  append(told.warnings, warn_of_ties(what_if));
  append(told.warnings, warn_of_release(what_if));
  append(told.warnings, warn_of_sampling(question, decision));
  summarise(question, told);
  if (!options.victim.empty()) {
    told.victim =
        answer_about(options.victim, what_if, told.facts, told.ranking, book, found ? &*found : nullptr);
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
