#include "reprieve/cli/explain/victim.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kNodesListed = 3;

const PotentialVictim* story_of(const NodeDecision& node, const std::string& pod) {
  const auto at = std::ranges::find(node.potential_victims, pod, &PotentialVictim::pod);
  return at == node.potential_victims.end() ? nullptr : &*at;
}

bool has(const std::vector<std::string>& pods, const std::string& pod) {
  return std::ranges::count(pods, pod) > 0;
}

std::string extenders_in_words(const Facts& facts) {
  return facts.extenders.size() == 1 ? "extender " + facts.extenders.front() : "an extender";
}

// How two sets of victims or nodes differ on the first level that separates them: "their priorities add
// up to ...".
std::string difference_in_words(const CandidateKey& a, const CandidateKey& b,
                                const std::vector<NodeCriterion>& order, std::string_view name_a,
                                std::string_view name_b, bool first_listed) {
  for (const NodeCriterion criterion : order) {
    if (compare(a, b, {criterion}) == 0) continue;
    const std::string x = value_on(a, criterion);
    const std::string y = value_on(b, criterion);
    switch (criterion) {
      case NodeCriterion::kPdbViolations:
        return fmt::format("{} counts {} budget violations, {} {}", name_a, x, name_b, y);
      case NodeCriterion::kHighestPriority:
        return fmt::format("the {} victim of {} has priority {}, that of {} has {}",
                           first_listed ? "first listed" : "most important", name_a, x, name_b, y);
      case NodeCriterion::kPrioritySum:
        return fmt::format("the priorities of the victims of {} add up to {}, of {} to {}", name_a, x, name_b,
                           y);
      case NodeCriterion::kVictimCount:
        return fmt::format("{} takes {} victims, {} {}", name_a, x, name_b, y);
      case NodeCriterion::kLatestStart:
        return fmt::format("the most important victims of {} started at {}, of {} at {}", name_a, x, name_b,
                           y);
      case NodeCriterion::kRequestedShare:
        return fmt::format("the victims of {} hold {} of the node, of {} {}", name_a, x, name_b, y);
      case NodeCriterion::kBudgetsTouched:
        return fmt::format("{} touches {} budgets, {} {}", name_a, x, name_b, y);
    }
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
  return parts.empty()
             ? ""
             : fmt::format("It is charged to {}, so evicting it counts as a violation.", listed(parts));
}

// Who was put back before it although less important: those classed as violating.
std::vector<const PotentialVictim*> jumped_ahead(const WhatIf& what_if, const NodeDecision& node,
                                                 const PotentialVictim& story) {
  std::vector<const PotentialVictim*> ahead;
  for (const PotentialVictim& other : node.potential_victims) {
    if (!other.evicted && other.violating && !story.violating && what_if.more_important(node, story, other))
      ahead.push_back(&other);
  }
  return ahead;
}

// "It was put back 2nd, after default/large, which stays".
std::string turn_in_words(const NodeDecision& node, const PotentialVictim& story) {
  const auto at = static_cast<std::size_t>(&story - node.potential_victims.data());
  const std::vector<std::string> before = back_before(node, at);
  std::string text = fmt::format("Its turn to be put back was the {}", ordinal(turns(node)[at]));
  if (before.empty()) return text;
  return text + fmt::format(", after {}, which {}", listed(before), before.size() == 1 ? "stays" : "stay");
}

void say_why_evicted(const NodeDecision& node, const PotentialVictim& story, const WhatIf& what_if,
                     const Facts& facts, bool walk, VictimAnswer& out) {
  out.sentences.push_back(
      fmt::format("{} (priority {}) is evicted from {} to make room for {} (priority {}).", story.pod,
                  story.priority, node.node, facts.preemptor, facts.priority));
  if (!story.evicted) {
    out.sentences.push_back(
        fmt::format("The dry run itself spared it; {} put it on the list.", extenders_in_words(facts)));
    return;
  }
  if (walk) out.sentences.push_back(turn_in_words(node, story) + ".");
  if (story.not_reprieved) {
    std::vector<std::string> gone;
    const auto at = static_cast<std::size_t>(&story - node.potential_victims.data());
    const std::vector<std::string> back = back_before(node, at);
    for (const PotentialVictim& other : node.potential_victims) {
      if (&other != &story && !has(back, other.pod)) gone.push_back(other.pod);
    }
    out.sentences.push_back(fmt::format("With it back, {} no longer fitted: {}.", facts.preemptor,
                                        in_words(*story.not_reprieved, facts, node.node, gone)));
  }
  if (!walk) {
    out.sentences.push_back(
        "Of all sets of lower-priority pods whose eviction makes room, the one evicted is the best by the "
        "policy's levels.");
    if (story.violating) out.sentences.push_back(budgets_in_words(story));
  } else if (story.violating) {
    out.sentences.push_back(
        budgets_in_words(story) +
        " Such pods are put back before the others, but budgets are best effort: eviction by "
        "preemption may exceed them.");
  }
  std::vector<std::string> names;
  for (const PotentialVictim* other : jumped_ahead(what_if, node, story)) names.push_back(other->pod);
  if (!names.empty()) {
    out.sentences.push_back(fmt::format(
        "{} {} less important but had been put back before it, because evicting {} was classed as violating "
        "a budget.",
        listed(names), names.size() == 1 ? "is" : "are", names.size() == 1 ? "it" : "them"));
  }
}

// What its staying costs: those of the victims that could stay if it were evicted.
std::vector<std::string> paid_for_by(const NodeDecision& node, const std::string& pod, WhatIf& what_if) {
  PodSet gone(node.victims.begin(), node.victims.end());
  gone.insert(pod);
  std::vector<std::string> saved;
  for (const std::string& victim : node.victims) {
    PodSet fewer = gone;
    fewer.erase(victim);
    if (fewer.size() == 0 || !what_if.fits_without(node.node, fewer)) continue;
    gone = std::move(fewer);
    saved.push_back(victim);
  }
  return saved;
}

void list_other_choices(const NodeDecision& node, const PotentialVictim& story, const WhatIf& what_if,
                        const Facts& facts, const std::vector<std::size_t>& ranking, const BudgetBook& book,
                        const Search* found, VictimAnswer& out) {
  const auto& order = what_if.question().policy.node_order;
  const Decision& decision = what_if.decision();
  if (found != nullptr) {
    const auto set =
        std::ranges::find_if(found->sets, [&](const VictimSet& s) { return !has(s.pods, story.pod); });
    if (set != found->sets.end()) {
      CandidateKey now = *node.key;
      now.violations = book.violations(node.victims);
      const int better = compare(set->key, now, order);
      const bool walk = what_if.question().policy.victims == VictimSearch::kGreedy;
      std::string verdict =
          walk ? " It is equal on every level; the walk did not come to it."
               : " It is equal on every level; of equal sets the one that spares the most important pods is "
                 "taken.";
      const std::string how = difference_in_words(set->key, now, order, "that choice", "the choice made",
                                                  lists_another_first(facts, node));
      if (better > 0) verdict = fmt::format(" That is worse: {}.", how);
      if (better < 0) {
        verdict = fmt::format(
            " That would even be better: {}; putting pods back one at a time did not find it.", how);
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
    const std::string loss =
        has(decision.nominated, other.node)
            ? "is equal on every level; which of them is taken is arbitrary"
            : "is worse: " +
                  difference_in_words(*other.key, *node.key, order, other.node, node.node,
                                      lists_another_first(facts, other) || lists_another_first(facts, node));
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
        const auto ahead = jumped_ahead(what_if, now, *pod);
        return ahead.empty() ? nullptr : ahead.front();
      },
      spared));
  keep(with_budget_of_zero(what_if, story.pod, book.budgets_of(story.pod), spared));
  const Pod* preemptor = find_pod(what_if.question().cluster, what_if.question().preemptor);
  if (preemptor != nullptr && preemptor->priority > story.priority)
    keep(with_least_priority(what_if, story.pod, story.priority, preemptor->priority, spared));
}

void answer_elsewhere(const Pod& pod, const WhatIf& what_if, const Facts& facts, VictimAnswer& out) {
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
  if (effect_of_extenders(*node).dropped) {
    out.sentences.push_back(fmt::format("{} was dropped by {}; the dry run would have evicted {} there.",
                                        node->node, extenders_in_words(facts),
                                        listed(found_by_dry_run(*node))));
  } else if (node->status == NodeStatus::kCandidate) {
    const PotentialVictim* story = story_of(*node, out.pod);
    out.sentences.push_back(has(node->victims, out.pod)
                                ? fmt::format("Had {} been chosen, it would have been evicted.", node->node)
                                : fmt::format("Even had {} been chosen, it would have stayed.", node->node));
    const NodeDecision* chosen =
        decision.nominated.empty() ? nullptr : find_node(decision, decision.nominated.front());
    if (story != nullptr && chosen != nullptr && chosen->key && node->key) {
      out.sentences.push_back(
          has(decision.nominated, node->node)
              ? fmt::format("{} is equal to {} on every level, so either can be taken.", node->node,
                            chosen->node)
              : fmt::format("{} was preferred: {}.", chosen->node,
                            difference_in_words(
                                *chosen->key, *node->key, what_if.question().policy.node_order, chosen->node,
                                node->node,
                                lists_another_first(facts, *chosen) || lists_another_first(facts, *node))));
    }
  } else {
    const std::string helps = node->status == NodeStatus::kFits ? "needs no eviction" : "is no candidate";
    out.sentences.push_back(node->reasons.empty()
                                ? fmt::format("{} {}.", node->node, helps)
                                : fmt::format("{} {}: {}.", node->node, helps, listed(node->reasons)));
  }
}

std::string_view why_no_eviction(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFits: return "none is needed";
    case Outcome::kIneligible: return "it may not preempt";
    case Outcome::kNoCandidate: return "eviction makes room nowhere";
    case Outcome::kNominated:
    case Outcome::kError: break;
  }
  return "the attempt ends with an error";
}

