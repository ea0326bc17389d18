// Who may be a victim, and how victims are listed.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/importance.h"
#include "reprieve/properties/laws/one_decision.h"

namespace reprieve::laws {
namespace {

Judgement victims_run_on_the_node(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    for (const std::string& name : node.victims) {
      findings.looked();
      const Pod* victim = inquiry.facts.find_pod(name);
      if (victim == nullptr) {
        findings.breach(node, {}, fmt::format("{}: there is no pod {}", node.node, name));
      } else if (victim->node_name != node.node) {
        findings.breach(node, {victim},
                        fmt::format("{}: the victim {} runs on \"{}\"", node.node, name, victim->node_name));
      }
    }
  }
  return findings.judgement();
}

Judgement victims_have_lower_priority(const Inquiry& inquiry) {
  Findings findings;
  const std::int32_t priority = inquiry.facts.preemptor()->priority;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    for (const std::string& name : node.victims) {
      const Pod* victim = inquiry.facts.find_pod(name);
      if (victim == nullptr) continue;
      findings.looked();
      if (victim->priority < priority) continue;
      findings.breach(node, {victim},
                      fmt::format("{}: the victim {} has priority {}, the preemptor {}", node.node, name,
                                  victim->priority, priority));
    }
  }
  return findings.judgement();
}

Judgement victims_are_listed_once(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.victims.size() < 2) continue;
    findings.looked();
    for (auto at = node.victims.begin(); at != node.victims.end(); ++at) {
      if (std::find(at + 1, node.victims.end(), *at) == node.victims.end()) continue;
      findings.breach(node, {}, fmt::format("{}: the victim {} is listed twice", node.node, *at));
      break;
    }
  }
  return findings.judgement();
}

Judgement victims_by_importance(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.victims.size() < 2) continue;
    const auto place = inquiry.facts.find_node(node.node);
    const auto pods = inquiry.facts.find_pods(node.victims);
    if (!place || !pods) continue;
    findings.looked();
    const Policy& policy = inquiry.question.policy;
    const auto victims = listed(policy, inquiry.question.cluster.nodes[*place], *pods);
    const auto wrong = std::ranges::adjacent_find(
        victims, [&](const Listed& a, const Listed& b) { return compare_importance(policy, a, b) > 0; });
    if (wrong == victims.end()) continue;
    findings.breach(node, {wrong->pod, (wrong + 1)->pod},
                    fmt::format("{}: {} is listed before {}, which is more important", node.node,
                                full_name(*wrong->pod), full_name(*(wrong + 1)->pod)));
  }
  return findings.judgement();
}

constexpr std::string_view kExtendersName = "extenders-answer";
constexpr std::string_view kExtendersWhen = "An extender said who the victims are.";
constexpr std::array kAnyPriority = {
    Exception{.name = kExtendersName,
              .when = kExtendersWhen,
              .covers = in_extenders_answer,
              .smallest = "an-extender-may-evict-a-more-important-pod.yaml"}};
constexpr std::array kAnyTimes = {Exception{.name = kExtendersName,
                                            .when = kExtendersWhen,
                                            .covers = in_extenders_answer,
                                            .smallest = "laws/an-extender-lists-a-pod-twice.yaml"}};
constexpr std::array kAnyOrder = {
    Exception{.name = kExtendersName,
              .when = kExtendersWhen,
              .covers = in_extenders_answer,
              .smallest = "level-2-reads-the-first-victim-that-an-extender-lists.yaml"}};

}  // namespace

// Catches a scheduler that takes the victims of one node for those of another, or one that has left.
constinit const Law kVictimsRunOnTheNode = {
    .name = "victims-run-on-the-node",
    .sentence = "A victim is a pod of the cluster and runs on the node it is to make room on.",
    .statement = "v in victims(n) => node(v) = n",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = victims_run_on_the_node,
};

// Catches a dry run that takes off pods of equal priority (<= for <).
constinit const Law kVictimsHaveLowerPriority = {
    .name = "victims-have-lower-priority",
    .sentence = "A victim has lower priority than the preemptor.",
    .statement = "v in victims(n) => priority(v) < priority(preemptor)",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kAnyPriority,
    .judge = victims_have_lower_priority,
};

// Catches a walk that takes a pod off for each group that it is in.
constinit const Law kVictimsAreListedOnce = {
    .name = "victims-are-listed-once",
    .sentence = "No pod is listed twice among the victims of a node.",
    .statement = "i != j => victims(n)[i] != victims(n)[j]",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kAnyTimes,
    .judge = victims_are_listed_once,
};

// Catches a scheduler that leaves the violating victims in front of the others (upstream's fault before
// victims were sorted again), which then misleads level 2.
constinit const Law kVictimsByImportance = {
    .name = "victims-by-importance",
    .sentence = "Victims are listed in order of importance.",
    .statement = "i < j => not moreImportant(victims(n)[j], victims(n)[i])",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kAnyOrder,
    .judge = victims_by_importance,
};

}  // namespace reprieve::laws
