// Reaches every part of a case that can be taken away or made simpler. One walk serves all edits:
// an edit is "the n-th thing that the walk offers", so nothing has to be listed twice.
//
// A visitor V has:
//   v.list(std::vector<T>&)       may lose any element
//   v.map(std::map<...>&)         may lose any entry
//   v.set(std::set<...>&)         may lose any element
//   v.reset(T& value, T simplest) may become `simplest`
//   v.optional(std::optional<T>&) may become absent
//   v.quantity(name, Quantity&)   may become smaller: an amount of the resource of that name
//   v.integer(T&, T simplest)     may come closer to `simplest`
// Internal to shrink/.
#pragma once

#include "reprieve/model/case.h"

namespace reprieve::shrink {

inline constexpr TimeUs kEpochUs = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z

template <class V>
void walk_requirements(V& v, std::vector<SelectorRequirement>& requirements) {
  v.list(requirements);
  for (SelectorRequirement& requirement : requirements) v.list(requirement.values);
}

template <class V>
void walk_selector(V& v, LabelSelector& selector) {
  v.map(selector.match_labels);
  walk_requirements(v, selector.match_expressions);
}

template <class V>
void walk_optional_selector(V& v, std::optional<LabelSelector>& selector) {
  v.optional(selector);
  if (selector) walk_selector(v, *selector);
}

template <class V>
void walk_node_terms(V& v, std::vector<NodeSelectorTerm>& terms) {
  v.list(terms);
  for (NodeSelectorTerm& term : terms) {
    walk_requirements(v, term.match_expressions);
    walk_requirements(v, term.match_fields);
  }
}

template <class V>
void walk_resources(V& v, ResourceList& resources) {
  v.map(resources);
  for (auto& [name, quantity] : resources) v.quantity(name, quantity);
}

template <class V>
void walk_optional_resources(V& v, std::optional<ResourceList>& resources) {
  v.optional(resources);
  if (resources) walk_resources(v, *resources);
}

template <class V>
void walk_containers(V& v, std::vector<Container>& containers) {
  v.list(containers);
  for (Container& container : containers) {
    walk_resources(v, container.requests);
    v.list(container.ports);
    for (ContainerPort& port : container.ports) {
      v.reset(port.protocol, std::string("TCP"));
      v.reset(port.host_ip, std::string());
      v.reset(port.host_port, port.host_port == 0 ? 0 : 80);
      v.reset(port.container_port, 80);
    }
    v.reset(container.restart_always, false);
    v.reset(container.restart_all_containers, false);
  }
}

template <class V>
void walk_statuses(V& v, std::vector<ContainerStatus>& statuses) {
  v.list(statuses);
  for (ContainerStatus& status : statuses) {
    walk_optional_resources(v, status.allocated_resources);
    walk_optional_resources(v, status.requests);
    if (!status.requests) v.reset(status.has_resources, false);
  }
}

template <class V>
void walk_affinity_terms(V& v, std::vector<PodAffinityTerm>& terms) {
  v.list(terms);
  for (PodAffinityTerm& term : terms) {
    walk_optional_selector(v, term.label_selector);
    v.list(term.namespaces);
    walk_optional_selector(v, term.namespace_selector);
    v.reset(term.topology_key, std::string("kubernetes.io/hostname"));
  }
}

template <class V>
void walk_spread(V& v, std::vector<TopologySpreadConstraint>& constraints) {
  v.list(constraints);
  for (TopologySpreadConstraint& constraint : constraints) {
    v.integer(constraint.max_skew, 1);
    v.reset(constraint.topology_key, std::string("kubernetes.io/hostname"));
    v.reset(constraint.when_unsatisfiable, UnsatisfiableAction::kDoNotSchedule);
    walk_optional_selector(v, constraint.label_selector);
    v.optional(constraint.min_domains);
    v.reset(constraint.node_affinity_policy, NodeInclusionPolicy::kHonor);
    v.reset(constraint.node_taints_policy, NodeInclusionPolicy::kIgnore);
    v.list(constraint.match_label_keys);
  }
}

template <class V>
void walk_volumes_of_pod(V& v, std::vector<PodVolume>& volumes) {
  v.list(volumes);
  for (PodVolume& volume : volumes) {
    v.reset(volume.read_only, false);
    v.list(volume.rbd_monitors);
  }
}

template <class V>
void walk_pod(V& v, Pod& pod) {
  v.map(pod.labels);
  v.optional(pod.creation_time_us);
  v.optional(pod.deletion_time_us);
  v.reset(pod.uid, std::string());
  v.reset(pod.namespace_, std::string("default"));
  v.reset(pod.priority, 0);  // no smaller steps: they would undo the ranking of tidy.h, for ever
  if (pod.start_time_us) v.reset(*pod.start_time_us, kEpochUs);
  v.reset(pod.preemption_policy, PreemptionPolicy::kPreemptLowerPriority);
  v.reset(pod.scheduler_name, std::string("default-scheduler"));
  v.list(pod.scheduling_gates);
  v.map(pod.node_selector);
  v.optional(pod.affinity.required_node_affinity);
  if (pod.affinity.required_node_affinity) walk_node_terms(v, pod.affinity.required_node_affinity->terms);
  walk_affinity_terms(v, pod.affinity.required_pod_affinity);
  walk_affinity_terms(v, pod.affinity.required_pod_anti_affinity);
  v.list(pod.tolerations);
  for (Toleration& toleration : pod.tolerations) {
    v.reset(toleration.effect, TaintEffect::kAny);
    v.reset(toleration.value, std::string());
  }
  walk_spread(v, pod.topology_spread_constraints);
  walk_containers(v, pod.init_containers);
  walk_containers(v, pod.containers);
  walk_resources(v, pod.overhead);
  walk_optional_resources(v, pod.pod_level_requests);
  v.reset(pod.host_network, false);
  v.optional(pod.host_users);
  walk_volumes_of_pod(v, pod.volumes);
  v.list(pod.resource_claims);
  v.reset(pod.scheduling_group, std::string());
  v.optional(pod.termination_grace_period_s);
  v.reset(pod.nominated_node_name, std::string());
  v.list(pod.conditions);
  walk_statuses(v, pod.container_statuses);
  walk_statuses(v, pod.init_container_statuses);
  walk_optional_resources(v, pod.status_requests);
  if (!pod.status_requests) v.reset(pod.has_status_resources, false);
  walk_optional_resources(v, pod.status_allocated);
}

template <class V>
void walk_node(V& v, Node& node) {
  v.map(node.labels);
  v.list(node.taints);
  for (Taint& taint : node.taints) {
    v.reset(taint.value, std::string());
    v.reset(taint.effect, TaintEffect::kNoSchedule);
  }
  v.reset(node.unschedulable, false);
  for (auto& [name, quantity] : node.allocatable) {
    // A node without a pod count takes no pod at all, which nobody expects to read.
    if (name == "pods") {
      v.reset(quantity, Quantity{.units = 110, .milli = 0});
    } else {
      v.quantity(name, quantity);
    }
  }
  v.map(node.allocatable);
  v.list(node.declared_features);
}

template <class V>
void walk_storage(V& v, Cluster& cluster) {
  v.list(cluster.claims);
  for (PersistentVolumeClaim& claim : cluster.claims) {
    v.map(claim.annotations);
    v.reset(claim.deleting, false);
    v.optional(claim.selector);
    v.reset(claim.phase, std::string());
  }
  v.list(cluster.volumes);
  for (PersistentVolume& volume : cluster.volumes) {
    v.map(volume.labels);
    v.optional(volume.node_affinity);
    if (volume.node_affinity) walk_node_terms(v, volume.node_affinity->terms);
  }
  v.list(cluster.storage_classes);
  for (StorageClass& item : cluster.storage_classes) walk_node_terms(v, item.allowed_topologies);
  v.list(cluster.csi_nodes);
  for (CsiNode& csi_node : cluster.csi_nodes) {
    v.list(csi_node.drivers);
    for (CsiNodeDriver& driver : csi_node.drivers) v.optional(driver.allocatable_count);
    v.list(csi_node.migrated_plugins);
  }
  v.list(cluster.csi_drivers);
  v.list(cluster.volume_attachments);
}

template <class V>
void walk_extenders(V& v, std::vector<Extender>& extenders) {
  v.list(extenders);
  for (Extender& extender : extenders) {
    v.reset(extender.ignorable, false);
    v.reset(extender.node_cache_capable, false);
    v.list(extender.managed_resources);
    if (!extender.answer) continue;
    v.map(*extender.answer);
    for (auto& [node, answer] : *extender.answer) {
      v.list(answer.victims);
      v.integer(answer.violations, std::int64_t{0});
    }
  }
}

/// A list of criteria becomes Kubernetes' own, which then stays, or shorter. Never empty: that is no policy.
template <class V, class Criterion>
void walk_criteria(V& v, std::vector<Criterion>& criteria, const std::vector<Criterion>& usual) {
  if (criteria == usual) return;
  v.reset(criteria, usual);
  if (criteria != usual && criteria.size() > 1) v.list(criteria);
}

template <class V>
void walk_policy(V& v, Policy& policy) {
  const Policy usual = kubernetes_policy(policy.release);
  v.optional(policy.sampling);
  v.reset(policy.victims, usual.victims);
  // Only the reprieve in order has classes to count.
  if (policy.victims == usual.victims) v.reset(policy.violations, usual.violations);
  v.reset(policy.charging, usual.charging);
  v.optional(policy.budgets.below_priority);
  if (!policy.budgets.below_priority) v.reset(policy.budgets.guaranteed, false);
  walk_criteria(v, policy.importance, usual.importance);
  walk_criteria(v, policy.node_order, usual.node_order);
}

/// Everything but the lists of nodes and pods themselves, which have passes of their own.
template <class V>
void walk(V& v, Case& question) {
  Cluster& cluster = question.cluster;
  walk_extenders(v, question.extenders);
  walk_policy(v, question.policy);
  v.list(cluster.budgets);
  v.list(cluster.priority_classes);
  v.list(cluster.namespaces);
  walk_storage(v, cluster);
  for (Pod& pod : cluster.pods) walk_pod(v, pod);
  for (Node& node : cluster.nodes) walk_node(v, node);
  for (DisruptionBudget& budget : cluster.budgets) {
    v.reset(budget.namespace_, std::string("default"));
    walk_optional_selector(v, budget.selector);
    v.integer(budget.disruptions_allowed, 0);
    v.set(budget.disrupted_pods);
  }
  for (Namespace& ns : cluster.namespaces) v.map(ns.labels);
}

}  // namespace reprieve::shrink
