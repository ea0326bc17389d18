// Pods as manifests.
#include <utility>

#include "reprieve/manifest/write_objects.h"

namespace reprieve::manifest {
namespace {

std::string_view operator_text(TolerationOperator op) {
  switch (op) {
    case TolerationOperator::kEqual: return "Equal";
    case TolerationOperator::kExists: return "Exists";
    case TolerationOperator::kGt: return "Gt";
    case TolerationOperator::kLt: return "Lt";
    case TolerationOperator::kInvalid: return "Invalid";
  }
  std::unreachable();
}

std::string_view phase_text(PodPhase phase) {
  switch (phase) {
    case PodPhase::kPending: return "Pending";
    case PodPhase::kRunning: return "Running";
    case PodPhase::kSucceeded: return "Succeeded";
    case PodPhase::kFailed: return "Failed";
    case PodPhase::kUnknown: return "Unknown";
  }
  std::unreachable();
}

void set_text(Document& map, std::string_view key, std::string_view value) {
  if (!value.empty()) map.set(key, Document::text(value));
}

Document named(std::string_view name) {
  Document item = Document::map();
  item.set("name", Document::text(name));
  return item;
}

/// `{requests: {...}}`. The requests are written even when empty, because present-and-empty is
/// another thing than absent (pod-level resources, in-place resize).
Document requests_document(const ResourceList& requests) {
  Document document = Document::map();
  document.set("requests", resources_document(requests));
  return document;
}

Document toleration_document(const Toleration& toleration, Detail detail) {
  Document item = Document::map();
  set_text(item, "key", toleration.key);
  if (detail == Detail::kDefaulted || toleration.op != TolerationOperator::kEqual) {
    item.set("operator", Document::text(operator_text(toleration.op)));
  }
  set_text(item, "value", toleration.value);
  set_text(item, "effect", effect_text(toleration.effect));
  return item;
}

Document port_document(const ContainerPort& port, Detail detail) {
  Document item = Document::map();
  item.set("containerPort", Document::number(port.container_port));
  if (port.host_port != 0) item.set("hostPort", Document::number(port.host_port));
  if (detail == Detail::kDefaulted || port.protocol != "TCP")
    item.set("protocol", Document::text(port.protocol));
  set_text(item, "hostIP", port.host_ip);
  return item;
}

/// A rule whose exit code never matters here: NodeDeclaredFeatures only looks at the action
/// (component-helpers nodedeclaredfeatures/features/restartallcontainers).
Document restart_all_containers_rules() {
  Document codes = Document::map();
  codes.set("operator", Document::text("In")).set("values", Document::list().add(Document::number(1)));
  Document rule = Document::map();
  rule.set("action", Document::text("RestartAllContainers")).set("exitCodes", std::move(codes));
  return Document::list().add(std::move(rule));
}

Document container_document(const Container& container, Detail detail) {
  Document item = named(container.name);
  if (container.restart_always) {
    item.set("restartPolicy", Document::text("Always"));
  } else if (container.restart_all_containers) {
    item.set("restartPolicy", Document::text("Never"));  // rules need a policy beside them
  }
  if (container.restart_all_containers) item.set("restartPolicyRules", restart_all_containers_rules());
  if (!container.requests.empty()) item.set("resources", requests_document(container.requests));
  Document ports = Document::list();
  for (const ContainerPort& port : container.ports) ports.add(port_document(port, detail));
  item.set_unless_empty("ports", std::move(ports));
  return item;
}

Document containers_document(const std::vector<Container>& containers, Detail detail) {
  Document list = Document::list();
  for (const Container& container : containers) list.add(container_document(container, detail));
  return list;
}

Document affinity_term_document(const PodAffinityTerm& term) {
  Document item = Document::map();
  if (term.label_selector) item.set("labelSelector", selector_document(*term.label_selector));
  item.set_unless_empty("namespaces", Document::texts(term.namespaces));
  if (term.namespace_selector) item.set("namespaceSelector", selector_document(*term.namespace_selector));
  item.set("topologyKey", Document::text(term.topology_key));
  return item;
}

Document required(Document value) {
  Document document = Document::map();
  document.set("requiredDuringSchedulingIgnoredDuringExecution", std::move(value));
  return document;
}

Document affinity_document(const Affinity& affinity) {
  Document document = Document::map();
  if (affinity.required_node_affinity) {
    document.set("nodeAffinity", required(node_selector_document(*affinity.required_node_affinity)));
  }
  const auto set_terms = [&](std::string_view key, const std::vector<PodAffinityTerm>& terms) {
    if (terms.empty()) return;
    Document list = Document::list();
    for (const PodAffinityTerm& term : terms) list.add(affinity_term_document(term));
    document.set(key, required(std::move(list)));
  };
  set_terms("podAffinity", affinity.required_pod_affinity);
  set_terms("podAntiAffinity", affinity.required_pod_anti_affinity);
  return document;
}

Document spread_document(const TopologySpreadConstraint& constraint, Detail detail) {
  const bool all = detail == Detail::kDefaulted;
  const auto policy_text = [](NodeInclusionPolicy policy) {
    return Document::text(policy == NodeInclusionPolicy::kHonor ? "Honor" : "Ignore");
  };
  Document item = Document::map();
  item.set("maxSkew", Document::number(constraint.max_skew))
      .set("topologyKey", Document::text(constraint.topology_key))
      .set("whenUnsatisfiable",
           Document::text(constraint.when_unsatisfiable == UnsatisfiableAction::kDoNotSchedule
                              ? "DoNotSchedule"
                              : "ScheduleAnyway"));
  if (constraint.label_selector) item.set("labelSelector", selector_document(*constraint.label_selector));
  if (constraint.min_domains) item.set("minDomains", Document::number(*constraint.min_domains));
  if (all || constraint.node_affinity_policy != NodeInclusionPolicy::kHonor) {
    item.set("nodeAffinityPolicy", policy_text(constraint.node_affinity_policy));
  }
  if (all || constraint.node_taints_policy != NodeInclusionPolicy::kIgnore) {
    item.set("nodeTaintsPolicy", policy_text(constraint.node_taints_policy));
  }
  item.set_unless_empty("matchLabelKeys", Document::texts(constraint.match_label_keys));
  return item;
}

Document pod_volume_document(const PodVolume& volume) {
  Document source = Document::map();
  const auto set_read_only = [&] {
    if (volume.read_only) source.set("readOnly", Document::boolean(true));
  };
  std::string_view kind;
  switch (volume.kind) {
    case VolumeKind::kClaim:
      kind = "persistentVolumeClaim";
      source.set("claimName", Document::text(volume.source));
      set_read_only();
      break;
    case VolumeKind::kEphemeral:
      // The template is for the controller that makes the claim; the scheduler reads the claim.
      kind = "ephemeral";
      break;
    case VolumeKind::kGcePersistentDisk:
      kind = "gcePersistentDisk";
      source.set("pdName", Document::text(volume.source));
      set_read_only();
      break;
    case VolumeKind::kAwsElasticBlockStore:
      kind = "awsElasticBlockStore";
      source.set("volumeID", Document::text(volume.source));
      set_read_only();
      break;
    case VolumeKind::kIscsi:
      kind = "iscsi";
      source.set("targetPortal", Document::text("10.0.0.1:3260"))
          .set("iqn", Document::text(volume.source))
          .set("lun", Document::number(0));
      set_read_only();
      break;
    case VolumeKind::kRbd:
      kind = "rbd";
      source.set("monitors", Document::texts(volume.rbd_monitors))
          .set("image", Document::text(volume.source));
      set_text(source, "pool", volume.rbd_pool);
      set_read_only();
      break;
    case VolumeKind::kOtherMigratable:
      kind = "azureDisk";
      source.set("diskName", Document::text(volume.source)).set("diskURI", Document::text(volume.source));
      set_read_only();
      break;
    case VolumeKind::kOther: kind = "emptyDir"; break;
  }
  Document item = named(volume.name);
  item.set(kind, std::move(source));
  return item;
}

Document statuses_document(const std::vector<ContainerStatus>& statuses) {
  Document list = Document::list();
  for (const ContainerStatus& status : statuses) {
    Document item = named(status.name);
    if (status.has_resources) {
      item.set("resources", status.requests ? requests_document(*status.requests) : Document::map());
    }
    if (status.allocated_resources)
      item.set("allocatedResources", resources_document(*status.allocated_resources));
    list.add(std::move(item));
  }
  return list;
}

Document pod_metadata(const Pod& pod, Detail detail) {
  Document metadata = metadata_document(pod.namespace_, pod.name, detail);
  set_text(metadata, "uid", pod.uid);
  metadata.set_unless_empty("labels", labels_document(pod.labels));
  if (pod.creation_time_us) {
    metadata.set("creationTimestamp", Document::text(time_text(*pod.creation_time_us)));
  }
  if (pod.deletion_time_us) {
    metadata.set("deletionTimestamp", Document::text(time_text(*pod.deletion_time_us)));
  }
  return metadata;
}

Document pod_spec(const Pod& pod, Detail detail, bool classes_set_policy) {
  const bool all = detail == Detail::kDefaulted;
  Document spec = Document::map();
  set_text(spec, "nodeName", pod.node_name);
  // The priority is what all this is about: written even when it is 0.
  spec.set("priority", Document::number(pod.priority));
  if (all || classes_set_policy || pod.preemption_policy != PreemptionPolicy::kPreemptLowerPriority) {
    spec.set(
        "preemptionPolicy",
        Document::text(pod.preemption_policy == PreemptionPolicy::kNever ? "Never" : "PreemptLowerPriority"));
  }
  if (all || pod.scheduler_name != "default-scheduler") {
    spec.set("schedulerName", Document::text(pod.scheduler_name));
  }
  const auto names = [](const std::vector<std::string>& values) {
    Document list = Document::list();
    for (const std::string& value : values) list.add(named(value));
    return list;
  };
  spec.set_unless_empty("schedulingGates", names(pod.scheduling_gates));
  if (pod.host_network) spec.set("hostNetwork", Document::boolean(true));
  if (pod.host_users) spec.set("hostUsers", Document::boolean(*pod.host_users));
  if (pod.termination_grace_period_s) {
    spec.set("terminationGracePeriodSeconds", Document::number(*pod.termination_grace_period_s));
  }
  spec.set_unless_empty("nodeSelector", labels_document(pod.node_selector))
      .set_unless_empty("affinity", affinity_document(pod.affinity));
  Document tolerations = Document::list();
  for (const Toleration& toleration : pod.tolerations)
    tolerations.add(toleration_document(toleration, detail));
  spec.set_unless_empty("tolerations", std::move(tolerations));
  Document constraints = Document::list();
  for (const auto& constraint : pod.topology_spread_constraints) {
    constraints.add(spread_document(constraint, detail));
  }
  spec.set_unless_empty("topologySpreadConstraints", std::move(constraints));
  if (pod.pod_level_requests) spec.set("resources", requests_document(*pod.pod_level_requests));
  spec.set_unless_empty("overhead", resources_document(pod.overhead));
  Document volumes = Document::list();
  for (const PodVolume& volume : pod.volumes) volumes.add(pod_volume_document(volume));
  spec.set_unless_empty("volumes", std::move(volumes));
  Document claims = Document::list();
  for (const std::string& name : pod.resource_claims) {
    claims.add(named(name).set("resourceClaimName", Document::text(name)));
  }
  spec.set_unless_empty("resourceClaims", std::move(claims));
  if (!pod.scheduling_group.empty()) {
    Document group = Document::map();
    group.set("podGroupName", Document::text(pod.scheduling_group));
    spec.set("schedulingGroup", std::move(group));
  }
  spec.set_unless_empty("initContainers", containers_document(pod.init_containers, detail))
      .set_unless_empty("containers", containers_document(pod.containers, detail));
  return spec;
}

Document pod_status(const Pod& pod, Detail detail) {
  Document status = Document::map();
  if (detail == Detail::kDefaulted || pod.phase != PodPhase::kPending) {
    status.set("phase", Document::text(phase_text(pod.phase)));
  }
  if (pod.start_time_us) status.set("startTime", Document::text(time_text(*pod.start_time_us)));
  set_text(status, "nominatedNodeName", pod.nominated_node_name);
  Document conditions = Document::list();
  for (const PodCondition& condition : pod.conditions) {
    Document item = Document::map();
    item.set("type", Document::text(condition.type)).set("status", Document::text(condition.status));
    set_text(item, "reason", condition.reason);
    conditions.add(std::move(item));
  }
  status.set_unless_empty("conditions", std::move(conditions));
  if (pod.has_status_resources) {
    status.set("resources", pod.status_requests ? requests_document(*pod.status_requests) : Document::map());
  }
  if (pod.status_allocated) status.set("allocatedResources", resources_document(*pod.status_allocated));
  status.set_unless_empty("initContainerStatuses", statuses_document(pod.init_container_statuses))
      .set_unless_empty("containerStatuses", statuses_document(pod.container_statuses));
  return status;
}

}  // namespace

Document pod_document(const Pod& pod, Detail detail, bool classes_set_policy) {
  Document document = object_document("v1", "Pod");
  document.set("metadata", pod_metadata(pod, detail)).set("spec", pod_spec(pod, detail, classes_set_policy));
  Document status = pod_status(pod, detail);
  document.set_unless_empty("status", std::move(status));
  return document;
}

}  // namespace reprieve::manifest
