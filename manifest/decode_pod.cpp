// Pods.
#include <algorithm>

#include "reprieve/manifest/decode_kinds.h"

namespace reprieve::manifest {
namespace {

template <class Value>
using Word = std::pair<std::string_view, Value>;

constexpr Word<PreemptionPolicy> kPreemptionPolicies[] = {
    {"PreemptLowerPriority", PreemptionPolicy::kPreemptLowerPriority}, {"Never", PreemptionPolicy::kNever}};

constexpr Word<PodPhase> kPhases[] = {{"", PodPhase::kPending},        {"Pending", PodPhase::kPending},
                                      {"Running", PodPhase::kRunning}, {"Succeeded", PodPhase::kSucceeded},
                                      {"Failed", PodPhase::kFailed},   {"Unknown", PodPhase::kUnknown}};

constexpr Word<std::string_view> kProtocols[] = {
    {"", "TCP"}, {"TCP", "TCP"}, {"UDP", "UDP"}, {"SCTP", "SCTP"}};

ContainerPort decode_port(Decoder& decoder, Element value) {
  ContainerPort port;
  const auto number = [&](Element field) {
    return static_cast<std::int32_t>(decoder.integer(field, 0, 65535));
  };
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "containerPort") {
      port.container_port = number(field);
    } else if (key == "hostPort") {
      port.host_port = number(field);
    } else if (key == "protocol") {
      port.protocol = decoder.choice(field, kProtocols);
    } else if (key == "hostIP") {
      port.host_ip = decoder.text(field);
    }
  });
  return port;
}

/// requests and limits of a ResourceRequirements.
void decode_requirements(Decoder& decoder, Element value, std::optional<ResourceList>& requests,
                         ResourceList& limits) {
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "requests") {
      requests = decoder.resources(field);
    } else if (key == "limits") {
      limits = decoder.resources(field);
    }
  });
  // validateContainerResourceRequirements of pkg/apis/core/validation; a request of the protocol comes
  // from a program that need not have asked an API server.
  if (!requests || !decoder.wants_warnings()) return;
  for (const auto& [name, quantity] : *requests) {
    const auto limit = limits.find(name);
    if (limit == limits.end() || quantity <= limit->second) continue;
    const Step steps[] = {{.key = "requests"}, {.key = name}};
    decoder.fail_at(steps, "must not be more than the limit");
  }
}

constexpr std::string_view kIgnoredOfContainer[] = {"args",
                                                    "command",
                                                    "env",
                                                    "envFrom",
                                                    "image",
                                                    "imagePullPolicy",
                                                    "lifecycle",
                                                    "livenessProbe",
                                                    "readinessProbe",
                                                    "resizePolicy",
                                                    "securityContext",
                                                    "startupProbe",
                                                    "stdin",
                                                    "stdinOnce",
                                                    "terminationMessagePath",
                                                    "terminationMessagePolicy",
                                                    "tty",
                                                    "volumeDevices",
                                                    "volumeMounts",
                                                    "workingDir"};

Container decode_container(Decoder& decoder, Element value, ResourceList& limits) {
  Container container;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "name") {
      container.name = decoder.text(field);
    } else if (key == "resources") {
      std::optional<ResourceList> requests;
      decode_requirements(decoder, field, requests, limits);
      if (requests) container.requests = *std::move(requests);
    } else if (key == "ports") {
      decoder.elements(field,
                       [&](Element element) { container.ports.push_back(decode_port(decoder, element)); });
    } else if (key == "restartPolicy") {
      container.restart_always = decoder.text(field) == "Always";
    } else if (key == "restartPolicyRules") {
      decoder.elements(field, [&](Element rule) {
        decoder.fields(rule, [&](std::string_view rule_key, Element action) {
          if (rule_key == "action" && decoder.text(action) == "RestartAllContainers") {
            container.restart_all_containers = true;
          }
        });
      });
    } else {
      decoder.ignore(key, kIgnoredOfContainer, "unknown field of a container");
    }
  });
  return container;
}

std::vector<Container> decode_containers(Decoder& decoder, Element value, std::vector<ResourceList>& limits) {
  std::vector<Container> containers;
  decoder.elements(value, [&](Element element) {
    containers.push_back(decode_container(decoder, element, limits.emplace_back()));
  });
  return containers;
}

