// Relations about disruption budgets. Each gives two cases that are decided alike, or nothing when the case
// has no budget to speak of.
#pragma once

#include <optional>
#include <string>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

struct RoomyBudget {
  Case roomy;          // the budget allows more disruptions than there are pods
  Case without;        // the budget is gone
  std::string budget;  // "namespace/name"
};
std::optional<RoomyBudget> with_roomy_budget(const Case& question, generators::Random& random);

struct DisruptedPod {
  Case disrupted;   // every budget of its namespace lists the pod in disruptedPods
  Case unselected;  // no budget selects it: by a label of its own, which every selector excludes
  std::string pod;  // "namespace/name"
};
/// A running pod that has labels.
std::optional<DisruptedPod> with_disrupted_pod(const Case& question, generators::Random& random);

/// The decision without the charges to the budget, or for the pod.
Decision without_charges_to(Decision decision, std::string_view budget);
Decision without_charges_for(Decision decision, std::string_view pod);

}  // namespace reprieve::relations
