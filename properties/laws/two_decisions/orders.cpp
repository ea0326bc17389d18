// The order of a list decides only where the rules say so. Catch: an index that keeps the last of two, a
// tie broken by the way, a charge that depends on who was charged before, a reason lost.
#include <algorithm>
#include <string>
#include <string_view>

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"
#include "reprieve/properties/relations/order.h"

namespace reprieve::laws {
namespace {

Judgement judge_nodes(const Inquiry& inquiry) {
  const Case other = relations::with_nodes_reordered(inquiry.question, inquiry.random);
  if (other.cluster.nodes == inquiry.question.cluster.nodes) return silent();
  return ask_alike(inquiry, other);
}

// NodeVolumeLimits ends with the first pod of the node that it fails over, and names it.
void forget_which_pod(std::string& reason) {
  constexpr std::string_view kFails = "running \"NodeVolumeLimits\" filter plugin: ";
  if (reason.starts_with(kFails)) reason.resize(kFails.size());
}
Decision without_the_pod_that_is_named(Decision decision) {
  const auto forget = [](auto& failure) {
    if (failure) std::ranges::for_each(failure->reasons, forget_which_pod);
  };
  forget_which_pod(decision.reason);
  for (NodeDecision& node : decision.nodes) {
    std::ranges::for_each(node.reasons, forget_which_pod);
    forget(node.filter_failure);
    forget(node.emptied_failure);
    for (PotentialVictim& pod : node.potential_victims) forget(pod.not_reprieved);
  }
  return decision;
}

Judgement judge_pods(const Inquiry& inquiry) {
  const Case other = relations::with_pods_reordered(inquiry.question, inquiry.random);
  if (other.cluster.pods == inquiry.question.cluster.pods) return silent();
  return judge_alike(inquiry, without_the_pod_that_is_named(inquiry.decision),
                     without_the_pod_that_is_named(inquiry.subject.decide(other)),
                     options_for(inquiry.subject));
}

Judgement judge_budgets(const Inquiry& inquiry) {
  const Case other = relations::with_budgets_reordered(inquiry.question, inquiry.random);
  if (other.cluster.budgets == inquiry.question.cluster.budgets) return silent();
  return judge_alike(inquiry, without_disrupted_charges(inquiry.decision),
                     without_disrupted_charges(inquiry.subject.decide(other)), options_for(inquiry.subject));
}

Judgement judge_lists(const Inquiry& inquiry) {
  const Case other = relations::with_lists_reordered(inquiry.question, inquiry.random);
  if (other == inquiry.question) return silent();
  return ask_alike(inquiry, other);
}

}  // namespace

constinit const Law kNodeOrder = {
    .name = "node-order",
    .sentence = "The order of the nodes decides nothing but the choice among a tie.",
    .statement = "decide(c) = decide(c with its nodes permuted), the tie as a set",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = looks_at_every_node,
    .claimed_for_text = kLooksAtEveryNode,
    .judge = judge_nodes,
};

constinit const Law kPodOrder = {
    .name = "pod-order",
    .sentence =
        "The order of the pods decides nothing, but between equally important ones on one node, and which of "
        "several pods NodeVolumeLimits names that it fails over.",
    .statement =
        "decide(c) = decide(c with its pods permuted), equals of a node in their old order, but for that "
        "name",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_pods,
};

constinit const Law kBudgetOrder = {
    .name = "budget-order",
    .sentence =
        "The order of the budgets decides nothing, but between two over a common pod when charging stops "
        "early.",
    .statement =
        "decide(c) = decide(c with its budgets permuted); with charging untilViolated, budgets that "
        "may be charged for the same pod in their old order",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_budgets,
};

constinit const Law kListOrder = {
    .name = "list-order",
    .sentence =
        "The order of taints, tolerations, terms, requirements, containers, namespaces and claims "
        "decides nothing.",
    .statement = "decide(c) = decide(c with these lists permuted)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_lists,
};

}  // namespace reprieve::laws
