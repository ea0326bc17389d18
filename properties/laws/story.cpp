// Whether each node's story agrees with the cluster, with the policy and with the answer.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/one_decision.h"
#include "reprieve/properties/laws/sampling.h"
#include "reprieve/reference/requests.h"

namespace reprieve::laws {
namespace {

bool tells_of(const PotentialVictim& told, const Pod* pod) {
  return told.pod == full_name(*pod) && told.priority == pod->priority &&
         told.start_time_us == pod->start_time_us;
}

Judgement potential_victims_are_told(const Inquiry& inquiry) {
  Findings findings;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* node = inquiry.facts.told_of(i);
    if (node == nullptr) continue;
    if (!node->tried) {
      if (node->potential_victims.empty()) continue;
      findings.breach(*node, {}, fmt::format("{} was not tried and has potential victims", node->node));
      continue;
    }
    findings.looked();
    const Pods& expected = inquiry.facts.by_importance(i);
    if (std::ranges::equal(node->potential_victims, expected, tells_of)) continue;
    findings.breach(*node, expected,
                    fmt::format("{}: {} potential victims are told, {} pods are less important; or their "
                                "order, priorities or start times differ",
                                node->node, node->potential_victims.size(), expected.size()));
  }
  return findings.judgement();
}

Judgement evicted_are_the_victims(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    findings.looked();
    std::vector<std::string> evicted;
    for (const PotentialVictim& pod : node.potential_victims) {
      if (pod.evicted) evicted.push_back(pod.pod);
    }
    std::vector<std::string> victims = node.victims;
    std::ranges::sort(evicted);
    std::ranges::sort(victims);
    if (evicted == victims) continue;
    findings.breach(node, {},
                    fmt::format("{}: {} victims, but {} potential victims are told as evicted", node.node,
                                victims.size(), evicted.size()));
  }
  return findings.judgement();
}

// What is wrong with the story of a node; empty: nothing.
std::string_view contradiction(const NodeDecision& node, VictimSearch search) {
  if ((node.status == NodeStatus::kFits) == node.filter_failure.has_value()) {
    return "a filter failed exactly when the node did not fit at first";
  }
  if (!node.tried) {
    if (node.emptied_failure) return "it was not tried, and a filter failed there with everybody gone";
    return node.filter_failure && node.reasons != node.filter_failure->reasons
               ? "its reasons are not those of the filter that failed"
               : "";
  }
  if (node.emptied_failure && node.reasons != node.emptied_failure->reasons) {
    return "its reasons are not those that remain with everybody gone";
  }
  if (node.potential_victims.empty() &&
      node.reasons != std::vector<std::string>{"No preemption victims found for incoming pod"}) {
    return "it has no potential victims, and its reasons do not say so";
  }
  for (const PotentialVictim& pod : node.potential_victims) {
    if (node.emptied_failure && pod.evicted) return "somebody is evicted, although that does not help";
    if (pod.not_reprieved && !pod.evicted) return "somebody is spared, and it is told why not";
    if (search == VictimSearch::kGreedy && pod.evicted && !pod.not_reprieved) {
      return "somebody is evicted, and it is not told why";
    }
    if (pod.not_reprieved && pod.not_reprieved->reasons.empty())
      return "a pod was not put back for no reason";
  }
  return "";
}

Judgement stories_are_consistent(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    findings.looked();
    const std::string_view what = contradiction(node, inquiry.question.policy.victims);
    if (!what.empty()) findings.breach(node, {}, fmt::format("{}: {}", node.node, what));
  }
  return findings.judgement();
}

Judgement what_might_help_is_tried(const Inquiry& inquiry) {
  const Outcome outcome = inquiry.decision.outcome;
  const bool preempts = outcome == Outcome::kNominated || outcome == Outcome::kNoCandidate;
  Findings findings;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* node = inquiry.facts.told_of(i);
    if (node == nullptr) continue;
    const auto& refusal = inquiry.facts.refusal_as_it_stands(i);
    const bool might_help = preempts && refusal && !refusal->unresolvable;
    if (might_help || node->tried) findings.looked();
    if (might_help == node->tried) continue;
    findings.breach(*node, {},
                    fmt::format("{} is {}tried; the filters say {}", node->node, node->tried ? "" : "not ",
                                refusal ? refusal->text : "that it fits"));
  }
  return findings.judgement();
}