void say_why_it_stays(const NodeDecision& chosen, const std::string& name, const Facts& facts, bool walk,
                      WhatIf& what_if, VictimAnswer& out) {
  const PotentialVictim* story = story_of(chosen, name);
  if (story != nullptr && story->evicted) {
    out.fate = "sparedByExtender";
    out.sentences.push_back(fmt::format(
        "{} is not evicted. The dry run would have evicted it from {}, but {} named other victims there: {}.",
        name, chosen.node, extenders_in_words(facts), listed(chosen.victims)));
    return;
  }
  out.fate = "reprieved";
  out.sentences.push_back(fmt::format(
      "{} is not evicted: it runs on the chosen node {} and has lower priority, but {} fits beside it.", name,
      chosen.node, facts.preemptor));
  if (story == nullptr) return;
  if (walk) out.sentences.push_back(turn_in_words(chosen, *story) + ".");
  if (story->violating) {
    out.sentences.push_back(budgets_in_words(*story) + " Such pods are put back before the others.");
  }
  const std::vector<std::string> saved = paid_for_by(chosen, name, what_if);
  if (!saved.empty()) {
    out.sentences.push_back(
        fmt::format("Its staying is paid for by {}, which could stay if it were evicted.", listed(saved)));
  }
}

}  // namespace

