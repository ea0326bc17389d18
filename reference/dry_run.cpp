#include "reprieve/reference/dry_run.h"

#include <algorithm>
#include <limits>

#include "reprieve/reference/importance.h"
#include "reprieve/reference/selection.h"
#include "reprieve/reference/selectors.h"

namespace reprieve::reference {
namespace {

// The node as the selection core changes it: pods go and come back on the NodeInfo and, by patches,
// in the counts of the plugins. Both are copies.
class NodeUnderTest {
 public:
  NodeUnderTest(const Situation& situation, const CycleState& state, const NodeInfo& node,
                const std::vector<Listed>& pods)
      : situation_(situation), state_(state), node_(node), pods_(pods), refusals_(pods.size()) {}

  // After a put_back that did not fit: the filter that failed is why this pod was not reprieved.
  void take_off(std::size_t pod) {
    refusals_[pod] = last_.failure;
    node_.remove(*pods_[pod].pod, situation_.release);
    state_.remove_pod(*pods_[pod].pod, *node_.node);
  }

  void put_back(std::size_t pod) {
    node_.add(*pods_[pod].pod, situation_.release);
    state_.add_pod(*pods_[pod].pod, *node_.node);
  }

  bool fits() {
    last_ = run_filter_plugins_with_nominated_pods(situation_, state_, node_);
    return last_.ok();
  }

  const Status& last() const { return last_; }
  const FilterFailure& refusal(std::size_t pod) const { return refusals_[pod]; }

 private:
  const Situation& situation_;
  CycleState state_;
  NodeInfo node_;
  const std::vector<Listed>& pods_;
  Status last_;
  std::vector<FilterFailure> refusals_;
};

// Same namespace, and a selector that is there, valid and not empty. A pod without labels is
// selected by no budget.
bool selects(const DisruptionBudget& budget, const Pod& pod) {
  return budget.namespace_ == pod.namespace_ && !pod.labels.empty() && budget.selector &&
         !is_empty(*budget.selector) && is_valid(*budget.selector) && matches(*budget.selector, pod.labels);
}

Selectable<std::int64_t> question_about(const std::vector<Listed>& pods, const Situation& situation) {
  Selectable<std::int64_t> question;
  question.charging = situation.policy.charging;
  for (const DisruptionBudget& budget : situation.cluster.budgets) {
    question.allowed.push_back(budget.disruptions_allowed);
  }
  for (const Listed& listed : pods) {
    std::vector<bool>& selected = question.selects.emplace_back();
    std::vector<bool>& disrupted = question.disrupted.emplace_back();
    for (const DisruptionBudget& budget : situation.cluster.budgets) {
      selected.push_back(selects(budget, *listed.pod));
      disrupted.push_back(budget.disrupted_pods.contains(listed.pod->name));
    }
  }
  return question;
}

// Upstream collects the victims group by group, and sorts them again only when both groups exist.
std::vector<Listed> victims_in_order(const std::vector<Listed>& pods,
                                     const Selection<std::int64_t>& selection, const Policy& policy) {
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
  if (has_violating && has_other) sort_by_importance(policy, victims);
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

std::optional<Candidate> dry_run_preemption(const Situation& situation, const CycleState& state,
                                            std::size_t node, NodeDecision& story,
                                            std::optional<std::string>& failed) {
  const NodeInfo& info = situation.nodes[node];
  story.tried = true;
  story.status = NodeStatus::kUnschedulable;

  std::vector<Listed> pods;
  for (std::size_t place = 0; place < info.pods.size(); ++place) {
    if (info.pods[place]->priority < situation.preemptor.priority) pods.push_back({info.pods[place], place});
  }
  if (pods.empty()) {
    story.reasons = {"No preemption victims found for incoming pod"};
    return std::nullopt;
  }
  sort_by_importance(situation.policy, pods);

  // The order in which pods are taken off does not matter, so they may be sorted before it.
  NodeUnderTest test(situation, state, info, pods);
  const Selectable<std::int64_t> question = question_about(pods, situation);
  const std::optional<Selection<std::int64_t>> selection = select_victims(question, test);
  if (!selection) {
    story.emptied_failure = test.last().failure;
    story.reasons = test.last().failure.reasons;
    if (test.last().code == Code::kError) failed = story.reasons.front();
    for (const Listed& listed : pods)
      story.potential_victims.push_back(story_of(*listed.pod, {}, situation.cluster));
    return std::nullopt;
  }

  Candidate candidate{.node = node, .victims = {}, .violations = selection->violations};
  for (std::size_t i = 0; i < pods.size(); ++i) {
    PotentialVictim& pod =
        story.potential_victims.emplace_back(story_of(*pods[i].pod, selection->pods[i], situation.cluster));
    pod.evicted = selection->evicted[i];
    if (pod.evicted) pod.not_reprieved = test.refusal(i);
  }
  for (const Listed& victim : victims_in_order(pods, *selection, situation.policy)) {
    candidate.victims.push_back(victim.pod);
  }
  if (candidate.victims.empty()) {
    // A node that fits without eviction is never tried, so this cannot be; upstream makes it an error.
    failed = "expected at least one victim pod on node \"" + info.node->name + "\"";
    story.reasons = {*failed};
    return std::nullopt;
  }
  return candidate;
}

}  // namespace reprieve::reference
