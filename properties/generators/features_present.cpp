// Recognises each feature in a finished case.
#include <algorithm>
#include <set>

#include "reprieve/properties/generators/features.h"

namespace reprieve::generators {
namespace {

constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

/// The syntax of a label value (apimachinery util/validation IsValidLabelValue).
bool is_label_value(std::string_view value) {
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (value.empty()) return true;
  if (value.size() > 63 || !alphanumeric(value.front()) || !alphanumeric(value.back())) return false;
  return std::all_of(value.begin(), value.end(),
                     [&](char c) { return alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_invalid(const SelectorRequirement& part, bool of_node) {
  if (part.key.find(' ') != std::string::npos) return true;
  if (!std::all_of(part.values.begin(), part.values.end(), is_label_value)) return true;
  switch (part.op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn: return part.values.empty();
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist: return !part.values.empty();
    case SelectorOperator::kGt:
    case SelectorOperator::kLt: return !of_node || part.values.size() != 1 || !is_number(part.values.front());
    case SelectorOperator::kInvalid: return true;
  }
  return true;
}

bool is_invalid(const LabelSelector& selector) {
  return std::any_of(selector.match_labels.begin(), selector.match_labels.end(),
                     [](const auto& label) { return !is_label_value(label.second); }) ||
         std::any_of(selector.match_expressions.begin(), selector.match_expressions.end(),
                     [](const SelectorRequirement& part) { return is_invalid(part, false); });
}

class Finder {
 public:
  explicit Finder(const Case& question) : case_(question) {
    for (const Node& node : question.cluster.nodes) nodes_.insert(node.name);
  }

  FeatureSet find() {
    for (const Node& node : case_.cluster.nodes) look_at(node);
    for (const Pod& pod : case_.cluster.pods) look_at(pod);
    for (const DisruptionBudget& budget : case_.cluster.budgets) look_at(budget);
    look_at_storage();
    note(Feature::kNamespaces, namespaces_.size() > 1);
    note(Feature::kExtenders, !case_.extenders.empty());
    note(Feature::kSampling, case_.policy.sampling.has_value());
    return found_;
  }

 private:
  void note(Feature feature, bool present) {
    if (present) found_.insert(feature);
  }

  void look_at(const Node& node) {
    note(Feature::kUnschedulable, node.unschedulable);
    note(Feature::kDeclaredFeatures, !node.declared_features.empty());
    const auto pods = node.allocatable.find("pods");
    note(Feature::kPodLimit, pods == node.allocatable.end() || pods->second.units < 110);
    for (const Taint& taint : node.taints) note(Feature::kTaints, taint.key != kUnschedulableTaint);
  }

  void look_at_requests(const ResourceList& requests) {
    bool huge_pages = false;
    for (const auto& [name, quantity] : requests) huge_pages |= name.starts_with("hugepages-");
    note(Feature::kHugePages, huge_pages);
    for (const auto& [name, quantity] : requests) {
      note(Feature::kMemory, name == "memory");
      note(Feature::kEphemeralStorage, name == "ephemeral-storage");
      note(Feature::kExtendedResources, name.find('/') != std::string::npos);
      note(Feature::kZeroRequests, is_zero(quantity) && !huge_pages);
      note(Feature::kFractions, quantity.milli % (name == "cpu" ? 50 : 1000) != 0 ||
                                    (name == "memory" && quantity.units % 1024 != 0));
    }
  }

  void look_at_containers(const Pod& pod) {
    for (const Container& container : pod.containers) {
      look_at_requests(container.requests);
      note(Feature::kDeclaredFeatures, container.restart_all_containers);
      for (const ContainerPort& port : container.ports) note(Feature::kHostPorts, port.host_port != 0);
    }
    for (const Container& container : pod.init_containers) {
      look_at_requests(container.requests);
      note(container.restart_always ? Feature::kSidecars : Feature::kInitContainers, true);
    }
    note(Feature::kContainers, pod.containers.size() > 1);
    note(Feature::kOverhead, !pod.overhead.empty());
    note(Feature::kPodLevelResources, pod.pod_level_requests.has_value());
    note(Feature::kResize, !pod.container_statuses.empty() || !pod.init_container_statuses.empty() ||
                               pod.has_status_resources || pod.status_allocated.has_value());
    note(Feature::kDeclaredFeatures, pod.host_network && pod.host_users == false);
  }

  void look_at_terms(const std::vector<PodAffinityTerm>& terms) {
    for (const PodAffinityTerm& term : terms) {
      note(Feature::kNamespaceSelectors, term.namespace_selector.has_value());
      note(Feature::kInvalidSelectors, (term.label_selector && is_invalid(*term.label_selector)) ||
                                           (term.namespace_selector && is_invalid(*term.namespace_selector)));
    }
  }

  void look_at_placement(const Pod& pod, bool preemptor) {
    note(Feature::kNodeSelector, !pod.node_selector.empty());
    if (pod.affinity.required_node_affinity) {
      for (const NodeSelectorTerm& term : pod.affinity.required_node_affinity->terms) {
        note(Feature::kNodeAffinity, !term.match_expressions.empty());
        note(Feature::kMatchFields, !term.match_fields.empty());
        for (const auto& part : term.match_expressions)
          note(Feature::kInvalidSelectors, is_invalid(part, true));
      }
    }
    for (const Toleration& toleration : pod.tolerations) {
      note(Feature::kInvalidSelectors,
           toleration.op != TolerationOperator::kEqual && toleration.op != TolerationOperator::kExists);
    }
    note(Feature::kPodAffinity, !pod.affinity.required_pod_affinity.empty());
    note(preemptor ? Feature::kPodAntiAffinity : Feature::kExistingAntiAffinity,
         !pod.affinity.required_pod_anti_affinity.empty());
    note(Feature::kTopologySpread, !pod.topology_spread_constraints.empty());
    look_at_terms(pod.affinity.required_pod_affinity);
    look_at_terms(pod.affinity.required_pod_anti_affinity);
  }

  void look_at_volumes(const Pod& pod) {
    for (const PodVolume& volume : pod.volumes) {
      switch (volume.kind) {
        case VolumeKind::kClaim: {
          note(Feature::kClaims, true);
          const auto& claims = case_.cluster.claims;
          note(Feature::kBrokenClaims, std::none_of(claims.begin(), claims.end(), [&](const auto& claim) {
                 return claim.namespace_ == pod.namespace_ && claim.name == volume.source;
               }));
          break;
        }
        case VolumeKind::kEphemeral: note(Feature::kEphemeralVolumes, true); break;
        case VolumeKind::kOther: break;
        default: note(Feature::kInTreeDisks, true);
      }
    }
  }

  void look_at(const Pod& pod) {
    const bool preemptor = full_name(pod) == case_.preemptor;
    namespaces_.insert(pod.namespace_);
    look_at_containers(pod);
    look_at_placement(pod, preemptor);
    look_at_volumes(pod);
    note(Feature::kNegativePriorities, pod.priority < 0 && pod.priority > -100'000);
    note(Feature::kExtremePriorities, pod.priority >= 999'999'999 || pod.priority <= -999'999'999);
    note(Feature::kMissingStartTimes, !pod.node_name.empty() && !pod.start_time_us);
    note(Feature::kGatedPods, !pod.scheduling_gates.empty());
    note(Feature::kOtherSchedulers, pod.scheduler_name != "default-scheduler");
    note(Feature::kTerminatingPods, pod.deletion_time_us.has_value());
    note(Feature::kNeverPreempts, preemptor && pod.preemption_policy == PreemptionPolicy::kNever);
    note(preemptor ? Feature::kOwnNomination : Feature::kNominatedPods, !pod.nominated_node_name.empty());
    for (const std::string& node : {pod.node_name, pod.nominated_node_name}) {
      note(Feature::kAbsentNodes, !node.empty() && !nodes_.contains(node));
    }
  }

  void look_at(const DisruptionBudget& budget) {
    namespaces_.insert(budget.namespace_);
    note(Feature::kBudgets, true);
    note(Feature::kDisruptedPods, !budget.disrupted_pods.empty());
    note(Feature::kInvalidSelectors, budget.selector && is_invalid(*budget.selector));
    note(Feature::kBudgetSelectors, !budget.selector || budget.selector->match_labels.empty() ||
                                        !budget.selector->match_expressions.empty());
  }

  void look_at_storage() {
    const Cluster& cluster = case_.cluster;
    for (const PersistentVolumeClaim& claim : cluster.claims) {
      const auto is_mode = [](AccessMode mode) { return mode == AccessMode::kReadWriteOncePod; };
      note(Feature::kReadWriteOncePod,
           std::any_of(claim.access_modes.begin(), claim.access_modes.end(), is_mode));
      note(Feature::kUnboundClaims, claim.volume_name.empty());
      const bool bound_to_nothing = !claim.volume_name.empty() &&
                                    std::none_of(cluster.volumes.begin(), cluster.volumes.end(),
                                                 [&](const auto& v) { return v.name == claim.volume_name; });
      note(Feature::kBrokenClaims, claim.deleting || claim.phase == "Lost" || bound_to_nothing);
    }
    for (const PersistentVolume& volume : cluster.volumes) {
      note(Feature::kVolumeZones, volume.labels.contains("topology.kubernetes.io/zone"));
      note(Feature::kVolumeNodeAffinity, volume.node_affinity.has_value());
    }
    for (const StorageClass& item : cluster.storage_classes) {
      note(Feature::kVolumeZones, !item.allowed_topologies.empty());
    }
    note(Feature::kAttachLimits, !cluster.csi_nodes.empty());
  }

  const Case& case_;
  std::set<std::string_view> nodes_;
  std::set<std::string_view> namespaces_;
  FeatureSet found_;
};

}  // namespace

FeatureSet features_present(const Case& question) { return Finder(question).find(); }

}  // namespace reprieve::generators
