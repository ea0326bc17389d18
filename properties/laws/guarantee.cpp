// A policy that guarantees budgets, KEP-3280's wish: what it promises, and whom it refuses.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/fit_exceptions.h"
#include "reprieve/properties/laws/one_decision.h"

namespace reprieve::laws {
namespace {

constexpr std::string_view kWithoutCandidate = "no candidate without violating a PodDisruptionBudget";

Judgement guarantee_is_kept(const Inquiry& inquiry) {
  if (!guarantee_binds(inquiry)) return silent();
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    const auto place = inquiry.facts.find_node(node.node);
    if (!place || node.status != NodeStatus::kCandidate) continue;
    findings.looked();
    Pods victims;
    for (const Pod* pod : inquiry.facts.by_importance(*place)) {
      if (std::ranges::find(node.victims, full_name(*pod)) != node.victims.end()) victims.push_back(pod);
    }
    const Case& question = inquiry.question;
    const auto violating = count_violating(charge(question.cluster, question.policy.charging, victims));
    if (node.violations == 0 && violating == 0) continue;
    findings.breach(node, std::move(victims),
                    fmt::format("{} is a candidate with {} violations told and {} real ones", node.node,
                                node.violations, violating));
  }
  return findings.judgement();
}

Judgement refusals_are_needed(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (!refused_for_budgets(node)) continue;
    findings.looked();
    const auto place = inquiry.facts.find_node(node.node);
    if (!guarantee_binds(inquiry) || !place) {
      findings.breach(node, {}, fmt::format("{} is refused for budgets that nobody guarantees", node.node));
      continue;
    }
    Pods harmless;
    for (const ChargedPod& pod : inquiry.facts.classed(*place)) {
      if (!pod.violating) harmless.push_back(pod.pod);
    }
    if (!inquiry.facts.fits_without(*place, harmless)) continue;
    findings.breach(node, std::move(harmless),
                    fmt::format("{} is refused for budgets, but the preemptor fits with every violating pod "
                                "in place",
                                node.node));
  }
  return findings.judgement();
}

// The extenders left nothing of the candidates that there were.
bool had_candidates(const Inquiry& inquiry) {
  return asks_extenders(inquiry) && std::ranges::any_of(inquiry.decision.nodes, [](const NodeDecision& node) {
           return !refused_for_budgets(node) &&
                  std::ranges::any_of(node.potential_victims, &PotentialVictim::evicted);
         });
}

Judgement no_candidate_says_why(const Inquiry& inquiry) {
  const Decision& decision = inquiry.decision;
  if (decision.outcome != Outcome::kNoCandidate) return silent();
  const bool refused = std::ranges::any_of(decision.nodes, refused_for_budgets);
  const std::string_view expected = refused && !had_candidates(inquiry) ? kWithoutCandidate : "";
  if (decision.reason != expected) {
    return broken(fmt::format("the reason should be '{}' and is '{}'", expected, decision.reason));
  }
  return refused ? holds() : silent();
}

bool guarantees(const Policy& policy) { return policy.budgets.guaranteed; }

constexpr std::array kNotBound = {Exception{.name = "extenders-answer",
                                            .when = "An extender said who the victims are.",
                                            .covers = in_extenders_answer,
                                            .smallest = "laws/an-extender-is-bound-by-no-guarantee.yaml"}};
constexpr std::array kNeededExceptions = {
    a_volume_is_shared_with_a_pod_put_back_later(
        "laws/a-guarantee-refuses-before-the-sharer-of-a-volume-is-back.yaml"),
    claim_users_are_patched("laws/a-guarantee-refuses-for-a-claim-of-that-name-elsewhere.yaml"),
};

}  // namespace

// Catches a guarantee that counts by the classes and not by the victims, binds the wrong preemptors, or is
// asked before the last violating pod is put back.
constinit const Law kGuaranteeIsKept = {
    .name = "a-guarantee-is-kept",
    .sentence = "Under guaranteed budgets, where they bind the preemptor, no candidate violates any.",
    .statement = "guaranteed and priority(preemptor) < belowPriority => violations(n) = 0, told and charged",
    .theorem = "tested only",
    .claimed_for = guarantees,
    .claimed_for_text = "budgets: guaranteed",
    .exceptions = kNotBound,
    .judge = guarantee_is_kept,
};

// Catches a guarantee that refuses a node because a violating pod was in question, though it could stay.
constinit const Law kRefusalsAreNeeded = {
    .name = "budgets-refuse-only-what-would-violate-them",
    .sentence =
        "A node is refused for budgets only where they are guaranteed, and only if the preemptor does not "
        "fit with every violating pod in place.",
    .statement =
        "reasons(n) = {evicting would violate a PodDisruptionBudget} => guaranteed and not fits(n without {p "
        "| not violating(p)})",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kNeededExceptions,
    .judge = refusals_are_needed,
};

// Catches an outcome that does not say that budgets are in the way, or says so when extenders are.
constinit const Law kNoCandidateSaysWhy = {
    .name = "no-candidate-says-when-budgets-are-why",
    .sentence =
        "Without a candidate the decision says that budgets are in the way exactly when a node was refused "
        "for them.",
    .statement =
        "outcome = no-candidate => (reason != {} <=> some n was refused for budgets, and step 3 left no "
        "candidate)",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = no_candidate_says_why,
};

}  // namespace reprieve::laws
