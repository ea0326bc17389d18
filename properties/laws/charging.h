// Charging budgets for pods that would go: the law's own walk. docs/SEMANTICS.md, step 3.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/model/cluster.h"
#include "reprieve/model/policy.h"

namespace reprieve::laws {

struct BudgetCharge {
  std::size_t budget = 0;  // its place in the cluster
  std::int64_t left = 0;   // what it allows afterwards
  bool disrupted = false;  // lists the pod already: not charged

  bool operator==(const BudgetCharge&) const = default;
};

struct ChargedPod {
  const Pod* pod = nullptr;
  std::vector<BudgetCharge> charges;
  bool violating = false;
};

/// The same namespace, labels on the pod, and a selector that is there, valid, not empty and matches.
bool selects(const DisruptionBudget& budget, const Pod& pod);

/// Charges the pods one after the other, with the allowances of the cluster as it stands.
std::vector<ChargedPod> charge(const Cluster& cluster, Charging rule, std::span<const Pod* const> pods);

std::int64_t count_violating(const std::vector<ChargedPod>& pods);

}  // namespace reprieve::laws
