// A Pod: what eligibility, the filters, the budgets and the five-level ordering read of it, with
// the API server's defaults already applied. Source: core/v1 Pod.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/labels.h"
#include "reprieve/model/node.h"
#include "reprieve/model/quantity.h"
#include "reprieve/model/volume.h"

namespace reprieve {

/// Microseconds since 1970-01-01T00:00:00Z.
using TimeUs = std::int64_t;

enum class PreemptionPolicy { kPreemptLowerPriority, kNever };

/// kPending also when the manifest does not say.
enum class PodPhase { kPending, kRunning, kSucceeded, kFailed, kUnknown };

enum class TolerationOperator { kEqual, kExists, kGt, kLt, kInvalid };

struct Toleration {
  std::string key;  // empty with kExists: every key
  TolerationOperator op = TolerationOperator::kEqual;
  std::string value;
  TaintEffect effect = TaintEffect::kAny;

  bool operator==(const Toleration&) const = default;
};

struct ContainerPort {
  std::int32_t container_port = 0;
  std::int32_t host_port = 0;  // 0: none
  std::string protocol = "TCP";
  std::string host_ip;  // empty: all

  bool operator==(const ContainerPort&) const = default;
};

struct Container {
  std::string name;
  ResourceList requests;  // limits have been defaulted into it
  std::vector<ContainerPort> ports;
  bool restart_always = false;          // of an init container: a sidecar
  bool restart_all_containers = false;  // some restartPolicyRule has action RestartAllContainers

  bool operator==(const Container&) const = default;
};

/// status.containerStatuses[] and status.initContainerStatuses[], as far as in-place resize needs
/// them. Absent and empty differ.
struct ContainerStatus {
  std::string name;
  bool has_resources = false;                       // `resources` is present
  std::optional<ResourceList> requests;             // resources.requests
  std::optional<ResourceList> allocated_resources;  // allocatedResources

  bool operator==(const ContainerStatus&) const = default;
};

struct PodCondition {
  std::string type;
  std::string status;
  std::string reason;

  bool operator==(const PodCondition&) const = default;
};

/// One required term of podAffinity or podAntiAffinity. matchLabelKeys and mismatchLabelKeys have
/// been merged into label_selector, as the API server does at creation.
struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;  // absent: no pod
  std::vector<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;  // absent: none; empty: every namespace
  std::string topology_key;

  bool operator==(const PodAffinityTerm&) const = default;
};

/// Only the required parts; preferred ones filter nothing.
struct Affinity {
  std::optional<NodeSelector> required_node_affinity;
  std::vector<PodAffinityTerm> required_pod_affinity;
  std::vector<PodAffinityTerm> required_pod_anti_affinity;

  bool operator==(const Affinity&) const = default;
};

enum class UnsatisfiableAction { kDoNotSchedule, kScheduleAnyway };
enum class NodeInclusionPolicy { kHonor, kIgnore };

struct TopologySpreadConstraint {
  std::int32_t max_skew = 1;
  std::string topology_key;
  UnsatisfiableAction when_unsatisfiable = UnsatisfiableAction::kDoNotSchedule;
  std::optional<LabelSelector> label_selector;  // absent: no pod
  std::optional<std::int32_t> min_domains;
  NodeInclusionPolicy node_affinity_policy = NodeInclusionPolicy::kHonor;
  NodeInclusionPolicy node_taints_policy = NodeInclusionPolicy::kIgnore;
  std::vector<std::string> match_label_keys;

  bool operator==(const TopologySpreadConstraint&) const = default;
};

struct Pod {
  // metadata
  std::string namespace_ = "default";
  std::string name;
  std::string uid;
  Labels labels;
  std::optional<TimeUs> creation_time_us;
  std::optional<TimeUs> deletion_time_us;  // set: terminating

  // spec
  std::int32_t priority = 0;
  PreemptionPolicy preemption_policy = PreemptionPolicy::kPreemptLowerPriority;
  std::string scheduler_name = "default-scheduler";
  std::string node_name;                      // empty: pending
  std::vector<std::string> scheduling_gates;  // names; not empty: gated
  Labels node_selector;
  Affinity affinity;
  std::vector<Toleration> tolerations;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  ResourceList overhead;
  std::optional<ResourceList> pod_level_requests;  // spec.resources.requests
  bool host_network = false;
  std::optional<bool> host_users;
  std::vector<PodVolume> volumes;
  std::vector<std::string> resource_claims;  // names of spec.resourceClaims; not modelled, reported
  std::string scheduling_group;              // spec.schedulingGroup's name; not modelled, reported
  std::optional<std::int64_t> termination_grace_period_s;  // absent: 30, the API's default

  // status
  PodPhase phase = PodPhase::kPending;
  std::optional<TimeUs> start_time_us;
  std::string nominated_node_name;
  std::vector<PodCondition> conditions;
  std::vector<ContainerStatus> container_statuses;
  std::vector<ContainerStatus> init_container_statuses;
  bool has_status_resources = false;             // status.resources is present
  std::optional<ResourceList> status_requests;   // status.resources.requests
  std::optional<ResourceList> status_allocated;  // status.allocatedResources

  bool operator==(const Pod&) const = default;
};

/// "namespace/name", the way a pod is named everywhere in input and output.
inline std::string full_name(const Pod& pod) { return pod.namespace_ + "/" + pod.name; }

}  // namespace reprieve
