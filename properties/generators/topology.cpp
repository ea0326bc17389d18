// What ties a pod to other pods: inter-pod affinity, anti-affinity, topology spread.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

std::string topology_key(Draft& draft) {
  static constexpr std::array<std::string_view, 4> kKeys = {"kubernetes.io/hostname",
                                                            "topology.kubernetes.io/zone", "zone", "rack"};
  // "rack" is on no node.
  return std::string(draft.random.percent(95) ? kKeys[static_cast<std::size_t>(draft.random.below(3))]
                                              : kKeys[3]);
}

PodAffinityTerm term(Draft& draft) {
  PodAffinityTerm result;
  result.topology_key = topology_key(draft);
  if (!draft.random.percent(5)) result.label_selector = pod_selector(draft);
  if (draft.has(Feature::kNamespaces) && draft.random.percent(30)) {
    result.namespaces.push_back(draft.random.pick(draft.namespaces));
    if (draft.random.percent(20)) result.namespaces.emplace_back("nowhere");
  }
  if (draft.now(Feature::kNamespaceSelectors)) result.namespace_selector = namespace_selector(draft);
  return result;
}

std::vector<PodAffinityTerm> terms(Draft& draft) {
  std::vector<PodAffinityTerm> result;
  const int count = draft.random.percent(75) ? 1 : 2;
  for (int i = 0; i < count; ++i) result.push_back(term(draft));
  return result;
}

TopologySpreadConstraint constraint(Draft& draft, const Pod& preemptor) {
  TopologySpreadConstraint result;
  const bool in_the_way = draft.conflict == Feature::kTopologySpread;
  result.max_skew = draft.random.percent(in_the_way ? 80 : 50) ? 1 : 2;
  result.topology_key = topology_key(draft);
  if (draft.random.percent(10)) result.when_unsatisfiable = UnsatisfiableAction::kScheduleAnyway;
  // Absent and empty selectors count in the patches what PreFilter did not count.
  if (draft.random.percent(90)) {
    result.label_selector = draft.random.percent(10) ? LabelSelector{} : pod_selector(draft);
    // Mostly people spread the pods that are like this one.
    const auto app = preemptor.labels.find("app");
    if (app != preemptor.labels.end() && draft.random.percent(in_the_way ? 90 : 50)) {
      result.label_selector = LabelSelector{.match_labels = {{"app", app->second}}, .match_expressions = {}};
    }
  }
  if (draft.random.percent(30) && result.when_unsatisfiable == UnsatisfiableAction::kDoNotSchedule) {
    result.min_domains = draft.random.between(1, 3);
  }
  if (draft.random.percent(30)) result.node_affinity_policy = NodeInclusionPolicy::kIgnore;
  if (draft.random.percent(30)) result.node_taints_policy = NodeInclusionPolicy::kHonor;
  if (result.label_selector && draft.random.percent(25)) {
    const auto uses = [&](std::string_view key) {
      return result.label_selector->match_labels.contains(key) ||
             std::any_of(result.label_selector->match_expressions.begin(),
                         result.label_selector->match_expressions.end(),
                         [&](const SelectorRequirement& part) { return part.key == key; });
    };
    // A key may not be in both (validation: ValidateMatchLabelKeysInTopologySpread).
    if (!uses("tier")) result.match_label_keys.emplace_back("tier");
    if (!uses("app") && draft.random.percent(50)) result.match_label_keys.emplace_back("app");
    if (draft.random.percent(20)) result.match_label_keys.emplace_back("version");  // on no pod
  }
  return result;
}

/// One of the preemptor's own selectors, so that the whole attempt fails or rejects.
void spoil_one(Draft& draft, Pod& preemptor) {
  std::vector<LabelSelector*> selectors;
  const auto note = [&](std::optional<LabelSelector>& selector) {
    if (selector) selectors.push_back(&*selector);
  };
  for (PodAffinityTerm& own : preemptor.affinity.required_pod_affinity) note(own.label_selector);
  for (PodAffinityTerm& own : preemptor.affinity.required_pod_anti_affinity) note(own.label_selector);
  for (TopologySpreadConstraint& own : preemptor.topology_spread_constraints) note(own.label_selector);
  if (!selectors.empty()) spoil(draft, *draft.random.pick(selectors));
}

}  // namespace