/// The field of a volume's source that names the disk, and what stands for a claim.
void decode_volume_source(Decoder& decoder, std::string_view source_kind, Element value, PodVolume& volume) {
  std::string_view name_field;
  if (source_kind == "persistentVolumeClaim") {
    volume.kind = VolumeKind::kClaim;
    name_field = "claimName";
  } else if (source_kind == "ephemeral") {
    volume.kind = VolumeKind::kEphemeral;
    return;
  } else if (source_kind == "gcePersistentDisk") {
    volume.kind = VolumeKind::kGcePersistentDisk;
    name_field = "pdName";
  } else if (source_kind == "awsElasticBlockStore") {
    volume.kind = VolumeKind::kAwsElasticBlockStore;
    name_field = "volumeID";
  } else if (source_kind == "iscsi") {
    volume.kind = VolumeKind::kIscsi;
    name_field = "iqn";
  } else if (source_kind == "rbd") {
    volume.kind = VolumeKind::kRbd;
    volume.rbd_pool = "rbd";  // zz_generated.defaults.go
    name_field = "image";
  } else if (source_kind == "azureDisk") {
    volume.kind = VolumeKind::kOtherMigratable;
    name_field = "diskName";
  } else if (source_kind == "azureFile") {
    volume.kind = VolumeKind::kOtherMigratable;
    name_field = "shareName";
  } else if (source_kind == "cinder" || source_kind == "portworxVolume") {
    volume.kind = VolumeKind::kOtherMigratable;
    name_field = "volumeID";
  } else if (source_kind == "vsphereVolume") {
    volume.kind = VolumeKind::kOtherMigratable;
    name_field = "volumePath";
  } else {
    return;
  }
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == name_field) {
      volume.source = decoder.text(field);
    } else if (key == "readOnly") {
      volume.read_only = decoder.boolean(field);
    } else if (key == "monitors" && volume.kind == VolumeKind::kRbd) {
      volume.rbd_monitors = decoder.texts(field);
    } else if (key == "pool" && volume.kind == VolumeKind::kRbd) {
      if (const std::string_view pool = decoder.text(field); !pool.empty()) volume.rbd_pool = pool;
    }
  });
  if (volume.kind == VolumeKind::kClaim && volume.source.empty()) {
    decoder.fail_at("claimName", "is required");
  }
}

PodVolume decode_pod_volume(Decoder& decoder, Element value) {
  PodVolume volume;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "name") {
      volume.name = decoder.text(field);
    } else {
      decode_volume_source(decoder, key, field, volume);
    }
  });
  return volume;
}

std::vector<std::string> decode_names(Decoder& decoder, Element value) {
  std::vector<std::string> names;
  decoder.elements(value, [&](Element element) {
    std::string& name = names.emplace_back();
    decoder.fields(element, [&](std::string_view key, Element field) {
      if (key == "name") name = decoder.text(field);
    });
  });
  return names;
}

/// What is read of the spec beside what goes into the model.
struct SpecParts {
  AffinityTerms terms;
  PodLimits limits;
};

// What no default filter and no step of preemption reads.
constexpr std::string_view kIgnoredOfSpec[] = {"activeDeadlineSeconds",
                                               "automountServiceAccountToken",
                                               "dnsConfig",
                                               "dnsPolicy",
                                               "enableServiceLinks",
                                               "ephemeralContainers",
                                               "evictionResponders",
                                               "hostAliases",
                                               "hostIPC",
                                               "hostPID",
                                               "hostname",
                                               "hostnameOverride",
                                               "imagePullSecrets",
                                               "os",
                                               "readinessGates",
                                               "restartPolicy",
                                               "runtimeClassName",
                                               "securityContext",
                                               "serviceAccount",
                                               "serviceAccountName",
                                               "setHostnameAsFQDN",
                                               "shareProcessNamespace",
                                               "subdomain"};

void decode_spec_field(Decoder& decoder, std::string_view key, Element field, DecodedPod& decoded,
                       SpecParts& parts) {
  Pod& pod = decoded.pod;
  if (key == "containers") {
    pod.containers = decode_containers(decoder, field, parts.limits.containers);
  } else if (key == "initContainers") {
    pod.init_containers = decode_containers(decoder, field, parts.limits.init_containers);
  } else if (key == "nodeName") {
    pod.node_name = decoder.text(field);
  } else if (key == "priority") {
    pod.priority = decoder.int32(field);
    decoded.has_priority = true;
  } else if (key == "priorityClassName") {
    decoded.priority_class_name = decoder.text(field);
  } else if (key == "preemptionPolicy") {
    pod.preemption_policy = decoder.choice(field, kPreemptionPolicies);
    decoded.has_preemption_policy = true;
  } else if (key == "schedulerName") {
    if (const std::string_view name = decoder.text(field); !name.empty()) pod.scheduler_name = name;
  } else if (key == "tolerations") {
    decoder.elements(
        field, [&](Element element) { pod.tolerations.push_back(decode_toleration(decoder, element)); });
  } else if (key == "volumes") {
    decoder.elements(field,
                     [&](Element element) { pod.volumes.push_back(decode_pod_volume(decoder, element)); });
  } else if (key == "nodeSelector") {
    decoder.labels(field, pod.node_selector);
  } else if (key == "affinity") {
    decode_affinity(decoder, field, pod.affinity, parts.terms);
  } else if (key == "topologySpreadConstraints") {
    decoder.elements(field, [&](Element element) {
      pod.topology_spread_constraints.push_back(decode_spread(decoder, element));
    });
  } else if (key == "overhead") {
    pod.overhead = decoder.resources(field);
  } else if (key == "resources") {
    decode_requirements(decoder, field, pod.pod_level_requests, parts.limits.pod_level);
  } else if (key == "hostNetwork") {
    pod.host_network = decoder.boolean(field);
  } else if (key == "hostUsers") {
    pod.host_users = decoder.boolean(field);
  } else if (key == "schedulingGates") {
    pod.scheduling_gates = decode_names(decoder, field);
  } else if (key == "terminationGracePeriodSeconds") {
    constexpr std::int64_t kMax = std::int64_t{1} << 53;
    const std::int64_t seconds = decoder.integer(field, -kMax, kMax);
    pod.termination_grace_period_s = seconds < 0 ? 1 : seconds;  // SetDefaults_Pod
  } else if (key == "resourceClaims") {
    pod.resource_claims = decode_names(decoder, field);
    if (!pod.resource_claims.empty()) decoder.warn("dynamic resource claims are not modelled");
  } else if (key == "schedulingGroup" || key == "workloadRef") {
    decoder.fields(field, [&](std::string_view group_key, Element name) {
      if (group_key == "podGroupName" || group_key == "name") pod.scheduling_group = decoder.text(name);
    });
    decoder.warn("pod groups are not modelled: the pod is decided on its own");
  } else {
    decoder.ignore(key, kIgnoredOfSpec, "unknown field of a pod's spec");
  }
}

