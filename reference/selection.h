// Step 3, the selection core: charge the budgets, then spare as many pods as possible.
// Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go
// (SelectVictimsOnNode; filterPodsWithPDBViolation of 1.36), pkg/scheduler/framework/preemption/util.go
// (FilterVictimsWithPDBViolation of 1.37).
//
// A template, so that a symbolic integer can run the very code that decides. What it asks of the
// types: Int is built from int, is copied, and has -= and <; Bool (what a comparison gives, a
// membership, and "fits") converts to bool where a condition is needed, and nowhere else.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reprieve/marks/mark.h"
#include "reprieve/model/policy.h"

namespace reprieve::reference {

/// Potential victims in order of importance, and the budgets in the order of charging.
template <class Int, class Bool = bool>
struct Selectable {
  std::vector<std::vector<Bool>> selects;    // [pod][budget]: the budget selects the pod
  std::vector<std::vector<Bool>> disrupted;  // [pod][budget]: the budget lists it in disruptedPods
  std::vector<Int> allowed;                  // [budget]: status.disruptionsAllowed
  Charging charging = Charging::kEveryBudget;
};

/// A budget met while charging a pod.
template <class Int>
struct BudgetCharge {
  std::size_t budget;
  Int left;        // what it allows afterwards
  bool disrupted;  // already counted by the API server: not charged again
};

template <class Int>
struct ChargedPod {
  std::vector<BudgetCharge<Int>> charges;
  bool violating = false;
};

/// Walks the pods in order of importance and charges each to the budgets that select it. A pod that
/// takes a budget below zero is violating; under kUntilViolated no later budget is charged for it.
template <class Int, class Bool>
std::vector<ChargedPod<Int>> charge_budgets(const Selectable<Int, Bool>& question) {
  std::vector<Int> left = question.allowed;
  std::vector<ChargedPod<Int>> pods(question.selects.size());
  for (std::size_t pod = 0; pod < pods.size(); ++pod) {
    for (std::size_t budget = 0; budget < left.size(); ++budget) {
      if (!question.selects[pod][budget]) continue;
      if (question.disrupted[pod][budget]) {
        REPRIEVE_MARK("reference/charge/already-disrupted");
        pods[pod].charges.push_back({.budget = budget, .left = left[budget], .disrupted = true});
        continue;
      }
      left[budget] -= Int(1);
      pods[pod].charges.push_back({.budget = budget, .left = left[budget], .disrupted = false});
      if (left[budget] < Int(0)) {
        if (pods[pod].violating) REPRIEVE_MARK("reference/charge/violates-two-budgets");
        pods[pod].violating = true;
        if (question.charging == Charging::kUntilViolated) {
          REPRIEVE_MARK("reference/charge/stops-at-a-violated-budget");
          break;
        }
      }
    }
  }
  return pods;
}

/// Charges the evicted pods alone, in order of importance: what evicting them really does to the
/// budgets. The pods that are spared have no charges.
template <class Int, class Bool>
std::vector<ChargedPod<Int>> charge_victims(const Selectable<Int, Bool>& question,
                                            const std::vector<bool>& evicted) {
  Selectable<Int, Bool> victims{
      .selects = {}, .disrupted = {}, .allowed = question.allowed, .charging = question.charging};
  for (std::size_t pod = 0; pod < evicted.size(); ++pod) {
    if (!evicted[pod]) continue;
    victims.selects.push_back(question.selects[pod]);
    victims.disrupted.push_back(question.disrupted[pod]);
  }
  const std::vector<ChargedPod<Int>> charged = charge_budgets(victims);

  std::vector<ChargedPod<Int>> pods(evicted.size());
  std::size_t next = 0;
  for (std::size_t pod = 0; pod < evicted.size(); ++pod) {
    if (evicted[pod]) pods[pod] = charged[next++];
  }
  return pods;
}

template <class Int>
int count_violating(const std::vector<ChargedPod<Int>>& pods) {
  int count = 0;
  for (const ChargedPod<Int>& pod : pods) count += pod.violating ? 1 : 0;
  return count;
}

/// Puts the pods back one by one, the violating ones first, each group in order of importance. A pod
/// that leaves no room for the preemptor is taken off again: it is a victim. Says for each pod
/// whether it was evicted.
///
/// `node` has all pods taken off at the start; it offers take_off(pod), put_back(pod) and fits().
template <class Int, class Node>
std::vector<bool> reprieve(const std::vector<ChargedPod<Int>>& pods, Node& node) {
  std::vector<bool> evicted(pods.size(), false);
  for (const bool group : {true, false}) {
    for (std::size_t pod = 0; pod < pods.size(); ++pod) {
      if (pods[pod].violating != group) continue;
      node.put_back(pod);
      if (node.fits()) {
        if (group) REPRIEVE_MARK("reference/reprieve/violating-pod-is-spared");
        continue;
      }
      if (group) REPRIEVE_MARK("reference/reprieve/violating-pod-is-evicted");
      node.take_off(pod);
      evicted[pod] = true;
    }
  }
  return evicted;
}

template <class Int>
struct Selection {
  std::vector<ChargedPod<Int>> pods;
  std::vector<bool> evicted;
  Int violations = Int(0);  // evicted pods that were classed violating before the reprieve
};

/// The whole of step 3. Nothing when the preemptor does not fit even with all of them gone.
template <class Int, class Bool, class Node>
std::optional<Selection<Int>> select_victims(const Selectable<Int, Bool>& question, Node& node) {
  for (std::size_t pod = 0; pod < question.selects.size(); ++pod) node.take_off(pod);
  if (!node.fits()) return std::nullopt;

  Selection<Int> selection;
  selection.pods = charge_budgets(question);
  selection.evicted = reprieve(selection.pods, node);
  int violations = 0;
  for (std::size_t pod = 0; pod < selection.pods.size(); ++pod) {
    if (selection.evicted[pod] && selection.pods[pod].violating) ++violations;
  }
  selection.violations = Int(violations);
  return selection;
}

}  // namespace reprieve::reference
