#include "reprieve/properties/relations/bystanders.h"

#include <utility>
#include <vector>

#include "reprieve/properties/relations/fresh.h"

namespace reprieve::relations {
namespace {

using generators::Random;

template <class T>
void insert_anywhere(std::vector<T>& list, T item, Random& random) {
  const int at = random.below(static_cast<int>(list.size()) + 1);
  list.insert(list.begin() + at, std::move(item));
}

/// Where nobody asks for a label, this tells none of the case's.
Labels new_label(Random& random) { return {{fresh_name(random), fresh_name(random)}}; }

}  // namespace

WithNode with_bystander_node(Case question, Random& random) {
  Node node;
  node.name = fresh_name(random);
  node.unschedulable = true;
  node.taints = {{.key = fresh_name(random), .value = "", .effect = TaintEffect::kNoSchedule}};
  if (random.coin()) node.labels = new_label(random);
  const std::string name_space = fresh_name(random);
  const int pods = random.below(3);
  for (int i = 0; i < pods; ++i) {
    Pod pod;
    pod.namespace_ = name_space;
    pod.name = fresh_name(random);
    pod.node_name = node.name;
    pod.phase = PodPhase::kRunning;
    pod.priority = random.coin() ? random.pick(question.cluster.pods).priority : 0;
    pod.start_time_us = 0;
    pod.containers = {{.name = "c", .requests = {{"cpu", {.units = 1, .milli = 0}}}}};
    insert_anywhere(question.cluster.pods, std::move(pod), random);
  }
  std::string name = node.name;
  insert_anywhere(question.cluster.nodes, std::move(node), random);
  return {.question = std::move(question), .node = std::move(name)};
}

Case with_bystander_namespace(Case question, Random& random) {
  auto& namespaces = question.cluster.namespaces;
  Namespace added;
  added.name = fresh_name(random);
  if (!namespaces.empty() && random.coin()) added.labels = random.pick(namespaces).labels;
  added.labels.merge(new_label(random));
  added.labels["kubernetes.io/metadata.name"] = added.name;
  insert_anywhere(namespaces, std::move(added), random);
  return question;
}

Case with_bystander_budget(Case question, Random& random) {
  auto& budgets = question.cluster.budgets;
  DisruptionBudget added;
  if (!budgets.empty() && random.coin()) {
    added = random.pick(budgets);
    added.namespace_ = fresh_name(random);
  } else {
    added.namespace_ = random.pick(question.cluster.pods).namespace_;
    const SelectorRequirement nobody = {
        .key = fresh_name(random), .op = SelectorOperator::kExists, .values = {}};
    const SelectorRequirement invalid = {.key = "app", .op = SelectorOperator::kIn, .values = {}};
    switch (random.below(4)) {
      case 0: added.selector = LabelSelector{.match_labels = {}, .match_expressions = {nobody}}; break;
      case 1: added.selector = LabelSelector{.match_labels = {}, .match_expressions = {invalid}}; break;
      case 2: added.selector = LabelSelector{}; break;
      default: break;  // none
    }
  }
  added.name = fresh_name(random);
  added.disruptions_allowed = 0;
  insert_anywhere(budgets, std::move(added), random);
  return question;
}

Case with_bystander_label(Case question, Random& random) {
  const std::string key = fresh_name(random);
  const auto add = [&](Labels& labels) {
    if (random.coin()) labels[key] = random.coin() ? "a" : fresh_name(random);
  };
  for (Pod& pod : question.cluster.pods) {
    if (!pod.labels.empty()) add(pod.labels);
  }
  for (Node& node : question.cluster.nodes) add(node.labels);
  for (Namespace& name_space : question.cluster.namespaces) add(name_space.labels);
  return question;
}

Case with_bystander_resource(Case question, Random& random) {
  const std::string name = "example.com/" + fresh_name(random);
  for (Node& node : question.cluster.nodes) {
    if (random.coin()) node.allocatable[name] = {.units = random.below(3), .milli = 0};
  }
  for (Pod& pod : question.cluster.pods) {
    if (full_name(pod) == question.preemptor || random.coin()) continue;
    pod.containers.front().requests[name] = {.units = random.below(4), .milli = 0};
  }
  return question;
}

Case with_bystander_pod(Case question, Random& random) {
  Pod added = random.pick(question.cluster.pods);
  added.name = fresh_name(random);
  added.uid.clear();
  const int place = random.below(3);
  const bool runs = place == 0;
  added.node_name = runs ? fresh_name(random) : "";
  added.phase = runs ? PodPhase::kRunning : PodPhase::kPending;
  added.nominated_node_name = place == 1 ? fresh_name(random) : "";
  insert_anywhere(question.cluster.pods, std::move(added), random);
  return question;
}

Case with_bystander_storage(Case question, Random& random) {
  Cluster& cluster = question.cluster;
  const std::string name = fresh_name(random);
  constexpr std::int64_t kGi = std::int64_t{1} << 30;
  insert_anywhere(cluster.priority_classes, {.name = name, .value = random.below(100)}, random);
  insert_anywhere(cluster.storage_classes,
                  {.name = name, .provisioner = name, .wait_for_first_consumer = random.coin()}, random);
  insert_anywhere(cluster.csi_drivers, {.name = name, .prevent_pod_scheduling_if_missing = true}, random);
  PersistentVolume volume;
  volume.name = name;
  volume.storage_class_name = name;
  volume.access_modes = {AccessMode::kReadWriteOnce};
  volume.capacity = {.units = 1, .milli = 0};  // smaller than all others, so looked at first
  volume.source_kind = "csi";
  volume.csi_driver = name;
  volume.csi_volume_handle = name;
  volume.phase = "Available";
  insert_anywhere(cluster.volumes, std::move(volume), random);
  PersistentVolumeClaim claim;
  claim.namespace_ = random.pick(cluster.pods).namespace_;
  claim.name = name;
  claim.access_modes = {AccessMode::kReadWriteOncePod};
  claim.storage_class_name = name;
  claim.storage_request = {.units = kGi, .milli = 0};
  claim.phase = "Pending";
  insert_anywhere(cluster.claims, std::move(claim), random);
  insert_anywhere(cluster.volume_attachments,
                  {.name = name, .attacher = name, .node_name = name, .persistent_volume_name = name},
                  random);
  return question;
}

Case with_unread_fields_redrawn(Case question, Random& random) {
  // What one pod asks for, another may as well.
  const std::vector<Pod> others = question.cluster.pods;
  for (Pod& pod : question.cluster.pods) {
    if (random.coin()) pod.creation_time_us = random.below(1'000'000);
    if (pod.node_name.empty()) continue;
    const Pod& other = random.pick(others);
    switch (random.below(6)) {
      case 0: pod.affinity.required_pod_affinity = other.affinity.required_pod_affinity; break;
      case 1: pod.affinity.required_node_affinity = other.affinity.required_node_affinity; break;
      case 2: pod.topology_spread_constraints = other.topology_spread_constraints; break;
      case 3: pod.tolerations = other.tolerations; break;
      case 4: pod.node_selector = {{"zone", "a"}}; break;
      default: break;
    }
    if (random.coin()) pod.scheduler_name = random.coin() ? "default-scheduler" : "another-scheduler";
    if (random.coin()) pod.preemption_policy = PreemptionPolicy::kNever;
    if (random.coin()) pod.nominated_node_name = random.pick(question.cluster.nodes).name;
  }
  return question;
}

}  // namespace reprieve::relations
