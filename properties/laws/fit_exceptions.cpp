#include "reprieve/properties/laws/fit_exceptions.h"

#include <algorithm>

#include "reprieve/properties/laws/claims.h"

namespace reprieve::laws {
namespace {

bool contains(const Pods& pods, const Pod* pod) { return std::ranges::find(pods, pod) != pods.end(); }

std::size_t place_of(const Inquiry& inquiry, const Breach& breach) {
  return *inquiry.facts.find_node(breach.node->node);
}

bool is_by(const std::optional<Facts::Refusal>& refusal, std::string_view plugin) {
  return refusal && refusal->plugin == plugin;
}

// The potential victims in the order in which they are put back.
Pods in_order_of_reprieve(Facts& facts, std::size_t node) {
  Pods order;
  for (const bool violating : {true, false}) {
    for (const ChargedPod& pod : facts.classed(node)) {
      if (pod.violating == violating) order.push_back(pod.pod);
    }
  }
  return order;
}

}  // namespace

bool only_patches_fit(const Inquiry& inquiry, const Breach& breach, std::string_view plugin) {
  const std::size_t node = place_of(inquiry, breach);
  return is_by(inquiry.facts.refusal_without(node, breach.pods), plugin) &&
         !inquiry.facts.refusal_patched_without(node, breach.pods);
}

bool patches_refuse(const Inquiry& inquiry, const Breach& breach, std::string_view plugin) {
  return is_by(inquiry.facts.refusal_patched_without(place_of(inquiry, breach), breach.pods), plugin);
}

bool refused_when_put_back(const Inquiry& inquiry, const Breach& breach, std::string_view plugin) {
  const std::size_t node = place_of(inquiry, breach);
  if (!greedy(inquiry.question.policy) || inquiry.facts.refusal_patched_without(node, breach.pods))
    return false;
  const auto victims = inquiry.facts.find_pods(breach.node->victims);
  Pods gone = inquiry.facts.by_importance(node);
  for (const Pod* pod : in_order_of_reprieve(inquiry.facts, node)) {
    const bool evicted = contains(*victims, pod);
    if (evicted && contains(breach.pods, pod)) continue;  // another victim
    std::erase(gone, pod);
    if (evicted) break;  // the one that is left in place
  }
  return is_by(inquiry.facts.refusal_patched_without(node, gone), plugin);
}

bool refused_on_the_way(const Inquiry& inquiry, const Breach& breach, std::string_view plugin) {
  const std::size_t node = place_of(inquiry, breach);
  if (!greedy(inquiry.question.policy) || inquiry.facts.refusal_patched_without(node, breach.pods))
    return false;
  Pods gone = inquiry.facts.by_importance(node);
  for (const ChargedPod& pod : inquiry.facts.classed(node)) {
    if (!pod.violating) continue;
    std::erase(gone, pod.pod);
    const auto refusal = inquiry.facts.refusal_patched_without(node, gone);
    if (refusal) return refusal->plugin == plugin;
  }
  return false;
}

bool guarantee_binds(const Inquiry& inquiry) {
  const BudgetGuarantee& budgets = inquiry.question.policy.budgets;
  return budgets.guaranteed &&
         (!budgets.below_priority || inquiry.facts.preemptor()->priority < *budgets.below_priority);
}

bool refused_for_budgets(const NodeDecision& node) {
  return node.status == NodeStatus::kUnschedulable && node.reasons.size() == 1 &&
         node.reasons.front() == "evicting would violate a PodDisruptionBudget";
}

}  // namespace reprieve::laws