void add_running_affinity(Draft& draft, Pod& pod) {
  if (draft.now(Feature::kExistingAntiAffinity) && draft.random.percent(60)) {
    pod.affinity.required_pod_anti_affinity = terms(draft);
    if (draft.has(Feature::kInvalidSelectors) && draft.random.percent(15)) {
      auto& selector = pod.affinity.required_pod_anti_affinity.front().label_selector;
      if (selector) spoil(draft, *selector);
    }
  }
  // A running pod's own affinity filters nothing; it must not be taken for something that does.
  if (draft.now(Feature::kPodAffinity) && draft.random.percent(20))
    pod.affinity.required_pod_affinity = terms(draft);
}

void add_preemptor_topology(Draft& draft, Pod& preemptor) {
  if (draft.now(Feature::kPodAffinity)) preemptor.affinity.required_pod_affinity = terms(draft);
  if (draft.now(Feature::kPodAntiAffinity)) preemptor.affinity.required_pod_anti_affinity = terms(draft);
  if (draft.now(Feature::kTopologySpread)) {
    const int count = draft.random.between(1, 2);
    for (int i = 0; i < count; ++i) {
      TopologySpreadConstraint next = constraint(draft, preemptor);
      // Key and action are unique (validation: ValidateSpreadConstraintNotRepeat).
      auto& all = preemptor.topology_spread_constraints;
      const bool taken = std::any_of(all.begin(), all.end(), [&](const TopologySpreadConstraint& other) {
        return other.topology_key == next.topology_key && other.when_unsatisfiable == next.when_unsatisfiable;
      });
      if (!taken) all.push_back(std::move(next));
    }
  }
  if (draft.now(Feature::kInvalidSelectors) && draft.random.percent(20)) spoil_one(draft, preemptor);
  if (draft.has(Feature::kNamespaces) || draft.has(Feature::kNamespaceSelectors)) {
    for (const std::string& name : draft.namespaces) {
      Namespace ns{.name = name, .labels = {{"kubernetes.io/metadata.name", name}}};
      if (draft.random.percent(60)) ns.labels["team"] = label_value(draft, "app");
      draft.cluster().namespaces.push_back(std::move(ns));
    }
  }
}

void crowd_the_least_domain(Draft& draft, Random& random) {
  if (!draft.settings.features.has(Feature::kNominatedPods) || draft.settings.max_pending < 2) return;
  const Pod preemptor = draft.cluster().pods.back();
  const auto& all = preemptor.topology_spread_constraints;
  const auto chosen = std::ranges::find_if(all, [&](const TopologySpreadConstraint& one) {
    return one.when_unsatisfiable == UnsatisfiableAction::kDoNotSchedule && one.label_selector &&
           !one.label_selector->match_labels.empty();
  });
  if (chosen == all.end()) return;
  const auto counted = [&](const Pod& pod) {
    return pod.namespace_ == preemptor.namespace_ &&
           std::ranges::all_of(chosen->label_selector->match_labels, [&](const auto& wanted) {
             const auto label = pod.labels.find(wanted.first);
             return label != pod.labels.end() && label->second == wanted.second;
           });
  };
  std::map<std::string, int> domains;
  for (const Node& node : draft.cluster().nodes) {
    const auto domain = node.labels.find(chosen->topology_key);
    if (domain == node.labels.end()) continue;
    int& pods = domains[domain->second];
    for (const Pod& pod : draft.cluster().pods) pods += pod.node_name == node.name && counted(pod) ? 1 : 0;
  }
  const Node* target = nullptr;
  for (const Node& node : draft.cluster().nodes) {
    const auto domain = node.labels.find(chosen->topology_key);
    if (domain == node.labels.end()) continue;
    if (target == nullptr ||
        domains[domain->second] < domains[target->labels.find(chosen->topology_key)->second]) {
      target = &node;
    }
  }
  if (target == nullptr || domains.size() < 2) return;
  const int crowd = random.between(2, 3);
  for (int i = 0; i < crowd; ++i) {
    Pod pod;  // that asks for nothing, so that it stands in no other filter's way
    pod.namespace_ = preemptor.namespace_;
    pod.name = draft.new_pod_name(pod.namespace_);
    pod.labels = preemptor.labels;
    for (const auto& [key, value] : chosen->label_selector->match_labels) pod.labels[key] = value;
    pod.priority = draft.preemptor_priority;
    pod.containers.push_back({.name = "c"});
    pod.nominated_node_name = target->name;
    draft.cluster().pods.insert(draft.cluster().pods.end() - 1, std::move(pod));
  }
}

}  // namespace reprieve::generators
