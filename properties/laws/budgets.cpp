// Charging and violations: the story of the charges, and what the number means.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/fit_exceptions.h"
#include "reprieve/properties/laws/one_decision.h"

namespace reprieve::laws {
namespace {

Pods evicted_of(const Inquiry& inquiry, const NodeDecision& node) {
  Pods pods;
  for (const PotentialVictim& victim : node.potential_victims) {
    const Pod* pod = victim.evicted ? inquiry.facts.find_pod(victim.pod) : nullptr;
    if (pod != nullptr) pods.push_back(pod);
  }
  return pods;
}

// The charges of one pod as a story tells them.
std::vector<Charge> as_told(const Cluster& cluster, const ChargedPod& charged) {
  std::vector<Charge> told;
  for (const BudgetCharge& charge : charged.charges) {
    const DisruptionBudget& budget = cluster.budgets[charge.budget];
    const std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
    told.push_back({.budget = budget.namespace_ + "/" + budget.name,
                    .left = static_cast<std::int32_t>(std::max(charge.left, lowest)),
                    .disrupted = charge.disrupted});
  }
  return told;
}

Judgement charges_add_up(const Inquiry& inquiry) {
  const Case& question = inquiry.question;
  Findings findings;
  for (std::size_t i = 0; i < question.cluster.nodes.size(); ++i) {
    const NodeDecision* node = inquiry.facts.told_of(i);
    // Nothing is charged where not even evicting everybody helps.
    if (node == nullptr || node->potential_victims.empty() || node->emptied_failure) continue;
    findings.looked();
    const bool alone = question.policy.victims == VictimSearch::kExact;
    const std::vector<ChargedPod> charged =
        alone ? charge(question.cluster, question.policy.charging, evicted_of(inquiry, *node))
              : inquiry.facts.classed(i);
    for (const PotentialVictim& told : node->potential_victims) {
      const Pod* pod = inquiry.facts.find_pod(told.pod);
      const auto entry = std::ranges::find(charged, pod, &ChargedPod::pod);
      const ChargedPod expected = entry == charged.end() ? ChargedPod{} : *entry;
      if (told.violating == expected.violating && told.charges == as_told(question.cluster, expected))
        continue;
      findings.breach(*node, {pod},
                      fmt::format("{}: {} is told to be {} and should be {}, or its charges differ",
                                  node->node, told.pod, told.violating ? "violating" : "not violating",
                                  expected.violating ? "violating" : "not"));
    }
  }
  return findings.judgement();
}

bool contains(const Pods& pods, const Pod* pod) { return std::ranges::find(pods, pod) != pods.end(); }

// A candidate with the victims as pods, in the order in which step 3 sorts them.
struct Chosen {
  const NodeDecision* node;
  std::size_t place;
  Pods victims;
};

std::vector<Chosen> candidates_of(const Inquiry& inquiry) {
  std::vector<Chosen> candidates;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* node = inquiry.facts.told_of(i);
    if (node == nullptr || node->status != NodeStatus::kCandidate || !inquiry.facts.victims_on(i)) continue;
    Chosen& chosen = candidates.emplace_back(Chosen{.node = node, .place = i, .victims = {}});
    for (const Pod* pod : inquiry.facts.by_importance(i)) {
      if (contains(*inquiry.facts.victims_on(i), pod)) chosen.victims.push_back(pod);
    }
  }
  return candidates;
}

std::int64_t classed_violating(const Inquiry& inquiry, const Chosen& candidate) {
  return std::ranges::count_if(inquiry.facts.classed(candidate.place), [&](const ChargedPod& pod) {
    return pod.violating && contains(candidate.victims, pod.pod);
  });
}

std::int64_t real_violations(const Inquiry& inquiry, Charging rule, const Pods& victims) {
  return count_violating(charge(inquiry.question.cluster, rule, victims));
}

Judgement violations_are_counted(const Inquiry& inquiry) {
  const Policy& policy = inquiry.question.policy;
  Findings findings;
  for (const Chosen& candidate : candidates_of(inquiry)) {
    findings.looked();
    const std::int64_t expected = policy.violations == ViolationCount::kActual || exact(policy)
                                      ? real_violations(inquiry, policy.charging, candidate.victims)
                                      : classed_violating(inquiry, candidate);
    if (candidate.node->violations == expected) continue;
    findings.breach(*candidate.node, candidate.victims,
                    fmt::format("{}: {} violations are told, and {} counted", candidate.node->node,
                                candidate.node->violations, expected));
  }
  return findings.judgement();
}

Judgement violations_are_not_hidden(const Inquiry& inquiry) {
  Findings findings;
  for (const Chosen& candidate : candidates_of(inquiry)) {
    const std::int64_t real = real_violations(inquiry, Charging::kEveryBudget, candidate.victims);
    if (real > 0) findings.looked();
    if (candidate.node->violations >= real) continue;
    findings.breach(
        *candidate.node, candidate.victims,
        fmt::format("{}: {} violations are told, but evicting the victims violates budgets {} times",
                    candidate.node->node, candidate.node->violations, real));
  }
  return findings.judgement();
}

Judgement violations_are_victims(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate && node.violations == 0) continue;
    findings.looked();
    if (node.violations >= 0 && node.violations <= static_cast<std::int64_t>(node.victims.size())) continue;
    findings.breach(
        node, {},
        fmt::format("{}: {} violations by {} victims", node.node, node.violations, node.victims.size()));
  }
  return findings.judgement();
}

