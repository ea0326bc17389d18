#include "reprieve/reference/dry_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/budgets.h"
#include "reprieve/reference/exact.h"
#include "reprieve/reference/importance.h"
#include "reprieve/reference/node_under_test.h"
#include "reprieve/reference/selection.h"

namespace reprieve::reference {
namespace {

std::vector<Listed> potential_victims(const Situation& situation, const NodeInfo& node) {
  std::vector<Listed> pods;
  for (std::size_t place = 0; place < node.pods.size(); ++place) {
    if (node.pods[place]->priority < situation.preemptor.priority) pods.push_back({node.pods[place], place});
  }
  sort_by_importance(situation.policy, node, pods);
  return pods;
}

bool evicts_a_violating_pod(const Selection<std::int64_t>& selection) {
  for (std::size_t i = 0; i < selection.pods.size(); ++i) {
    if (selection.evicted[i] && selection.pods[i].violating) return true;
  }
  return false;
}

// Upstream collects the victims group by group, and sorts them again only when both groups exist.
std::vector<Listed> listed_by_groups(const Policy& policy, const NodeInfo& node,
                                     const std::vector<Listed>& pods,
                                     const Selection<std::int64_t>& selection) {
  std::vector<Listed> victims;
  bool has_violating = false;
  bool has_other = false;
  for (const bool group : {true, false}) {
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if (selection.pods[i].violating != group) continue;
      (group ? has_violating : has_other) = true;
      if (selection.evicted[i]) victims.push_back(pods[i]);
    }
  }
  if (has_violating && has_other) {
    REPRIEVE_MARK("reference/victims/sorted-again");
    sort_by_importance(policy, node, victims);
  }
  return victims;
}

std::vector<Listed> listed_by_importance(const std::vector<Listed>& pods,
                                         const Selection<std::int64_t>& selection) {
  std::vector<Listed> victims;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (selection.evicted[i]) victims.push_back(pods[i]);
  }
  return victims;
}

PotentialVictim story_of(const Pod& pod, const ChargedPod<std::int64_t>& charged, const Cluster& cluster) {
  PotentialVictim story{.pod = full_name(pod),
                        .priority = pod.priority,
                        .start_time_us = pod.start_time_us,
                        .violating = charged.violating};
  for (const BudgetCharge<std::int64_t>& charge : charged.charges) {
    const DisruptionBudget& budget = cluster.budgets[charge.budget];
    const std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
    story.charges.push_back({.budget = budget.namespace_ + "/" + budget.name,
                             .left = static_cast<std::int32_t>(std::max(charge.left, lowest)),
                             .disrupted = charge.disrupted});
  }
  return story;
}

}  // namespace

DryRun dry_run_preemption(const Situation& situation, const CycleState& state, std::size_t node,
                          NodeDecision& story) {
  const Policy& policy = situation.policy;
  const NodeInfo& info = situation.nodes[node];
  const bool exact = policy.victims == VictimSearch::kExact;
  const bool guaranteed = guarantee_binds(situation);
  DryRun result;
  story.tried = true;
  story.status = NodeStatus::kUnschedulable;

  const std::vector<Listed> pods = potential_victims(situation, info);
  if (pods.empty()) {
    REPRIEVE_MARK("reference/victims/none-potential");
    story.reasons = {"No preemption victims found for incoming pod"};
    return result;
  }
  if (exact && pods.size() > kMostEnumerated) {
    result.undecidable = fmt::format("victims: exact enumerates up to {} potential victims, node {} has {}",
                                     kMostEnumerated, info.node->name, pods.size());
    return result;
  }

  // The order in which pods are taken off does not matter, so they may be sorted before it.
  NodeUnderTest test(situation, state, info, pods);
  const Selectable<std::int64_t> question = resolve_budgets(situation, pods);
  std::optional<Selection<std::int64_t>> selection;
  if (exact) {
    for (std::size_t i = 0; i < pods.size(); ++i) test.take_off(i);
    test.fits();
    selection = find_optimum(situation, node, pods, question, test, guaranteed);
    result.refused_for_budgets =
        !selection && guaranteed && find_optimum(situation, node, pods, question, test, false);
  } else {
    selection = select_victims(question, test);
    result.refused_for_budgets = selection && guaranteed && evicts_a_violating_pod(*selection);
  }

  for (std::size_t i = 0; i < pods.size(); ++i) {
    const ChargedPod<std::int64_t> charged = selection ? selection->pods[i] : ChargedPod<std::int64_t>{};
    PotentialVictim& pod =
        story.potential_victims.emplace_back(story_of(*pods[i].pod, charged, situation.cluster));
    pod.evicted = selection && selection->evicted[i];
    if (pod.evicted && !exact) pod.not_reprieved = test.refusal(i);
  }
  if (result.refused_for_budgets) {
    story.reasons = {"evicting would violate a PodDisruptionBudget"};
    return result;
  }
  if (!selection) {
    REPRIEVE_MARK("reference/victims/evicting-all-is-not-enough");
    story.emptied_failure = test.last().failure;
    story.reasons = test.last().failure.reasons;
    if (test.last().code == Code::kError) result.failed = story.reasons.front();
    return result;
  }

  const bool actual = policy.violations == ViolationCount::kActual;
  Candidate candidate{.node = node,
                      .violations = actual ? count_violating(charge_victims(question, selection->evicted))
                                           : selection->violations};
  for (const Listed& victim :
       exact ? listed_by_importance(pods, *selection) : listed_by_groups(policy, info, pods, *selection)) {
    candidate.victims.push_back(victim.pod);
  }
  if (candidate.victims.empty()) {
    // A node that fits without eviction is never tried, so this cannot be; upstream makes it an error.
    result.failed = "expected at least one victim pod on node \"" + info.node->name + "\"";
    story.reasons = {*result.failed};
    return result;
  }
  result.candidate = std::move(candidate);
  return result;
}

}  // namespace reprieve::reference
