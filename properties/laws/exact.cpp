// The optimum, by trying every set of victims on a node.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/fit_exceptions.h"
#include "reprieve/properties/laws/keys.h"
#include "reprieve/properties/laws/one_decision.h"

namespace reprieve::laws {
namespace {

// 32 sets: the judge asks the filters about most of them.
constexpr std::size_t kPotentialVictims = 5;

struct Choice {
  Pods victims;  // the most important first
  CandidateKey key;
};

std::vector<std::string> names_of(const Pods& pods) {
  std::vector<std::string> names;
  for (const Pod* pod : pods) names.push_back(full_name(*pod));
  return names;
}

Choice choice_of(const Inquiry& inquiry, const NodeDecision& node, Pods victims) {
  const Case& question = inquiry.question;
  const NodeDecision told{
      .node = node.node,
      .victims = names_of(victims),
      .violations = count_violating(charge(question.cluster, question.policy.charging, victims))};
  return {.victims = std::move(victims), .key = *key_of(inquiry.facts, told)};
}

// Of two sets with equal keys: whether `a` spares the most important pod in which they differ.
bool spares_more(const Pods& everybody, const Pods& a, const Pods& b) {
  for (const Pod* pod : everybody) {
    const bool in_a = std::ranges::find(a, pod) != a.end();
    const bool in_b = std::ranges::find(b, pod) != b.end();
    if (in_a != in_b) return in_b;
  }
  return false;
}

bool is_better(const Inquiry& inquiry, const Pods& everybody, const Choice& a, const Choice& b) {
  const int order = compare_keys(inquiry.question.policy.node_order, a.key, b.key).order;
  return order < 0 || (order == 0 && spares_more(everybody, a.victims, b.victims));
}

// The best set of the node that leaves the preemptor fitting, by the patches of the dry run.
std::optional<Choice> best_choice(const Inquiry& inquiry, const NodeDecision& node, std::size_t place) {
  const Pods& everybody = inquiry.facts.by_importance(place);
  std::optional<Choice> best;
  for (std::size_t set = 1; set < std::size_t{1} << everybody.size(); ++set) {
    Pods victims;
    for (std::size_t i = 0; i < everybody.size(); ++i) {
      if ((set >> i) % 2 == 1) victims.push_back(everybody[i]);
    }
    Choice choice = choice_of(inquiry, node, std::move(victims));
    if (guarantee_binds(inquiry) && choice.key.violations > 0) continue;
    if (best && !is_better(inquiry, everybody, choice, *best)) continue;
    if (inquiry.facts.refusal_patched_without(place, choice.victims)) continue;
    best = std::move(choice);
  }
  return best;
}

Judgement exact_is_optimal(const Inquiry& inquiry) {
  if (!inquiry.decision.bounded.empty()) return silent();  // says itself that it may be beaten
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    const bool candidate = node.status == NodeStatus::kCandidate;
    const auto place = inquiry.facts.find_node(node.node);
    if (!place || (!candidate && !node.emptied_failure && !refused_for_budgets(node))) continue;
    const std::size_t count = inquiry.facts.potential_victims_on(*place).size();
    if (count == 0 || count > kPotentialVictims) continue;
    findings.looked();
    const std::optional<Choice> best = best_choice(inquiry, node, *place);
    const std::vector<std::string> expected = best ? names_of(best->victims) : std::vector<std::string>();
    if (expected == node.victims) continue;
    findings.breach(node, {},
                    fmt::format("{}: the best victims are [{}], told are [{}]", node.node,
                                fmt::join(expected, " "), fmt::join(node.victims, " ")));
  }
  return findings.judgement();
}

constexpr std::array kExtenders = {Exception{.name = "extenders-answer",
                                             .when = "An extender said who the victims are.",
                                             .covers = in_extenders_answer,
                                             .smallest = "laws/an-extender-misses-the-optimum.yaml"}};

}  // namespace

// Catches a branch that is cut by a bound that is none, a level of the key that is not optimised, and a
// tie between victim sets that falls to the wrong one.
constinit const Law kExactIsOptimal = {
    .name = "exact-victims-are-optimal",
    .sentence =
        "No other set of victims on the node has a better key, or an equal one and spares more important "
        "pods (tried where there are at most 5 potential victims).",
    .statement = "victims(n) = argmin {key(S) | S in potentialVictims(n), fits(n without S)}",
    .theorem = "tested only",
    .claimed_for = exact,
    .claimed_for_text = kExactPolicies,
    .exceptions = kExtenders,
    .judge = exact_is_optimal,
};

}  // namespace reprieve::laws
