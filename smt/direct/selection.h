// Step 3 of docs/SEMANTICS.md ("Victims on one node") as formulas, without a branch and without a
// running state: who is charged where, who is violating, who is spared. The cores keep accounts and
// walk; here a pod's fate is said by counting those before it, so that the two can be held against
// each other.
//
// Pods are in order of importance, budgets in the order of charging.
#pragma once

#include <functional>
#include <vector>

#include "reprieve/model/policy.h"
#include "reprieve/smt/symbolic/integer.h"

namespace reprieve::smt::direct {

using Bools = std::vector<Bool>;
using Ints = std::vector<Int>;

struct Budgets {
  std::vector<Bools> selects;    // [pod][budget]
  std::vector<Bools> disrupted;  // [pod][budget]: the budget lists the pod in disruptedPods
  Ints allowed;                  // [budget]
  Charging charging = Charging::kEveryBudget;
};

/// The pods that take a budget below zero when all are charged, most important first.
Bools violating(const Budgets& budgets);

/// The pods among `victims` that take a budget below zero when the victims alone are charged: the
/// actual violations.
Bools violating_among(const Budgets& budgets, const Bools& victims);

/// Whether the preemptor fits with exactly these kept.
using Fits = std::function<Bool(const Bools& kept)>;

/// The pods that are victims, given who is violating: the violating ones are put back first, each
/// group in order of importance, and whoever leaves no room stays out.
Bools evicted(const Bools& violating, const Fits& fits);

/// In both: `evicted` where `violating`.
Int both(const Bools& a, const Bools& b);

/// NodeResourcesFit with the nominated pods counted in, and without them. [resource], and for the
/// pods [pod][resource].
struct Resources {
  std::vector<Ints> held;
  Ints asked;        // by the preemptor
  Ints allocatable;  // of the node
  Ints others;       // held by pods that are no potential victims
  Ints nominated;    // held by the nominated pods that count
};
Bool fits(const Resources& resources, const Bools& kept);

/// The five levels of a set of victims (step 6). Of an empty set they mean nothing.
struct Levels {
  Int violations;
  Int highest_priority;
  Int priority_sum;  // each shifted by 2^31
  Int victim_count;
  Bool start_given;    // a start time among the victims of the highest priority; else "now"
  Int earliest_start;  // of those that have one
};
struct Pod {
  Int priority;
  Bool start_given;
  Int start;
};
Levels levels(const std::vector<Pod>& pods, const Bools& victims, Int violations);

/// Whether a node with the levels `a` is preferred to one with `b` by the criterion alone, and by
/// the criteria in turn.
Bool better(const Levels& a, const Levels& b, NodeCriterion criterion);
Bool better(const Levels& a, const Levels& b, const std::vector<NodeCriterion>& order);

}  // namespace reprieve::smt::direct
