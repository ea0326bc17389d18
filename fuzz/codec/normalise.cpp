#include "reprieve/fuzz/codec/normalise.h"

#include <algorithm>

#include "reprieve/fuzz/codec/layout_cluster.h"
#include "reprieve/fuzz/codec/names.h"

namespace reprieve::fuzz {
namespace {

/// Defaulted and unsettled alike: SetDefaults_Namespace.
void normalise_namespace(Namespace& name_space) {
  name_space.labels.insert_or_assign(std::string(layout::kNamespaceLabel), name_space.name);
  name_space.labels.erase("");
}

void normalise_node(Node& node) {
  node.labels.erase("");
  node.allocatable.erase("");
  for (Taint& taint : node.taints) {
    if (taint.key.empty()) taint.key = pools::kTaintKeys[0];
    if (taint.effect == TaintEffect::kAny) taint.effect = TaintEffect::kNoSchedule;
  }
}

void normalise_selector(std::optional<LabelSelector>& selector) {
  if (selector) selector->match_labels.erase("");
}

void normalise_extenders(Case& question) {
  for (Extender& extender : question.extenders) {
    std::erase_if(extender.managed_resources, [](const std::string& name) { return name.empty(); });
    if (!extender.answer) continue;
    extender.answer->erase("");
    for (auto& [node, answer] : *extender.answer) {
      for (std::string& victim : answer.victims) {
        if (victim.find('/') == std::string::npos) victim.insert(0, "default/");
      }
    }
  }
}

/// What manifest::validate (of policies) asks for.
void normalise_policy(Policy& policy) {
  if (policy.name.empty()) policy.name = pools::kPolicyNames[0];
  std::ranges::replace(policy.name, '/', '-');
  if (policy.importance.empty()) policy.importance.push_back(ImportanceCriterion::kPriority);
  if (policy.node_order.empty()) policy.node_order.push_back(NodeCriterion::kPdbViolations);
  if (policy.victims == VictimSearch::kExact) policy.violations = ViolationCount::kActual;
  if (!policy.budgets.guaranteed) policy.budgets.below_priority.reset();
  if (policy.sampling && policy.sampling->min_percentage == 0 && policy.sampling->min_absolute == 0) {
    policy.sampling->min_absolute = 1;
  }
}

}  // namespace

void normalise(Case& question) {
  Cluster& cluster = question.cluster;
  for (Node& node : cluster.nodes) normalise_node(node);
  const std::size_t slash = question.preemptor.find('/');
  for (Pod& pod : cluster.pods) {
    const bool preemptor = question.preemptor.compare(0, slash, pod.namespace_) == 0 &&
                           question.preemptor.compare(slash + 1, std::string::npos, pod.name) == 0;
    normalise_pod(pod, preemptor);
  }
  for (DisruptionBudget& budget : cluster.budgets) normalise_selector(budget.selector);
  for (Namespace& name_space : cluster.namespaces) normalise_namespace(name_space);
  normalise_storage(cluster);
  normalise_extenders(question);
  normalise_policy(question.policy);
}

}  // namespace reprieve::fuzz
