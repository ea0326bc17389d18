// Warnings about whom the chosen node loses, and about nodes lost to required affinity.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/explain/warnings.h"
#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kNodesTried = 10;  // for required affinity
constexpr const char* kAffinityRules = "node(s) didn't match pod affinity rules";

bool fails_affinity(const std::optional<FilterFailure>& failure) {
  return failure && std::ranges::count(failure->reasons, kAffinityRules) > 0;
}

bool has(const std::vector<std::string>& pods, const std::string& pod) {
  return std::ranges::count(pods, pod) > 0;
}

std::string searched_in_words(const Search& found) {
  const std::string pods = count(found.potential_victims, "lower-priority pod");
  if (found.exhaustive) {
    return fmt::format("all {} of the {}, deciding anew without exactly those",
                       count(found.subsets, "non-empty subset"), pods);
  }
  return fmt::format("{} of the {}, deciding anew without exactly those; there may be better ones",
                     count(found.subsets, "subset"), pods);
}

std::string describe(const PotentialVictim& pod) {
  return fmt::format("{} (priority {}, started {})", pod.pod, pod.priority, start_of(pod.start_time_us));
}

// Whether evicting `set` instead of the victims spares `spared` and takes only less important pods
// in its place.
bool inverts(const WhatIf& what_if, const NodeDecision& chosen, const PotentialVictim& spared,
             const VictimSet& set) {
  if (has(set.pods, spared.pod)) return false;
  return std::ranges::all_of(chosen.potential_victims, [&](const PotentialVictim& other) {
    return other.evicted || !has(set.pods, other.pod) || what_if.more_important(chosen, spared, other);
  });
}

std::string reason_for_inversion(const NodeDecision& chosen, const PotentialVictim& spared,
                                 const VictimSet& set) {
  for (const PotentialVictim& other : chosen.potential_victims) {
    if (other.evicted || !has(set.pods, other.pod) || !other.violating || spared.violating) continue;
    return fmt::format(
        " The cause: {} was classed as violating a budget, and such pods are put back first, whatever their "
        "importance; it then held the room that {} needed.",
        other.pod, spared.pod);
  }
  return {};
}

