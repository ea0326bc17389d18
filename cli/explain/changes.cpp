#include "reprieve/cli/explain/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr int kRounds = 8;

void add_allocatable(Node& node, const std::string& resource, std::int64_t value) {
  Quantity& quantity = node.allocatable[resource];
  quantity = quantity + (resource == "cpu" ? quantity_from_milli(value) : Quantity{.units = value});
}

std::string room_in_words(const std::map<std::string, std::int64_t>& room) {
  std::vector<std::string> parts;
  for (const auto& [resource, value] : room)
    parts.push_back(fmt::format("{} more {}", amount(resource, value), resource));
  return listed(parts);
}

std::optional<Change> tried(WhatIf& what_if, std::string kind, std::string text, const Goal& goal,
                            const std::function<void(Case&)>& change, const std::string& affected = {}) {
  const auto decision = what_if.after(change, affected);
  if (!decision || !goal(*decision)) return std::nullopt;
  return Change{std::move(kind), std::move(text), in_words(*decision)};
}

// The one node that all of these pods are on; empty when there is none.
std::string node_of(const WhatIf& what_if, const std::vector<std::string>& pods) {
  std::string node;
  for (const std::string& name : pods) {
    const Pod* pod = find_pod(what_if.question().cluster, name);
    if (pod == nullptr || (!node.empty() && pod->node_name != node)) return {};
    node = pod->node_name;
  }
  return node;
}

}  // namespace

std::string in_words(const Decision& decision) {
  if (decision.outcome == Outcome::kFits) {
    const auto fitting = std::ranges::find(decision.nodes, NodeStatus::kFits, &NodeDecision::status);
    return fitting == decision.nodes.end() ? "nothing is evicted"
                                           : fmt::format("{} fits without any eviction", fitting->node);
  }
  if (decision.outcome != Outcome::kNominated || decision.nominated.empty()) {
    switch (decision.outcome) {
      case Outcome::kIneligible: return "nobody is evicted, because it may not preempt";
      case Outcome::kError: return "the attempt ends with an error";
      default: return "nobody is evicted, because eviction makes room nowhere";
    }
  }
  const NodeDecision* chosen = find_node(decision, decision.nominated.front());
  std::string text = decision.nominated.front();
  if (decision.nominated.size() > 1) text = "one of " + listed(decision.nominated);
  return fmt::format("{} is chosen, evicting {}", text, chosen ? listed(chosen->victims) : "");
}

std::optional<Change> with_more_room(WhatIf& what_if, const std::string& node, const Pick& pick,
                                     const Goal& goal) {
  std::map<std::string, std::int64_t> room;
  Decision now = what_if.decision();
  for (int round = 0; round < kRounds; ++round) {
    const NodeDecision* story = find_node(now, node);
    const PotentialVictim* victim = story == nullptr ? nullptr : pick(*story);
    if (victim == nullptr || !victim->not_reprieved || victim->not_reprieved->shortfalls.empty())
      return std::nullopt;
    for (const Shortfall& shortfall : victim->not_reprieved->shortfalls) {
      const std::int64_t missing = shortfall.requested - (shortfall.allocatable - shortfall.used);
      if (missing <= 0 || missing > INT64_MAX / 4) return std::nullopt;
      room[shortfall.resource] += missing;
    }
    auto next = what_if.after(
        [&](Case& question) {
          for (Node& changed : question.cluster.nodes) {
            if (changed.name != node) continue;
            for (const auto& [resource, value] : room) add_allocatable(changed, resource, value);
          }
        },
        node);
    if (!next) return std::nullopt;
    if (goal(*next))
      return Change{"room", fmt::format("{} had {}", node, room_in_words(room)), in_words(*next)};
    now = std::move(*next);
  }
  return std::nullopt;
}

