// The same case with its lists in another order. Where the order of two elements decides something, they
// keep it: pods of equal importance on one node, and budgets over a common pod when charging stops at the
// first that is violated.
#pragma once

#include "reprieve/model/case.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

Case with_nodes_reordered(Case question, generators::Random& random);

/// Pods of one node that are equal in every criterion of importance keep their order. (Requested shares
/// count as equal here: what a share is only engine and reference say.)
Case with_pods_reordered(Case question, generators::Random& random);

/// With charging untilViolated, two budgets that may select the same pod keep their order.
Case with_budgets_reordered(Case question, generators::Random& random);

/// Namespaces, classes, claims, CSI objects and attachments; within the objects: taints, tolerations,
/// affinity terms, requirements and their values, containers and their ports. Not the lists whose order
/// is read: volumes, init containers, spread constraints, conditions, declared features, extenders.
Case with_lists_reordered(Case question, generators::Random& random);

/// Whether the budget may select the pod and charge it: invalid selectors count as matching. What a
/// selector matches is for engine and reference to say; this is only a bound from above.
bool may_charge(const DisruptionBudget& budget, const Pod& pod);

/// Whether some pod of the cluster may be charged to both.
bool may_overlap(const DisruptionBudget& a, const DisruptionBudget& b, const Cluster& cluster);

}  // namespace reprieve::relations