std::vector<ContainerStatus> decode_container_statuses(Decoder& decoder, Element value) {
  std::vector<ContainerStatus> statuses;
  decoder.elements(value, [&](Element element) {
    ContainerStatus& status = statuses.emplace_back();
    decoder.fields(element, [&](std::string_view key, Element field) {
      if (key == "name") {
        status.name = decoder.text(field);
      } else if (key == "allocatedResources") {
        status.allocated_resources = decoder.resources(field);
      } else if (key == "resources") {
        status.has_resources = true;
        decoder.fields(field, [&](std::string_view resources_key, Element requests) {
          if (resources_key == "requests") status.requests = decoder.resources(requests);
        });
      }
    });
  });
  return statuses;
}

PodCondition decode_condition(Decoder& decoder, Element value) {
  PodCondition condition;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "type") {
      condition.type = decoder.text(field);
    } else if (key == "status") {
      condition.status = decoder.text(field);
    } else if (key == "reason") {
      condition.reason = decoder.text(field);
    }
  });
  return condition;
}

void decode_status_field(Decoder& decoder, std::string_view key, Element field, Pod& pod) {
  if (key == "phase") {
    pod.phase = decoder.choice(field, kPhases);
  } else if (key == "startTime") {
    pod.start_time_us = decoder.time(field);
  } else if (key == "nominatedNodeName") {
    pod.nominated_node_name = decoder.text(field);
  } else if (key == "conditions") {
    decoder.elements(field,
                     [&](Element element) { pod.conditions.push_back(decode_condition(decoder, element)); });
  } else if (key == "containerStatuses") {
    pod.container_statuses = decode_container_statuses(decoder, field);
  } else if (key == "initContainerStatuses") {
    pod.init_container_statuses = decode_container_statuses(decoder, field);
  } else if (key == "resources") {
    pod.has_status_resources = true;
    decoder.fields(field, [&](std::string_view resources_key, Element requests) {
      if (resources_key == "requests") pod.status_requests = decoder.resources(requests);
    });
  } else if (key == "allocatedResources") {
    pod.status_allocated = decoder.resources(field);
  } else if (key == "extendedResourceClaimStatus" || key == "nodeAllocatableResourceClaimStatuses") {
    decoder.warn("dynamic resource claims are not modelled");
  }
}

}  // namespace

DecodedPod decode_pod(Decoder& decoder, Element value) {
  DecodedPod decoded;
  Pod& pod = decoded.pod;
  SpecParts parts;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kSkip, metadata);
      pod.namespace_ = std::move(metadata.namespace_);
      pod.name = std::move(metadata.name);
      pod.uid = std::move(metadata.uid);
      pod.labels = std::move(metadata.labels);
      pod.creation_time_us = metadata.creation_time_us;
      pod.deletion_time_us = metadata.deletion_time_us;
    } else if (key == "spec") {
      decoder.fields(field, [&](std::string_view spec_key, Element spec) {
        decode_spec_field(decoder, spec_key, spec, decoded, parts);
      });
    } else if (key == "status") {
      decoder.fields(field, [&](std::string_view status_key, Element status) {
        decode_status_field(decoder, status_key, status, pod);
      });
    } else {
      decoder.ignore(key, kIgnoredOfObject, "unknown field of a pod");
    }
  });
  require_name(decoder, pod.name);
  for (AffinityTerm& term : parts.terms.affinity) {
    merge_label_keys(term, pod.labels);
    pod.affinity.required_pod_affinity.push_back(std::move(term.term));
  }
  for (AffinityTerm& term : parts.terms.anti_affinity) {
    merge_label_keys(term, pod.labels);
    pod.affinity.required_pod_anti_affinity.push_back(std::move(term.term));
  }
  default_pod_resources(pod, parts.limits);
  return decoded;
}

}  // namespace reprieve::manifest
