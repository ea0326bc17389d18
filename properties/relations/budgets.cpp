#include "reprieve/properties/relations/budgets.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "reprieve/properties/relations/fresh.h"

namespace reprieve::relations {

using generators::Random;

std::optional<RoomyBudget> with_roomy_budget(const Case& question, Random& random) {
  const auto& budgets = question.cluster.budgets;
  if (budgets.empty()) return std::nullopt;
  const auto at = random.below(static_cast<int>(budgets.size()));
  RoomyBudget result{.roomy = question, .without = question, .budget = {}};
  DisruptionBudget& roomy = result.roomy.cluster.budgets[static_cast<std::size_t>(at)];
  result.budget = roomy.namespace_ + "/" + roomy.name;
  const auto pods = static_cast<std::int32_t>(question.cluster.pods.size());
  roomy.disruptions_allowed = random.coin() ? pods : std::numeric_limits<std::int32_t>::max();
  result.without.cluster.budgets.erase(result.without.cluster.budgets.begin() + at);
  return result;
}

std::optional<DisruptedPod> with_disrupted_pod(const Case& question, Random& random) {
  std::vector<std::size_t> eligible;
  for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
    const Pod& pod = question.cluster.pods[i];
    if (!pod.node_name.empty() && !pod.labels.empty()) eligible.push_back(i);
  }
  if (eligible.empty()) return std::nullopt;
  const std::size_t at = random.pick(eligible);
  const Pod& pod = question.cluster.pods[at];
  const std::string key = fresh_name(random);
  DisruptedPod result{.disrupted = question, .unselected = question, .pod = full_name(pod)};
  // The label in both, so that nothing else tells them apart.
  result.disrupted.cluster.pods[at].labels[key] = "";
  result.unselected.cluster.pods[at].labels[key] = "";
  for (std::size_t i = 0; i < question.cluster.budgets.size(); ++i) {
    if (question.cluster.budgets[i].namespace_ != pod.namespace_) continue;
    result.disrupted.cluster.budgets[i].disrupted_pods.insert(pod.name);
    auto& selector = result.unselected.cluster.budgets[i].selector;
    // An empty selector selects nobody as it is; with a requirement it would.
    if (!selector || (selector->match_labels.empty() && selector->match_expressions.empty())) continue;
    selector->match_expressions.push_back({.key = key, .op = SelectorOperator::kDoesNotExist, .values = {}});
  }
  return result;
}

Decision without_charges_to(Decision decision, std::string_view budget) {
  for (NodeDecision& node : decision.nodes) {
    for (PotentialVictim& victim : node.potential_victims) {
      std::erase_if(victim.charges, [&](const Charge& charge) { return charge.budget == budget; });
    }
  }
  return decision;
}

Decision without_charges_for(Decision decision, std::string_view pod) {
  for (NodeDecision& node : decision.nodes) {
    for (PotentialVictim& victim : node.potential_victims) {
      if (victim.pod == pod) victim.charges.clear();
    }
  }
  return decision;
}

}  // namespace reprieve::relations
