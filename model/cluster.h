// A cluster: every object a decision may depend on, in input order.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reprieve/model/labels.h"
#include "reprieve/model/node.h"
#include "reprieve/model/pod.h"
#include "reprieve/model/volume.h"

namespace reprieve {

/// A PodDisruptionBudget. Source: policy/v1.
struct DisruptionBudget {
  std::string namespace_ = "default";
  std::string name;
  std::optional<LabelSelector> selector;
  std::int32_t disruptions_allowed = 0;               // status.disruptionsAllowed
  std::set<std::string, std::less<>> disrupted_pods;  // names in status.disruptedPods

  bool operator==(const DisruptionBudget&) const = default;
};

struct PriorityClass {
  std::string name;
  std::int32_t value = 0;
  bool global_default = false;
  PreemptionPolicy preemption_policy = PreemptionPolicy::kPreemptLowerPriority;

  bool operator==(const PriorityClass&) const = default;
};

struct Namespace {
  std::string name;
  Labels labels;

  bool operator==(const Namespace&) const = default;
};

/// Order matters: nodes in input order break ties, budgets are charged in input order, and pods
/// of equal importance stay in input order.
///
/// Invariants (manifest/ and the generators keep them): names are unique within a kind (and
/// namespace); no pod is Succeeded or Failed. A pod may name a node that is not in `nodes`; it
/// then holds nothing.
struct Cluster {
  std::vector<Node> nodes;
  std::vector<Pod> pods;  // running, nominated and pending ones
  std::vector<DisruptionBudget> budgets;
  std::vector<PriorityClass> priority_classes;  // already applied to the pods
  std::vector<Namespace> namespaces;
  std::vector<PersistentVolumeClaim> claims;
  std::vector<PersistentVolume> volumes;
  std::vector<StorageClass> storage_classes;
  std::vector<CsiNode> csi_nodes;
  std::vector<CsiDriver> csi_drivers;
  std::vector<VolumeAttachment> volume_attachments;

  bool operator==(const Cluster&) const = default;
};

}  // namespace reprieve