std::optional<Change> with_larger_budgets(WhatIf& what_if, const std::string& node, const Pick& pick,
                                          const Goal& goal) {
  std::map<std::string, std::int32_t> more;
  Decision now = what_if.decision();
  for (int round = 0; round < kRounds; ++round) {
    const NodeDecision* story = find_node(now, node);
    const PotentialVictim* victim = story == nullptr ? nullptr : pick(*story);
    if (victim == nullptr) return std::nullopt;
    bool raised = false;
    for (const Charge& charge : victim->charges) {
      if (charge.disrupted || charge.left >= 0 || charge.left < -10'000) continue;
      more[charge.budget] -= charge.left;
      raised = true;
    }
    if (!raised) return std::nullopt;
    auto next = what_if.after([&](Case& question) {
      for (DisruptionBudget& budget : question.cluster.budgets) {
        const auto at = more.find(budget.namespace_ + "/" + budget.name);
        if (at != more.end() && budget.disruptions_allowed < INT32_MAX / 2)
          budget.disruptions_allowed += at->second;
      }
    });
    if (!next) return std::nullopt;
    if (goal(*next)) {
      std::vector<std::string> parts;
      for (const auto& [budget, value] : more) {
        parts.push_back(fmt::format("budget {} allowed {} more", budget,
                                    count(static_cast<std::size_t>(value), "disruption")));
      }
      return Change{"budget", listed(parts), in_words(*next)};
    }
    now = std::move(*next);
  }
  return std::nullopt;
}

std::optional<Change> with_budget_of_zero(WhatIf& what_if, const std::string& pod,
                                          const std::vector<std::string>& budgets, const Goal& goal) {
  const Pod* selected = find_pod(what_if.question().cluster, pod);
  if (selected == nullptr) return std::nullopt;
  if (budgets.empty()) {
    if (selected->labels.empty()) return std::nullopt;
    return tried(
        what_if, "budget", fmt::format("a budget selected {} by its labels and allowed no disruption", pod),
        goal, [&](Case& question) {
          question.cluster.budgets.push_back({.namespace_ = selected->namespace_,
                                              .name = "reprieve-explain-what-if",
                                              .selector = LabelSelector{.match_labels = selected->labels}});
        });
  }
  std::vector<std::string> lowered;
  for (const DisruptionBudget& budget : what_if.question().cluster.budgets) {
    const std::string name = budget.namespace_ + "/" + budget.name;
    if (budget.disruptions_allowed > 0 && std::ranges::count(budgets, name) > 0) lowered.push_back(name);
  }
  if (lowered.empty()) return std::nullopt;
  const std::string text =
      fmt::format("budget{} {} allowed no disruption", lowered.size() == 1 ? "" : "s", listed(lowered));
  return tried(what_if, "budget", text, goal, [&](Case& question) {
    for (DisruptionBudget& budget : question.cluster.budgets) {
      if (std::ranges::count(lowered, budget.namespace_ + "/" + budget.name) > 0)
        budget.disruptions_allowed = 0;
    }
  });
}

std::optional<Change> with_priority(WhatIf& what_if, const std::vector<std::string>& pods,
                                    std::int32_t priority, const Goal& goal) {
  return tried(
      what_if, "priority", fmt::format("{} had priority {}", listed(pods), priority), goal,
      [&](Case& question) {
        for (const std::string& name : pods) {
          if (Pod* pod = find_pod(question.cluster, name)) pod->priority = priority;
        }
      },
      node_of(what_if, pods));
}

std::optional<Change> with_least_priority(WhatIf& what_if, const std::string& pod, std::int32_t from,
                                          std::int32_t enough, const Goal& goal) {
  auto found = with_priority(what_if, {pod}, enough, goal);
  if (!found) return std::nullopt;
  // The goal need not hold for every priority above one that is enough, so both ends are decided.
  std::int64_t fails = from;
  std::int64_t holds = enough;
  while (holds - fails > 1) {
    const std::int64_t middle = fails + (holds - fails) / 2;
    auto better = with_priority(what_if, {pod}, static_cast<std::int32_t>(middle), goal);
    if (better) {
      holds = middle;
      found = std::move(better);
    } else if (what_if.exhausted()) {
      return found;
    } else {
      fails = middle;
    }
  }
  found->text += holds == enough ? fmt::format(", as high as {}", what_if.question().preemptor)
                                 : fmt::format(" ({} is not enough)", fails);
  return found;
}

std::optional<Change> with_start(WhatIf& what_if, const std::vector<std::string>& pods, TimeUs start_us,
                                 const Goal& goal) {
  return tried(
      what_if, "startTime", fmt::format("{} had started at {}", listed(pods), start_of(start_us)), goal,
      [&](Case& question) {
        for (const std::string& name : pods) {
          if (Pod* pod = find_pod(question.cluster, name)) pod->start_time_us = start_us;
        }
      },
      node_of(what_if, pods));
}

}  // namespace reprieve::cli::explain
