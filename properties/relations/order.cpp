#include "reprieve/properties/relations/order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace reprieve::relations {
namespace {

using generators::Random;

/// Pods with the same key keep their order. Of two that lack a start time the order of the list decides,
/// so what is asked after startTime does not tell them apart.
auto tie_key(const Pod& pod, const Policy& policy) {
  const auto counts = [&](ImportanceCriterion criterion) {
    const auto at = std::ranges::find(policy.importance, criterion);
    const auto start = std::ranges::find(policy.importance, ImportanceCriterion::kStartTime);
    if (at == policy.importance.end()) return false;
    return pod.start_time_us.has_value() || start == policy.importance.end() || at <= start;
  };
  return std::make_tuple(
      pod.node_name, counts(ImportanceCriterion::kPriority) ? std::optional(pod.priority) : std::nullopt,
      counts(ImportanceCriterion::kStartTime) ? pod.start_time_us : std::nullopt,
      counts(ImportanceCriterion::kTerminationGracePeriod) ? pod.termination_grace_period_s.value_or(30) : 0);
}

bool may_match(const SelectorRequirement& requirement, const Labels& labels) {
  const auto label = labels.find(requirement.key);
  const bool present = label != labels.end();
  const bool named =
      present && std::ranges::find(requirement.values, label->second) != requirement.values.end();
  switch (requirement.op) {
    case SelectorOperator::kIn: return named;
    case SelectorOperator::kNotIn: return !named;
    case SelectorOperator::kExists: return present;
    case SelectorOperator::kDoesNotExist: return !present;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt:
    case SelectorOperator::kInvalid: return true;
  }
  return true;
}

bool has_twice(const std::vector<CsiNodeDriver>& drivers) {
  std::set<std::string_view> names;
  return !std::ranges::all_of(drivers,
                              [&](const CsiNodeDriver& driver) { return names.insert(driver.name).second; });
}

class Reorder {
 public:
  explicit Reorder(Random& random) : random_(random) {}

  void cluster(Cluster& cluster) {
    random_.shuffle(cluster.priority_classes);
    random_.shuffle(cluster.namespaces);
    random_.shuffle(cluster.claims);
    random_.shuffle(cluster.storage_classes);
    random_.shuffle(cluster.csi_nodes);
    random_.shuffle(cluster.csi_drivers);
    random_.shuffle(cluster.volume_attachments);
    for (Node& node : cluster.nodes) random_.shuffle(node.taints);
    for (Pod& pod : cluster.pods) this->pod(pod);
    for (DisruptionBudget& budget : cluster.budgets) selector(budget.selector);
    for (PersistentVolumeClaim& claim : cluster.claims) random_.shuffle(claim.access_modes);
    for (PersistentVolume& volume : cluster.volumes) {
      random_.shuffle(volume.access_modes);
      if (volume.node_affinity) node_terms(volume.node_affinity->terms);
    }
    for (StorageClass& storage_class : cluster.storage_classes) node_terms(storage_class.allowed_topologies);
    for (CsiNode& csi_node : cluster.csi_nodes) {
      // Of a driver that is listed twice the last entry counts.
      if (!has_twice(csi_node.drivers)) random_.shuffle(csi_node.drivers);
    }
  }

