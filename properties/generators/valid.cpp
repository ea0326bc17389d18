#include "reprieve/properties/generators/valid.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace reprieve::generators {
namespace {

using Fault = std::optional<std::string>;

Fault find_duplicate(const Cluster& cluster) {
  std::set<std::string> seen;
  Fault fault;
  const auto once = [&](std::string name) {
    if (!fault && !seen.insert(name).second) fault = name + " is there twice";
  };
  const auto all = [&](std::string_view kind, const auto& items) {
    for (const auto& item : items) once(fmt::format("{} {}", kind, item.name));
  };
  const auto all_namespaced = [&](std::string_view kind, const auto& items) {
    for (const auto& item : items) once(fmt::format("{} {}/{}", kind, item.namespace_, item.name));
  };
  all("Node", cluster.nodes);
  all_namespaced("Pod", cluster.pods);
  all_namespaced("PodDisruptionBudget", cluster.budgets);
  all("PriorityClass", cluster.priority_classes);
  all("Namespace", cluster.namespaces);
  all_namespaced("PersistentVolumeClaim", cluster.claims);
  all("PersistentVolume", cluster.volumes);
  all("StorageClass", cluster.storage_classes);
  all("CSINode", cluster.csi_nodes);
  all("CSIDriver", cluster.csi_drivers);
  all("VolumeAttachment", cluster.volume_attachments);
  return fault;
}

bool huge_pages_alone(const ResourceList& requests) {
  bool huge_pages = false;
  for (const auto& [name, quantity] : requests) huge_pages |= name.starts_with("hugepages-");
  return huge_pages && !requests.contains("cpu") && !requests.contains("memory");
}

/// Host ports: held once by a pod (checkHostPortConflicts), and equal to the container's under
/// hostNetwork.
Fault find_port_fault(const Pod& pod) {
  std::set<std::string> held;
  for (const Container& container : pod.containers) {
    for (const ContainerPort& port : container.ports) {
      if (pod.host_network && port.host_port != port.container_port) {
        return "has hostNetwork and a hostPort that is not its containerPort";
      }
      if (port.host_port == 0) continue;
      if (!held.insert(fmt::format("{}/{}/{}", port.protocol, port.host_ip, port.host_port)).second) {
        return "holds a host port twice";
      }
    }
  }
  return {};
}

Fault find_fault(const Pod& pod) {
  if (pod.name.empty() || pod.namespace_.empty()) return "has no name";
  if (pod.containers.empty()) return "has no containers";
  if (pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed) return "has ended";
  for (const Container& container : pod.containers) {
    if (container.restart_always) return "has a sidecar among its containers";
    if (huge_pages_alone(container.requests)) return "asks for huge pages without cpu or memory";
  }
  for (const Container& container : pod.init_containers) {
    if (huge_pages_alone(container.requests)) return "asks for huge pages without cpu or memory";
  }
  if (pod.pod_level_requests) {
    // At least the containers' sum (validatePodResourceConsistency).
    for (const auto& [name, quantity] : *pod.pod_level_requests) {
      Quantity sum;
      for (const Container& container : pod.containers) {
        const auto found = container.requests.find(name);
        if (found != container.requests.end()) sum = sum + found->second;
      }
      if (sum > quantity) return "asks for less " + name + " than its containers";
    }
  }
  for (const Toleration& toleration : pod.tolerations) {
    if (toleration.op == TolerationOperator::kInvalid) return "has a toleration of an unknown operator";
  }
  for (const TopologySpreadConstraint& constraint : pod.topology_spread_constraints) {
    if (constraint.max_skew < 1 || constraint.topology_key.empty()) return "has an invalid spread constraint";
    if (constraint.min_domains && (*constraint.min_domains < 1 ||
                                   constraint.when_unsatisfiable != UnsatisfiableAction::kDoNotSchedule)) {
      return "has an invalid minDomains";
    }
  }
  for (const auto* terms : {&pod.affinity.required_pod_affinity, &pod.affinity.required_pod_anti_affinity}) {
    for (const PodAffinityTerm& term : *terms) {
      if (term.topology_key.empty()) return "has an affinity term without topologyKey";
    }
  }
  return find_port_fault(pod);
}

Fault find_preemptor_fault(const Case& question) {
  for (const Pod& pod : question.cluster.pods) {
    if (full_name(pod) != question.preemptor) continue;
    if (!pod.node_name.empty()) return "the preemptor runs already";
    if (!pod.scheduling_gates.empty()) return "the preemptor is gated";
    if (pod.scheduler_name != "default-scheduler") return "the preemptor is another scheduler's";
    if (pod.deletion_time_us) return "the preemptor is terminating";
    return {};
  }
  return "the preemptor " + question.preemptor + " is not there";
}

}  // namespace

Fault find_fault(const Case& question) {
  const Cluster& cluster = question.cluster;
  if (cluster.nodes.empty()) return "there is no node";
  if (Fault fault = find_duplicate(cluster)) return fault;
  if (Fault fault = find_preemptor_fault(question)) return fault;
  for (const Node& node : cluster.nodes) {
    if (node.allocatable.contains("")) return "Node " + node.name + " has a resource without a name";
  }
  for (const Pod& pod : cluster.pods) {
    if (Fault fault = find_fault(pod)) return full_name(pod) + " " + *fault;
  }
  for (const DisruptionBudget& budget : cluster.budgets) {
    if (budget.disruptions_allowed < 0)
      return "PodDisruptionBudget " + budget.name + " allows less than nothing";
  }
  return {};
}

}  // namespace reprieve::generators