std::string_view fate_in_words(std::string_view fate) {
  if (fate == "reprieved") return "stays";
  if (fate == "onOtherNode") return "not evicted, it runs on another node";
  if (fate == "notLower") return "not evicted, its priority is not lower";
  if (fate == "noEviction") return "not evicted, nothing is";
  if (fate == "sparedByExtender") return "spared by an extender";
  if (fate == "preemptor") return "the pod to be placed";
  if (fate == "pending") return "not evicted, it runs nowhere";
  return fate;
}

VictimAnswer answer_about(const std::string& name, WhatIf& what_if, const Facts& facts,
                          const std::vector<std::size_t>& ranking, const BudgetBook& book,
                          const Search* found) {
  VictimAnswer out{.pod = name};
  const Case& question = what_if.question();
  const Decision& decision = what_if.decision();
  const bool walk = question.policy.victims == VictimSearch::kGreedy;
  const NodeDecision* chosen =
      decision.nominated.empty() ? nullptr : find_node(decision, decision.nominated.front());
  const Pod* pod = find_pod(question.cluster, name);
  const auto say = [&](std::string fate, std::string sentence) {
    out.fate = std::move(fate);
    out.sentences.push_back(std::move(sentence));
  };

  if (chosen != nullptr && has(chosen->victims, name)) {
    out.fate = "evicted";
    const PotentialVictim* story = story_of(*chosen, name);
    if (story == nullptr) {
      out.sentences.push_back(
          fmt::format("{}{} is evicted from {} because {} named it; {} has priority {}, so preemption by "
                      "itself takes only "
                      "pods below that.",
                      name, pod == nullptr ? "" : fmt::format(" (priority {})", pod->priority), chosen->node,
                      extenders_in_words(facts), facts.preemptor, facts.priority));
      return out;
    }
    say_why_evicted(*chosen, *story, what_if, facts, walk, out);
    if (chosen->key) {
      list_other_choices(*chosen, *story, what_if, facts, ranking, book, found, out);
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
  } else if (pod->priority >= facts.priority) {
    say("notLower", fmt::format("{} is not evicted: its priority {} is not below the {} of {}.", name,
                                pod->priority, facts.priority, question.preemptor));
  } else if (decision.outcome != Outcome::kNominated) {
    say("noEviction", fmt::format("{} is not evicted: {}.", name, why_no_eviction(decision.outcome)));
    if (decision.outcome == Outcome::kNoCandidate) answer_elsewhere(*pod, what_if, facts, out);
  } else if (chosen != nullptr && pod->node_name == chosen->node) {
    say_why_it_stays(*chosen, name, facts, walk, what_if, out);
  } else {
    say("onOtherNode", fmt::format("{} is not evicted.", name));
    answer_elsewhere(*pod, what_if, facts, out);
  }
  return out;
}

}  // namespace reprieve::cli::explain
