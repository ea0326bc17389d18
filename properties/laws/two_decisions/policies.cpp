// One case under two policies. Only subjects that tell a story are asked: others follow the policy that they
// are. Catch: a knob that is read in one place and not in the other, a level that counts although it is not
// named.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/fit_exceptions.h"
#include "reprieve/properties/laws/keys.h"
#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"
#include "reprieve/properties/relations/order.h"

namespace reprieve::laws {
namespace {

template <class Change>
Decision ask_under(const Inquiry& inquiry, Change change) {
  Case other = inquiry.question;
  change(other.policy);
  return inquiry.subject.decide(other);
}

bool has_two_levels_and_greedy(const Policy& policy) {
  return policy.node_order.size() >= 2 && policy.victims == VictimSearch::kGreedy;
}

Judgement judge_shorter(const Inquiry& inquiry) {
  if (inquiry.decision.outcome != Outcome::kNominated) return silent();
  const Decision other = ask_under(inquiry, [](Policy& policy) { policy.node_order.pop_back(); });
  for (const std::string& node : inquiry.decision.nominated) {
    if (std::ranges::find(other.nominated, node) == other.nominated.end()) {
      return broken(fmt::format("{} is in the tie, but not when the last level is left out", node));
    }
  }
  return holds();
}

Judgement judge_charging(const Inquiry& inquiry) {
  const auto& budgets = inquiry.question.cluster.budgets;
  if (budgets.empty()) return silent();
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (relations::may_overlap(budgets[i], budgets[k], inquiry.question.cluster)) return silent();
    }
  }
  const Decision other = ask_under(inquiry, [](Policy& policy) {
    const bool every = policy.charging == Charging::kEveryBudget;
    policy.charging = every ? Charging::kUntilViolated : Charging::kEveryBudget;
  });
  return judge_alike(inquiry, without_disrupted_charges(inquiry.decision), without_disrupted_charges(other),
                     options_for(inquiry.subject));
}

bool is_best_effort(const Policy& policy) { return !policy.budgets.guaranteed; }

Judgement judge_idle_guarantee(const Inquiry& inquiry) {
  return judge_alike(inquiry, ask_under(inquiry, [&](Policy& policy) {
                       policy.budgets = {.guaranteed = true,
                                         .below_priority = inquiry.facts.preemptor()->priority};
                     }));
}

Judgement judge_guarantee(const Inquiry& inquiry) {
  if (asks_extenders(inquiry.question)) return silent();
  const Decision other = ask_under(inquiry, [](Policy& policy) { policy.budgets = {.guaranteed = true}; });
  if (other.outcome == Outcome::kError) return silent();
  const bool greedy = inquiry.question.policy.victims == VictimSearch::kGreedy;
  for (const NodeDecision& node : other.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    const NodeDecision* twin = find_node(inquiry.decision, node.node);
    if (twin == nullptr || twin->status != NodeStatus::kCandidate) {
      return broken(node.node + " is a candidate only when no budget may be violated");
    }
    if (greedy && twin->victims != node.victims) {
      return broken(fmt::format("{}: the guarantee changes the victims", node.node));
    }
  }
  if (!greedy || inquiry.question.policy.violations != ViolationCount::kClassified) return holds();
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate || node.violations != 0) continue;
    const NodeDecision* twin = find_node(other, node.node);
    if (twin == nullptr || twin->status != NodeStatus::kCandidate) {
      return broken(node.node + " violates nothing and is no candidate under the guarantee");
    }
  }
  return holds();
}

bool classifies_for_every_budget(const Policy& policy) {
  return policy.victims == VictimSearch::kGreedy && policy.charging == Charging::kEveryBudget &&
         policy.violations == ViolationCount::kClassified && !policy.budgets.guaranteed && !policy.sampling;
}

Judgement judge_actual(const Inquiry& inquiry) {
  if (asks_extenders(inquiry.question) || inquiry.decision.outcome != Outcome::kNominated) return silent();
  const Decision other =
      ask_under(inquiry, [](Policy& policy) { policy.violations = ViolationCount::kActual; });
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    const NodeDecision* twin = find_node(other, node.node);
    if (twin == nullptr || twin->status != NodeStatus::kCandidate || twin->victims != node.victims) {
      return broken(node.node + ": the victims change with how violations are counted");
    }
    if (twin->violations > node.violations) {
      return broken(fmt::format("{}: {} violations are classified, {} are real", node.node, node.violations,
                                twin->violations));
    }
  }
  return holds();
}

