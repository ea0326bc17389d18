#include "reprieve/cli/explain/victim.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kPrioritiesTried = 12;
constexpr std::size_t kNodesListed = 3;

const PotentialVictim* story_of(const NodeDecision& node, const std::string& pod) {
  const auto at = std::ranges::find(node.potential_victims, pod, &PotentialVictim::pod);
  return at == node.potential_victims.end() ? nullptr : &*at;
}

bool has(const std::vector<std::string>& pods, const std::string& pod) {
  return std::ranges::count(pods, pod) > 0;
}

// Why `a` is better than `b`, after "because".
std::string better_by(const CandidateKey& a, const CandidateKey& b, const std::vector<NodeCriterion>& order) {
  for (const NodeCriterion criterion : order) {
    if (compare(a, b, {criterion}) == 0) continue;
    return fmt::format("{} ({} against {})", because(criterion), value_on(a, criterion),
                       value_on(b, criterion));
  }
  return "it is listed first";
}

std::string budgets_in_words(const PotentialVictim& story) {
  std::vector<std::string> parts;
  for (const Charge& charge : story.charges) {
    if (charge.disrupted) continue;
    parts.push_back(charge.left < 0
                        ? fmt::format("{} (exceeded by {})", charge.budget, -std::int64_t{charge.left})
                        : fmt::format("{} (which then still allows {})", charge.budget, charge.left));
  }
  return parts.empty() ? "" : fmt::format("It is charged to {}. ", listed(parts));
}

// Who was put back before it although less important: those classed as violating.
std::vector<const PotentialVictim*> jumped_ahead(const NodeDecision& node, const PotentialVictim& story) {
  std::vector<const PotentialVictim*> ahead;
  for (const PotentialVictim& other : node.potential_victims) {
    if (!other.evicted && other.violating && !story.violating && more_important(story, other))
      ahead.push_back(&other);
  }
  return ahead;
}

void say_why_evicted(const NodeDecision& node, const PotentialVictim& story, const WhatIf& what_if,
                     VictimAnswer& out) {
  const Pod* preemptor = find_pod(what_if.question().cluster, what_if.question().preemptor);
  out.sentences.push_back(fmt::format(
      "{} (priority {}) is evicted from {} to make room for {} (priority {}).", story.pod, story.priority,
      node.node, what_if.question().preemptor, preemptor == nullptr ? 0 : preemptor->priority));
  if (story.not_reprieved) {
    out.sentences.push_back(fmt::format(
        "When its turn came to be spared, {} no longer fit beside it and the pods already put back: {}.",
        what_if.question().preemptor, in_words(*story.not_reprieved)));
  }
  if (story.violating) {
    out.sentences.push_back(budgets_in_words(story) +
                            "So it was among the first to be put back, and there was no room even then. "
                            "Budgets are best effort: eviction by preemption may exceed them.");
  }
  std::vector<std::string> names;
  for (const PotentialVictim* other : jumped_ahead(node, story)) names.push_back(other->pod);
  if (!names.empty()) {
    out.sentences.push_back(fmt::format(
        "{} {} less important but had been put back before it, because evicting {} was classed as violating "
        "a budget.",
        listed(names), names.size() == 1 ? "is" : "are", names.size() == 1 ? "it" : "them"));
  }
}