// The shortfalls of a failure against what is asked and what the node has; empty: they add up.
std::string wrong_shortfall(const FilterFailure& failure, const reference::Amounts& asked,
                            const reference::Amounts& allocatable) {
  for (const Shortfall& shortfall : failure.shortfalls) {
    const std::string& name = shortfall.resource;
    if (name == "pods") continue;  // counted, not asked for
    const auto wanted = asked.find(name);
    const auto there = allocatable.find(name);
    const std::int64_t total = there == allocatable.end() ? 0 : there->second;
    if (wanted == asked.end() || wanted->second != shortfall.requested) return name + " is not what is asked";
    if (total != shortfall.allocatable) return name + " is not what the node has";
    // 128 bits are not needed: shortfalls of a valid cluster are sums of its quantities.
    if (shortfall.used <= total - shortfall.requested) return name + " is not short";
  }
  return {};
}

Judgement shortfalls_add_up(const Inquiry& inquiry) {
  std::optional<reference::Amounts> asked;
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    std::vector<const FilterFailure*> failures;
    if (node.filter_failure) failures.push_back(&*node.filter_failure);
    if (node.emptied_failure) failures.push_back(&*node.emptied_failure);
    for (const PotentialVictim& pod : node.potential_victims) {
      if (pod.not_reprieved) failures.push_back(&*pod.not_reprieved);
    }
    const auto place = inquiry.facts.find_node(node.node);
    std::optional<reference::Amounts> allocatable;
    for (const FilterFailure* failure : failures) {
      if (failure->shortfalls.empty() || !place) continue;
      findings.looked();
      if (!asked) asked = reference::asked_by(*inquiry.facts.preemptor());
      if (!allocatable) allocatable = reference::rounded(inquiry.question.cluster.nodes[*place].allocatable);
      const std::string what = wrong_shortfall(*failure, *asked, *allocatable);
      if (!what.empty()) findings.breach(node, {}, fmt::format("{}: {}", node.node, what));
    }
  }
  return findings.judgement();
}

bool behind_the_sample(const Inquiry& inquiry, const Breach& breach) {
  if (!inquiry.question.policy.sampling || breach.node->tried) return false;
  // An extender's answer hides what the walk found, and with it where it ended.
  return asks_extenders(inquiry) || std::ranges::count(walk(inquiry).after, breach.node) > 0;
}

constexpr std::array kRewritten = {Exception{.name = "extenders-answer",
                                             .when = "An extender said who the victims are.",
                                             .covers = in_extenders_answer,
                                             .smallest = "an-extender-may-evict-a-more-important-pod.yaml"}};
constexpr std::array kSampled = {
    Exception{.name = "behind-the-sample",
              .when = "The policy samples, and the walk ended before it came to the node.",
              .covers = behind_the_sample,
              .smallest = "laws/a-node-behind-the-sample-is-not-tried.yaml"}};

}  // namespace

// Catches a dry run that forgets a pod, takes one of equal priority, or sorts by another criterion.
constinit const Law kPotentialVictimsAreTold = {
    .name = "potential-victims-are-the-less-important-pods",
    .sentence =
        "The potential victims of a node that is tried are its pods of lower priority, in order of "
        "importance; of another node none are told.",
    .statement =
        "tried(n) => potentialVictims(n) = sort {p | node(p) = n and priority(p) < priority(preemptor)}",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = potential_victims_are_told,
};

// Catches victims that are not those of the walk.
constinit const Law kEvictedAreTheVictims = {
    .name = "the-evicted-are-the-victims",
    .sentence = "The victims of a candidate are the potential victims that were not reprieved.",
    .statement = "victims(n) = {p in potentialVictims(n) | evicted(p)}",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kRewritten,
    .judge = evicted_are_the_victims,
};

// Catches an explanation that is put together from another node's or another step's failures.
constinit const Law kStoriesAreConsistent = {
    .name = "a-story-does-not-contradict-itself",
    .sentence =
        "What is told of a node agrees: its status, its reasons, the filters that failed and who was put "
        "back.",
    .statement =
        "reasons(n) = reasons of the failure that decided its status; evicted(p) <=> a filter failed when p "
        "was put back",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = stories_are_consistent,
};

// Catches a scheduler that tries unresolvable nodes, or stops before the last.
constinit const Law kWhatMightHelpIsTried = {
    .name = "every-node-where-eviction-might-help-is-tried",
    .sentence = "Tried are exactly the nodes whose first failing filter says that eviction might help.",
    .statement = "outcome in {nominated, no-candidate} => (tried(n) <=> filters(n) = unschedulable)",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kSampled,
    .judge = what_might_help_is_tried,
};

// Catches an arithmetic that overflows, rounds each container, or takes the limit for the request.
constinit const Law kShortfallsAddUp = {
    .name = "shortfalls-add-up",
    .sentence =
        "A resource that is told to be short is asked for by the preemptor, and the node does not have that "
        "much left.",
    .statement = "requested = asked(preemptor), allocatable = allocatable(n), used + requested > allocatable",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = shortfalls_add_up,
};

}  // namespace reprieve::laws