// Of victims that tie in importance greedy lists the violating ones first and exact does not; the first
// one's priority is level 2, so they must be of one priority.
bool searches_by_priority(const Policy& policy) {
  return exact(policy) && looks_at_every_node(policy) && !policy.importance.empty() &&
         policy.importance.front() == ImportanceCriterion::kPriority;
}

// Node by node, so that a node is not excused by a better one.
Judgement judge_exact(const Inquiry& inquiry) {
  if (asks_extenders(inquiry.question)) return silent();
  const Decision greedy = ask_under(inquiry, [](Policy& policy) {
    policy.victims = VictimSearch::kGreedy;
    policy.violations = ViolationCount::kActual;
    policy.budgets = {};
  });
  const bool bound = guarantee_binds(inquiry);
  Findings findings;
  for (const NodeDecision& node : greedy.nodes) {
    // What a guarantee forbids, exact may not take either.
    if (node.status != NodeStatus::kCandidate || (bound && node.violations > 0)) continue;
    findings.looked();
    Pods victims;
    for (const std::string& victim : node.victims) victims.push_back(find_pod(inquiry.question, victim));
    const NodeDecision* twin = find_node(inquiry.decision, node.node);
    if (twin == nullptr) continue;  // that every node is told is another law
    if (twin->status != NodeStatus::kCandidate) {
      findings.breach(*twin, std::move(victims),
                      node.node + " is a candidate only when pods are reprieved in order");
      continue;
    }
    const auto key = key_of(inquiry.facts, *twin);
    const auto other = key_of(inquiry.facts, node);
    if (!key || !other) continue;
    const Comparison comparison = compare_keys(inquiry.question.policy.node_order, *key, *other);
    if (comparison.order <= 0) continue;
    findings.breach(
        node, std::move(victims),
        fmt::format("{}: reprieving in order gives a better {} than searching every set of victims",
                    node.node, to_string(*comparison.by)));
  }
  return findings.judgement();
}

}  // namespace

constinit const Law kExactAtMostGreedy = {
    .name = "exact-no-worse-than-greedy",
    .sentence = "On no node is the key of exact victims worse than that of victims reprieved in order.",
    .statement =
        "key(n, exact) <= key(n, greedy), lexicographically by nodeOrder, both with violations: actual; "
        "without extenders",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .needs_story = true,
    .claimed_for = searches_by_priority,
    .claimed_for_text = "victims: exact, importance by priority first, sampling: none",
    .judge = judge_exact,
};

constinit const Law kShorterOrder = {
    .name = "shorter-order-ties-more",
    .sentence = "Without its last level the order has the same winners, and perhaps more.",
    .statement = "tie(levels 1..k) <= tie(levels 1..k-1)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .needs_story = true,
    .claimed_for = has_two_levels_and_greedy,
    .claimed_for_text = "victims: greedy, at least two levels",
    .judge = judge_shorter,
};

constinit const Law kChargingRules = {
    .name = "charging-rules-agree",
    .sentence = "Where no pod is under two budgets both charging rules decide alike.",
    .statement = "no pod under two budgets => decide(c, everyBudget) = decide(c, untilViolated)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_charging,
};

constinit const Law kIdleGuarantee = {
    .name = "idle-guarantee",
    .sentence = "A guarantee that does not bind the preemptor changes nothing.",
    .statement = "priority >= belowPriority => decide(c, guaranteed) = decide(c, bestEffort)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .needs_story = true,
    .claimed_for = is_best_effort,
    .claimed_for_text = "budgets: bestEffort",
    .judge = judge_idle_guarantee,
};

constinit const Law kGuaranteeNarrows = {
    .name = "guarantee-narrows",
    .sentence = "A guarantee takes candidates away and adds none.",
    .statement =
        "candidates(guaranteed) <= candidates(bestEffort); greedy: with equal victims, and with "
        "violations: classified exactly those without violations; without extenders",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .needs_story = true,
    .claimed_for = [](const Policy& policy) { return is_best_effort(policy) && looks_at_every_node(policy); },
    .claimed_for_text = "budgets: bestEffort, sampling: none",
    .judge = judge_guarantee,
};

constinit const Law kActualAtMostClassified = {
    .name = "actual-at-most-classified",
    .sentence = "The violations that are reported are at least the real ones, for the same victims.",
    .statement =
        "victims(classified) = victims(actual), violations(classified) >= violations(actual); without "
        "extenders",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .needs_story = true,
    .claimed_for = classifies_for_every_budget,
    .claimed_for_text = "victims: greedy, charging: everyBudget, violations: classified, budgets: bestEffort",
    .judge = judge_actual,
};

}  // namespace reprieve::laws
