// Warnings about what the answer hangs on and nobody chose: how violations are counted, the order of
// budgets, ties, sampling.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "reprieve/cli/explain/changes.h"
#include "reprieve/cli/explain/warnings.h"
#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kOrdersTried = 24;

// Which node and which victims; the order of victims is that of importance and may tie.
std::pair<std::string, std::set<std::string>> answer(const Decision& decision) {
  if (decision.outcome != Outcome::kNominated || decision.nominated.empty())
    return {std::string(to_string(decision.outcome)), {}};
  const NodeDecision* chosen = find_node(decision, decision.nominated.front());
  if (chosen == nullptr) return {decision.nominated.front(), {}};
  return {chosen->node, {chosen->victims.begin(), chosen->victims.end()}};
}

// Other orders of n things: all of them up to four, else reversed, rotated, and each put first.
std::vector<std::vector<std::size_t>> orders_of(std::size_t n) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  const std::vector<std::size_t> given = order;
  std::vector<std::vector<std::size_t>> orders;
  if (n <= 4) {
    while (std::ranges::next_permutation(order).found) orders.push_back(order);
    return orders;
  }
  const auto add = [&](const std::vector<std::size_t>& candidate) {
    if (orders.size() < kOrdersTried && candidate != given && std::ranges::count(orders, candidate) == 0) {
      orders.push_back(candidate);
    }
  };
  add({given.rbegin(), given.rend()});
  for (std::size_t i = 1; i < n; ++i) {
    order = given;
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i),
                order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    add(order);
    order = given;
    std::ranges::rotate(order, order.begin() + static_cast<std::ptrdiff_t>(i));
    add(order);
  }
  return orders;
}

// Budgets that select a potential victim together with another budget: only their order can matter.
std::vector<std::string> overlapping_budgets(const Decision& decision, const BudgetBook& book) {
  std::set<std::string> overlapping;
  for (const NodeDecision& node : decision.nodes) {
    for (const PotentialVictim& victim : node.potential_victims) {
      const auto& budgets = book.budgets_of(victim.pod);
      if (budgets.size() > 1) overlapping.insert(budgets.begin(), budgets.end());
    }
  }
  return {overlapping.begin(), overlapping.end()};
}

// Positions of the pods in the cluster, reversed in place.
void reverse_pods(Cluster& cluster, const std::vector<std::string>& names) {
  const std::set<std::string_view> wanted(names.begin(), names.end());
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < cluster.pods.size(); ++i) {
    if (wanted.contains(full_name(cluster.pods[i]))) at.push_back(i);
  }
  for (std::size_t i = 0; i < at.size() / 2; ++i)
    std::swap(cluster.pods[at[i]], cluster.pods[at[at.size() - 1 - i]]);
}

std::string equal_in_words(const Policy& policy) {
  std::string text;
  for (const ImportanceCriterion criterion : policy.importance) {
    text += fmt::format("{}same {}", text.empty() ? "" : ", ", in_words(criterion));
  }
  return text;
}

// Runs of equally important potential victims of a node.
std::vector<std::vector<std::string>> ties_of(const WhatIf& what_if, const NodeDecision& node) {
  std::vector<std::vector<std::string>> ties;
  const auto& pods = node.potential_victims;
  for (std::size_t i = 0; i < pods.size();) {
    std::size_t end = i + 1;
    while (end < pods.size() && !what_if.more_important(node, pods[i], pods[end])) ++end;
    if (end - i > 1) {
      ties.emplace_back();
      for (; i < end; ++i) ties.back().push_back(pods[i].pod);
    }
    i = end;
  }
  return ties;
}

}  // namespace

std::vector<Warning> warn_of_violations(WhatIf& what_if, const std::vector<std::size_t>& ranking,
                                        const BudgetBook& book) {
  std::vector<Warning> warnings;
  const Decision& decision = what_if.decision();
  if (what_if.question().policy.violations == ViolationCount::kActual) return warnings;
  std::vector<CandidateKey> real_keys;
  for (const std::size_t index : ranking) {
    const NodeDecision& node = decision.nodes[index];
    real_keys.push_back(*node.key);
    real_keys.back().violations = book.violations(node.victims);
  }
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    const NodeDecision& node = decision.nodes[ranking[i]];
    const std::int64_t real = real_keys[i].violations;
    if (real == node.violations) continue;
    // Source: filterPodsWithPDBViolation (default_preemption.go), before the reprieve; in 1.37 it
    // leaves a pod's remaining budgets alone once one is exceeded.
    std::string text = fmt::format(
        "{} is counted with {}, but evicting exactly its victims violates {}. {}", node.node,
        count(static_cast<std::size_t>(node.violations), "budget violation"),
        real == 0 ? "none" : std::to_string(real),
        real < node.violations
            ? "Pods are charged to budgets before it is known who stays, as if all of them were evicted."
            : "Charging a pod stops at the first budget that it exceeds; those behind it are not charged.");
    const bool chosen = i == 0;
    const bool would_win =
        !chosen && compare(real_keys[i], real_keys[0], what_if.question().policy.node_order) < 0;
    if (would_win)
      text += fmt::format(" Counted truly, it would be better than {}.", decision.nominated.front());
    // Other candidates matter only where the count cost them the choice.
    if (!chosen && !would_win) continue;
    warnings.push_back(
        {.kind = "violationsReported", .text = std::move(text), .nodes = {node.node}, .pods = node.victims});
    if (warnings.size() == 3) break;
  }
  return warnings;
}