std::optional<Warning> inversion(WhatIf& what_if, const NodeDecision& chosen, const BudgetBook& book,
                                 const Search& found) {
  const std::int64_t real = book.violations(chosen.victims);
  for (const PotentialVictim& spared : chosen.potential_victims) {
    if (!spared.evicted) continue;
    // Best first: the first that fits the description is the best of its kind.
    const auto at = std::ranges::find_if(
        found.sets, [&](const VictimSet& set) { return inverts(what_if, chosen, spared, set); });
    if (at == found.sets.end()) continue;
    std::vector<std::string> instead;
    for (const std::string& pod : at->pods) {
      if (!has(chosen.victims, pod)) instead.push_back(pod);
    }
    std::string text =
        fmt::format("{} is evicted although less important pods would have done: ", describe(spared));
    if (instead.empty()) {
      // Fewer victims suffice, which no downward-closed filter allows: something like a skew or a
      // patched count made a pod unable to return.
      text += fmt::format("evicting only {} makes room.", listed(at->pods));
    } else if (instead == at->pods) {
      text += fmt::format("evicting only {} makes room as well.", listed(instead));
    } else {
      text += fmt::format("evicting {} makes room as well, with only {} in the place of {}.",
                          listed(at->pods), listed(instead), spared.pod);
    }
    if (at->key.violations > real) {
      text +=
          fmt::format(" That would violate budgets {} times rather than {}; budgets count before importance.",
                      at->key.violations, real);
    } else if (!what_if.question().cluster.budgets.empty()) {
      text += fmt::format(" That would cause {} (the choice made: {}).",
                          count(static_cast<std::size_t>(at->key.violations), "budget violation"), real);
    }
    text += reason_for_inversion(chosen, spared, *at);
    std::vector<std::string> pods = {spared.pod};
    pods.insert(pods.end(), instead.begin(), instead.end());
    return Warning{.kind = "importanceInversion",
                   .text = std::move(text),
                   .searched = searched_in_words(found),
                   .nodes = {chosen.node},
                   .pods = std::move(pods),
                   .alternative = at->pods};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Warning> warn_of_victims(WhatIf& what_if, const NodeDecision& chosen, const BudgetBook& book,
                                     const Search& found) {
  std::vector<Warning> warnings;
  // What an extender made of the victims is not for the walk to answer.
  for (const PotentialVictim& victim : chosen.potential_victims) {
    if (victim.evicted != has(chosen.victims, victim.pod)) return warnings;
  }
  if (auto warning = inversion(what_if, chosen, book, found)) warnings.push_back(std::move(*warning));
  std::vector<const PotentialVictim*> victims;
  for (const PotentialVictim& victim : chosen.potential_victims) {
    if (victim.evicted) victims.push_back(&victim);
  }
  if (found.sets.empty() || victims.empty()) return warnings;
  const VictimSet& best = found.sets.front();
  // The same set again would be the same news.
  if (!warnings.empty() && warnings.front().alternative == best.pods) return warnings;
  const CandidateKey now = book.key_of(chosen.node, chosen.victims);
  for (const NodeCriterion criterion : what_if.question().policy.node_order) {
    const int better = compare(best.key, now, {criterion});
    if (better == 0) continue;
    if (better > 0) break;
    warnings.push_back(
        {.kind = "betterVictims",
         .text = fmt::format(
             "Other victims on {} would have been the better choice by the scheduler's own levels: evicting "
             "{} makes room too ({}: {} against {}). The scheduler puts pods back one at a time and does "
             "not look back.",
             chosen.node, listed(best.pods), in_words(criterion), value_on(best.key, criterion),
             value_on(now, criterion)),
         .searched = searched_in_words(found),
         .nodes = {chosen.node},
         .pods = best.pods,
         .alternative = best.pods});
    break;
  }
  return warnings;
}

std::vector<Warning> warn_of_required_affinity(WhatIf& what_if) {
  std::vector<Warning> warnings;
  std::size_t tried = 0;
  for (const NodeDecision& node : what_if.decision().nodes) {
    if (!node.tried || !fails_affinity(node.emptied_failure) || ++tried > kNodesTried) continue;
    PodSet all;
    for (const PotentialVictim& victim : node.potential_victims) all.insert(victim.pod);
    // With one pod kept and all others gone: does the affinity hold again?
    std::vector<std::string> needed;
    bool would_fit = false;
    for (const PotentialVictim& kept : node.potential_victims) {
      PodSet gone = all;
      gone.erase(kept.pod);
      const auto without = what_if.node_without(node.node, gone);
      if (!without || fails_affinity(without->filter_failure)) continue;
      needed.push_back(kept.pod);
      would_fit = would_fit || without->status == NodeStatus::kFits;
    }
    if (needed.empty()) continue;
    std::string text = fmt::format(
        "Priority inversion: {} requires affinity to {}, which {} lower priority and {} on {}. The scheduler "
        "first takes "
        "every lower-priority pod off a node; the affinity is then unmet, so {} cannot be preempted for it.",
        what_if.question().preemptor, listed(needed), needed.size() == 1 ? "has" : "have",
        needed.size() == 1 ? "runs" : "run", node.node, node.node);
    if (would_fit) {
      text += fmt::format(" Evicting only the other lower-priority pods there would have made room.");
    }
    warnings.push_back({.kind = "requiredAffinity",
                        .text = std::move(text),
                        .searched = fmt::format("{} kept one at a time, all others removed",
                                                count(node.potential_victims.size(), "lower-priority pod")),
                        .nodes = {node.node},
                        .pods = needed});
  }
  return warnings;
}

}  // namespace reprieve::cli::explain