void list_other_choices(const NodeDecision& node, const PotentialVictim& story, const WhatIf& what_if,
                        const std::vector<std::size_t>& ranking, const BudgetBook& book, const Search* found,
                        VictimAnswer& out) {
  const auto& order = what_if.question().policy.node_order;
  const Decision& decision = what_if.decision();
  if (found != nullptr) {
    const auto set =
        std::ranges::find_if(found->sets, [&](const VictimSet& s) { return !has(s.pods, story.pod); });
    if (set != found->sets.end()) {
      CandidateKey now = *node.key;
      now.violations = book.violations(node.victims);
      const int better = compare(set->key, now, order);
      std::string verdict = " It is equal on every level; the walk did not come to it.";
      if (better > 0)
        verdict = fmt::format(" The choice made is better, because {}.", better_by(now, set->key, order));
      if (better < 0) {
        verdict =
            fmt::format(" That would even be better, because {}; sparing pods one at a time did not find it.",
                        better_by(set->key, now, order));
      }
      out.other_choices.push_back(
          fmt::format("On {} itself, evicting {} makes room too.{}", node.node, listed(set->pods), verdict));
    } else if (found->exhaustive) {
      out.other_choices.push_back(
          fmt::format("On {} no set of lower-priority pods without it makes room ({} decided).", node.node,
                      count(found->subsets, "set")));
    }
  }
  std::size_t listed_nodes = 0;
  for (const std::size_t index : ranking) {
    const NodeDecision& other = decision.nodes[index];
    if (other.node == node.node || has(other.victims, story.pod)) continue;
    if (++listed_nodes > kNodesListed) continue;
    const std::string loss = has(decision.nominated, other.node)
                                 ? "is equal on every level; which of them is taken is arbitrary"
                                 : fmt::format("is worse than {}: of the latter, {}", node.node,
                                               better_by(*node.key, *other.key, order));
    out.other_choices.push_back(fmt::format("{}, evicting {}, {}.", other.node, listed(other.victims), loss));
  }
  if (listed_nodes > kNodesListed)
    out.other_choices.push_back(fmt::format("{} more would have spared it, each worse.",
                                            count(listed_nodes - kNodesListed, "candidate")));
  if (listed_nodes == 0) out.other_choices.push_back("No other node is a candidate.");
}

void try_changes(const NodeDecision& node, const PotentialVictim& story, WhatIf& what_if,
                 const BudgetBook& book, VictimAnswer& out) {
  const Goal spared = [&](const Decision& decision) {
    return std::ranges::none_of(decision.nominated, [&](const std::string& name) {
      const NodeDecision* chosen = find_node(decision, name);
      return chosen != nullptr && has(chosen->victims, story.pod);
    });
  };
  const auto keep = [&](std::optional<Change> change) {
    if (change) out.changes.push_back(std::move(*change));
    return change.has_value();
  };
  const Pick itself = [&](const NodeDecision& now) { return story_of(now, story.pod); };
  keep(with_more_room(what_if, node.node, itself, spared));
  keep(with_larger_budgets(
      what_if, node.node,
      [&](const NodeDecision& now) -> const PotentialVictim* {
        const PotentialVictim* pod = story_of(now, story.pod);
        if (pod == nullptr) return nullptr;
        const auto ahead = jumped_ahead(now, *pod);
        return ahead.empty() ? nullptr : ahead.front();
      },
      spared));
  keep(with_budget_of_zero(what_if, story.pod, book.budgets_of(story.pod), spared));
  // The lowest priority that would have done: above one of the others here, or the preemptor's own.
  std::set<std::int32_t> priorities;
  for (const PotentialVictim& other : node.potential_victims) {
    if (other.priority >= story.priority && other.priority < INT32_MAX) priorities.insert(other.priority + 1);
  }
  const Pod* preemptor = find_pod(what_if.question().cluster, what_if.question().preemptor);
  while (priorities.size() >= kPrioritiesTried) priorities.erase(std::prev(priorities.end()));
  if (preemptor != nullptr) priorities.insert(preemptor->priority);
  for (const std::int32_t priority : priorities) {
    if (keep(with_priority(what_if, {story.pod}, priority, spared))) break;
  }
}