std::vector<Warning> warn_of_budget_order(WhatIf& what_if, const BudgetBook& book) {
  if (what_if.question().policy.charging != Charging::kUntilViolated) return {};
  const std::vector<std::string> budgets = overlapping_budgets(what_if.decision(), book);
  if (budgets.size() < 2) return {};
  const auto now = answer(what_if.decision());
  std::size_t decided = 0;
  std::size_t differing = 0;
  Warning warning{.kind = "budgetOrder", .budgets = budgets};
  const auto orders = orders_of(budgets.size());
  for (const std::vector<std::size_t>& order : orders) {
    std::vector<std::string> names;
    std::vector<std::string> used;
    const auto other = what_if.after([&](Case& question) {
      std::vector<DisruptionBudget>& all = question.cluster.budgets;
      std::vector<std::size_t> slots;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::ranges::binary_search(budgets, all[i].namespace_ + "/" + all[i].name)) slots.push_back(i);
      }
      if (slots.size() != order.size()) return;
      const std::vector<DisruptionBudget> before = all;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        used.push_back(before[slots[i]].namespace_ + "/" + before[slots[i]].name);
        all[slots[i]] = before[slots[order[i]]];
        names.push_back(all[slots[i]].namespace_ + "/" + all[slots[i]].name);
      }
    });
    if (!other) break;
    ++decided;
    if (answer(*other) == now) continue;
    if (++differing == 1) {
      warning.text = fmt::format(
          "The answer depends on the order in which budgets are charged, which the real scheduler takes from "
          "a map, so at random at each attempt. Used here was the order of the input ({}). In the order {}: "
          "{}.",
          listed(used), listed(names), in_words(*other));
      warning.nodes = other->nominated;
    }
  }
  if (differing == 0) return {};
  warning.searched = fmt::format("{} of {} that select the same pods{}; {} gave another answer",
                                 count(decided, "other order"), count(budgets.size(), "budget"),
                                 budgets.size() <= 4 ? " (every one)" : "", differing);
  return {warning};
}

std::vector<Warning> warn_of_ties(WhatIf& what_if) {
  std::vector<Warning> warnings;
  const Decision& decision = what_if.decision();
  if (decision.nominated.size() > 1) {
    warnings.push_back(
        {.kind = "nodeTie",
         .text = fmt::format(
             "{} are equal on every level. The real scheduler then takes any of them; here it is the "
             "first in the order of the input.",
             listed(decision.nominated)),
         .nodes = decision.nominated});
  }
  const auto now = answer(decision);
  std::size_t tried = 0;
  for (const NodeDecision& node : decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    for (const std::vector<std::string>& tie : ties_of(what_if, node)) {
      if (++tried > kOrdersTried) return warnings;
      const auto other =
          what_if.after([&](Case& question) { reverse_pods(question.cluster, tie); }, node.node);
      if (!other || answer(*other) == now) continue;
      std::string text = fmt::format(
          "{} on {} are equally important ({}). Which of them is put back first is "
          "arbitrary: here it was the first in the order of the input; in the opposite order {}.",
          listed(tie), node.node, equal_in_words(what_if.question().policy), in_words(*other));
      if (node.potential_victims.size() > 12)
        text += " (The real scheduler's sort does not keep the order of equals beyond 12 pods.)";
      warnings.push_back({.kind = "importanceTie",
                          .text = std::move(text),
                          .searched = "decided once more with these pods in the opposite order",
                          .nodes = {node.node},
                          .pods = tie});
    }
  }
  return warnings;
}

std::vector<Warning> warn_of_release(WhatIf& what_if) {
  const Release here = what_if.question().policy.release;
  const Release other = here == Release::k1_37 ? Release::k1_36 : Release::k1_37;
  const auto decision = what_if.whole([&](Case& question) {
    // A policy with the charging of its release follows the other release in that too.
    if (question.policy.charging == kubernetes_policy(here).charging)
      question.policy.charging = kubernetes_policy(other).charging;
    question.policy.release = other;
  });
  if (!decision || answer(*decision) == answer(what_if.decision())) return {};
  return {
      {.kind = "releaseDiffers",
       .text = fmt::format("kube-scheduler {} decides otherwise: {}.", to_string(other), in_words(*decision)),
       .searched = "decided once more by the rules of that release",
       .nodes = decision->nominated}};
}

std::vector<Warning> warn_of_sampling(const Case& question, const Decision& decision) {
  if (question.policy.sampling || decision.outcome != Outcome::kNominated) return {};
  const auto potential =
      static_cast<std::size_t>(std::ranges::count(decision.nodes, true, &NodeDecision::tried));
  // Source: default_preemption.go calculateNumCandidates, with the default arguments (10 %, 100).
  const std::size_t enough = std::max<std::size_t>(potential / 10, 100);
  if (potential <= enough) return {};
  return {
      {.kind = "sampling",
       .text = fmt::format("Every node was looked at here. The real scheduler may stop once it holds {} of "
                           "the {} nodes where "
                           "eviction might help, starting from a random one, and then choose another node.",
                           count(enough, "candidate"), potential)}};
}

}  // namespace reprieve::cli::explain