 private:
  void requirements(std::vector<SelectorRequirement>& list) {
    random_.shuffle(list);
    for (SelectorRequirement& requirement : list) random_.shuffle(requirement.values);
  }
  void selector(std::optional<LabelSelector>& selector) {
    if (selector) requirements(selector->match_expressions);
  }
  void node_terms(std::vector<NodeSelectorTerm>& terms) {
    random_.shuffle(terms);
    for (NodeSelectorTerm& term : terms) {
      requirements(term.match_expressions);
      requirements(term.match_fields);
    }
  }
  void affinity_terms(std::vector<PodAffinityTerm>& terms) {
    random_.shuffle(terms);
    for (PodAffinityTerm& term : terms) {
      selector(term.label_selector);
      selector(term.namespace_selector);
      random_.shuffle(term.namespaces);
    }
  }
  void pod(Pod& pod) {
    random_.shuffle(pod.tolerations);
    random_.shuffle(pod.containers);
    for (Container& container : pod.containers) random_.shuffle(container.ports);
    if (pod.affinity.required_node_affinity) node_terms(pod.affinity.required_node_affinity->terms);
    affinity_terms(pod.affinity.required_pod_affinity);
    affinity_terms(pod.affinity.required_pod_anti_affinity);
    for (TopologySpreadConstraint& constraint : pod.topology_spread_constraints) {
      selector(constraint.label_selector);
      random_.shuffle(constraint.match_label_keys);
    }
  }

  Random& random_;
};

}  // namespace

Case with_nodes_reordered(Case question, Random& random) {
  random.shuffle(question.cluster.nodes);
  return question;
}

Case with_pods_reordered(Case question, Random& random) {
  std::vector<Pod>& pods = question.cluster.pods;
  std::vector<std::size_t> at(pods.size());  // which pod comes to stand in this place
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = i;
  random.shuffle(at);
  // Those that tie share out the places that they got, in their old order.
  std::map<decltype(tie_key(pods.front(), question.policy)), std::vector<std::size_t>> places;
  for (std::size_t place = 0; place < at.size(); ++place) {
    const Pod& pod = pods[at[place]];
    if (!pod.node_name.empty()) places[tie_key(pod, question.policy)].push_back(place);
  }
  for (const auto& [key, tied] : places) {
    std::vector<std::size_t> members;
    for (const std::size_t place : tied) members.push_back(at[place]);
    std::ranges::sort(members);
    for (std::size_t i = 0; i < tied.size(); ++i) at[tied[i]] = members[i];
  }
  std::vector<Pod> reordered;
  reordered.reserve(pods.size());
  for (const std::size_t from : at) reordered.push_back(std::move(pods[from]));
  pods = std::move(reordered);
  return question;
}

Case with_budgets_reordered(Case question, Random& random) {
  std::vector<DisruptionBudget>& budgets = question.cluster.budgets;
  if (question.policy.charging == Charging::kEveryBudget) {
    random.shuffle(budgets);
    return question;
  }
  // Neighbours that commute change places, often enough that every order that is allowed can come out.
  for (std::size_t round = 0; round < budgets.size(); ++round) {
    for (std::size_t i = 0; i + 1 < budgets.size(); ++i) {
      if (random.coin() && !may_overlap(budgets[i], budgets[i + 1], question.cluster)) {
        std::swap(budgets[i], budgets[i + 1]);
      }
    }
  }
  return question;
}

Case with_lists_reordered(Case question, Random& random) {
  Reorder(random).cluster(question.cluster);
  for (Extender& extender : question.extenders) random.shuffle(extender.managed_resources);
  return question;
}

bool may_charge(const DisruptionBudget& budget, const Pod& pod) {
  if (budget.namespace_ != pod.namespace_ || !budget.selector || pod.labels.empty()) return false;
  if (budget.disrupted_pods.contains(pod.name)) return false;
  const LabelSelector& selector = *budget.selector;
  if (selector.match_labels.empty() && selector.match_expressions.empty()) return false;
  for (const auto& [key, value] : selector.match_labels) {
    const auto label = pod.labels.find(key);
    if (label == pod.labels.end() || label->second != value) return false;
  }
  return std::ranges::all_of(selector.match_expressions, [&pod](const SelectorRequirement& requirement) {
    return may_match(requirement, pod.labels);
  });
}

bool may_overlap(const DisruptionBudget& a, const DisruptionBudget& b, const Cluster& cluster) {
  if (a.namespace_ != b.namespace_) return false;
  return std::ranges::any_of(cluster.pods,
                             [&](const Pod& pod) { return may_charge(a, pod) && may_charge(b, pod); });
}

}  // namespace reprieve::relations