// If everybody who is classed violating can stay, everybody does.
Judgement zero_is_found(const Inquiry& inquiry) {
  Findings findings;
  for (const Chosen& candidate : candidates_of(inquiry)) {
    Pods harmless;
    const std::vector<ChargedPod>& classed = inquiry.facts.classed(candidate.place);
    for (const ChargedPod& pod : classed) {
      if (!pod.violating) harmless.push_back(pod.pod);
    }
    if (harmless.size() == classed.size()) continue;
    findings.looked();
    if (candidate.node->violations == 0 || !inquiry.facts.fits_without(candidate.place, harmless)) continue;
    findings.breach(*candidate.node, harmless,
                    fmt::format("{}: {} violations, but the preemptor fits with every violating pod in place",
                                candidate.node->node, candidate.node->violations));
  }
  return findings.judgement();
}

bool puts_violations_first(const Policy& policy) {
  return greedy(policy) ||
         (!policy.node_order.empty() && policy.node_order.front() == NodeCriterion::kPdbViolations);
}

// Charging stops at the first budget below zero, so a pod of several budgets may spend too little.
bool stops_charging_early(const Inquiry& inquiry, const Breach& breach) {
  if (inquiry.question.policy.charging != Charging::kUntilViolated) return false;
  const auto place = inquiry.facts.find_node(breach.node->node);
  return std::ranges::any_of(inquiry.facts.classed(*place), [&](const ChargedPod& pod) {
    const auto& budgets = inquiry.question.cluster.budgets;
    const auto all = std::ranges::count_if(
        budgets, [&](const DisruptionBudget& budget) { return selects(budget, *pod.pod); });
    return static_cast<std::int64_t>(pod.charges.size()) < all;
  });
}

constexpr Exception kExtenders(std::string_view smallest) {
  return {.name = "extenders-answer",
          .when = "An extender said how many budgets are violated.",
          .covers = in_extenders_answer,
          .smallest = smallest};
}
constexpr std::array kCountedByExtender = {
    kExtenders("laws/an-extender-tells-a-violation-that-is-none.yaml")};
constexpr std::array kMoreThanVictims = {
    kExtenders("laws/an-extender-tells-more-violations-than-victims.yaml")};
constexpr std::array kZeroExceptions = {
    kExtenders("laws/an-extender-tells-a-violation-that-is-none.yaml"),
    a_volume_is_shared_with_a_pod_put_back_later(
        "laws/a-violation-could-be-spared-once-the-sharer-of-a-volume-is-back.yaml"),
    claim_users_are_patched("laws/a-violating-user-of-a-claim-of-that-name-elsewhere-must-go-too.yaml"),
};
constexpr std::array kHidden = {
    kExtenders("laws/an-extender-hides-a-violation.yaml"),
    Exception{.name = "charging-until-violated",
              .when = "Charging stops at the first budget below zero, and a pod of the node is under more.",
              .covers = stops_charging_early,
              .smallest = "budget-order-a-before-b.yaml"}};

}  // namespace

// Catches a shared budget that is counted per pod, a disrupted pod that is charged twice, the other
// release's rule, the wrong order of charging, and a selector that is taken for another (empty, absent,
// invalid; another namespace; a pod without labels).
constinit const Law kChargesAddUp = {
    .name = "charges-add-up",
    .sentence =
        "Every potential victim is charged, in order of importance, to the budgets that select it, and is "
        "violating when that takes one below zero.",
    .statement = "charges(p) and violating(p) are those of charging p after all that are more important",
    .theorem = "engine-charge-step-1.36, engine-charge-step-1.37",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = charges_add_up,
};

// Catches a count that is made before the reprieve, one per budget instead of one per pod, and a count
// that is lost on the way through an extender.
constinit const Law kViolationsAreCounted = {
    .name = "violations-are-the-violating-victims",
    .sentence =
        "The violations told are the victims that were classed violating, or under violations: actual those "
        "that really violate.",
    .statement = "violations(n) = |{v in victims(n) | violating(v)}|",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kCountedByExtender,
    .judge = violations_are_counted,
};

// Catches a node that looks better at level 1 than it is.
constinit const Law kViolationsAreNotHidden = {
    .name = "reported-violations-are-at-least-the-real-ones",
    .sentence =
        "No fewer violations are told than evicting the victims really makes, each charged to every budget "
        "that selects it.",
    .statement =
        "violations(n) >= |{v in victims(n) | charging victims(n) alone takes a budget of v below zero at "
        "v}|",
    .theorem = "reported-not-below-real-1.36",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kHidden,
    .judge = violations_are_not_hidden,
};

// Catches a count that runs over budgets or over every potential victim.
constinit const Law kViolationsAreVictims = {
    .name = "no-more-violations-than-victims",
    .sentence = "A candidate has no more violations than victims, and no other node has any.",
    .statement = "0 <= violations(n) <= |victims(n)|",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kMoreThanVictims,
    .judge = violations_are_victims,
};

// Catches a reprieve that puts the harmless pods back first, so that violating ones no longer fit.
constinit const Law kZeroIsFound = {
    .name = "zero-violations-are-found",
    .sentence = "When the preemptor fits with every violating pod in place, no violation is told.",
    .statement = "fits(n without {p | not violating(p)}) => violations(n) = 0",
    .theorem = "engine-zero-is-found, reference-zero-is-found",
    .claimed_for = puts_violations_first,
    .claimed_for_text = "victims: greedy; victims: exact with pdbViolations first in nodeOrder",
    .exceptions = kZeroExceptions,
    .judge = zero_is_found,
};

}  // namespace reprieve::laws