void answer_elsewhere(const Pod& pod, const WhatIf& what_if, VictimAnswer& out) {
  const Decision& decision = what_if.decision();
  const NodeDecision* node = find_node(decision, pod.node_name);
  if (node == nullptr) {
    out.sentences.push_back(fmt::format("It is on {}, which is not in the input.", pod.node_name));
    return;
  }
  if (decision.outcome == Outcome::kNominated) {
    out.sentences.push_back(
        fmt::format("It runs on {}; {} was chosen.", node->node, decision.nominated.front()));
  }
  if (node->status == NodeStatus::kCandidate) {
    const PotentialVictim* story = story_of(*node, out.pod);
    out.sentences.push_back(
        has(node->victims, out.pod)
            ? fmt::format("Had {} been chosen, it would have been evicted.", node->node)
            : fmt::format("Even had {} been chosen, it would have been spared.", node->node));
    const NodeDecision* chosen =
        decision.nominated.empty() ? nullptr : find_node(decision, decision.nominated.front());
    if (story != nullptr && chosen != nullptr && chosen->key && node->key) {
      out.sentences.push_back(
          has(decision.nominated, node->node)
              ? fmt::format("{} is equal to {} on every level, so either can be taken.", node->node,
                            chosen->node)
              : fmt::format("{} was preferred because {}.", chosen->node,
                            better_by(*chosen->key, *node->key, what_if.question().policy.node_order)));
    }
  } else {
    const std::string helps = node->status == NodeStatus::kFits ? "needs no eviction" : "is no candidate";
    out.sentences.push_back(node->reasons.empty()
                                ? fmt::format("{} {}.", node->node, helps)
                                : fmt::format("{} {}: {}.", node->node, helps, listed(node->reasons)));
  }
}

}  // namespace

VictimAnswer answer_about(const std::string& name, WhatIf& what_if, const std::vector<std::size_t>& ranking,
                          const BudgetBook& book, const Search* found) {
  VictimAnswer out{.pod = name};
  const Case& question = what_if.question();
  const Decision& decision = what_if.decision();
  const NodeDecision* chosen =
      decision.nominated.empty() ? nullptr : find_node(decision, decision.nominated.front());
  const Pod* pod = find_pod(question.cluster, name);
  const Pod* preemptor = find_pod(question.cluster, question.preemptor);
  const auto say = [&](std::string fate, std::string sentence) {
    out.fate = std::move(fate);
    out.sentences.push_back(std::move(sentence));
  };

  if (chosen != nullptr && has(chosen->victims, name)) {
    out.fate = "evicted";
    const PotentialVictim* story = story_of(*chosen, name);
    if (story == nullptr) {
      out.sentences.push_back(
          fmt::format("{} is evicted from {} because an extender named it.", name, chosen->node));
      return out;
    }
    say_why_evicted(*chosen, *story, what_if, out);
    if (chosen->key) {
      list_other_choices(*chosen, *story, what_if, ranking, book, found, out);
      try_changes(*chosen, *story, what_if, book, out);
    }
    return out;
  }
  if (pod == nullptr) {
    say("absent", fmt::format("{} is not in the input (or has succeeded or failed).", name));
  } else if (name == question.preemptor) {
    say("preemptor", fmt::format("{} is the pod that wants to be placed.", name));
  } else if (pod->node_name.empty()) {
    say("pending", fmt::format("{} runs on no node: only running pods are evicted.", name));
    if (has(decision.cleared, name))
      out.sentences.push_back("Its nomination is cleared, so that it is scheduled anew.");
  } else if (preemptor != nullptr && pod->priority >= preemptor->priority) {
    say("notLower", fmt::format("{} is not evicted: its priority {} is not below the {} of {}.", name,
                                pod->priority, preemptor->priority, question.preemptor));
  } else if (decision.outcome != Outcome::kNominated) {
    say("noEviction", fmt::format("{} is not evicted: nothing is ({}).", name, to_string(decision.outcome)));
    if (decision.outcome == Outcome::kNoCandidate) answer_elsewhere(*pod, what_if, out);
  } else if (chosen != nullptr && pod->node_name == chosen->node) {
    say("reprieved",
        fmt::format(
            "{} is not evicted. It runs on the chosen node {} and has lower priority, but it was reprieved: "
            "{} fits beside it.",
            name, chosen->node, question.preemptor));
    const PotentialVictim* story = story_of(*chosen, name);
    if (story != nullptr && story->violating) {
      out.sentences.push_back(budgets_in_words(*story) + "So it was among the first to be put back.");
    }
  } else {
    say("onOtherNode", fmt::format("{} is not evicted.", name));
    answer_elsewhere(*pod, what_if, out);
  }
  return out;
}

}  // namespace reprieve::cli::explain
