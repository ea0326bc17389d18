// The fields of the records that make a pod, in order. Internal to codec/.
#pragma once

#include "reprieve/fuzz/codec/pools.h"
#include "reprieve/fuzz/codec/record.h"
#include "reprieve/model/pod.h"

namespace reprieve::fuzz::layout {

constexpr std::string_view kUsualGate = "example.com/gate";

/// The uid that the generators give.
inline std::string derived_uid(const Pod& pod) { return "u-" + pod.namespace_ + "-" + pod.name; }
constexpr PodPhase usual_phase(bool runs) { return runs ? PodPhase::kRunning : PodPhase::kPending; }

/// What is first in one byte: how a pod goes and why, as one of a few.
inline constexpr std::array<std::array<std::string_view, 3>, 6> kUsualConditions = {
    {{"DisruptionTarget", "True", "PreemptionByScheduler"},
     {"DisruptionTarget", "False", "PreemptionByScheduler"},
     {"DisruptionTarget", "True", "EvictionByEvictionAPI"},
     {"DisruptionTarget", "True", "DeletionByTaintManager"},
     {"PodResizePending", "True", "Infeasible"},
     {"PodResizePending", "True", "Deferred"}}};

/// The index in kUsualConditions of the pod's first condition, plus one; 0: none of them.
inline int usual_condition(const Pod& pod) {
  if (pod.conditions.empty()) return 0;
  const PodCondition& first = pod.conditions.front();
  for (std::size_t i = 0; i < kUsualConditions.size(); ++i) {
    const auto& [type, status, reason] = kUsualConditions[i];
    if (first.type == type && first.status == status && first.reason == reason)
      return static_cast<int>(i) + 1;
  }
  return 0;
}

inline constexpr std::array<std::string_view, 6> kInlinedResources = {
    "cpu", "memory", "example.com/gpu", "hugepages-2Mi", "ephemeral-storage", "hugepages-1Gi"};
inline constexpr std::array<std::string_view, 7> kInlinedInNode = {
    "cpu", "memory", "example.com/gpu", "hugepages-2Mi", "ephemeral-storage", "hugepages-1Gi", "pods"};
inline constexpr std::span kInlinedInStatus = std::span(kInlinedResources).first<5>();
inline constexpr std::span kInlinedInPod = std::span(kInlinedResources).first<4>();

template <class Io>
void resources(Io& io, typename Io::template Ref<ResourceList> values) {
  io.amount("cpu", values);
  io.amount("memory", values);
  io.amount("example.com/gpu", values);
  io.amount("hugepages-2Mi", values);
  io.amount("ephemeral-storage", values);
  io.amount("hugepages-1Gi", values);
}

/// A pod with its first container, which is there already.
template <class Io>
void pod(Io& io, typename Io::template Ref<Pod> pod, bool preemptor) {
  bool never = pod.preemption_policy == PreemptionPolicy::kNever;
  bool other_scheduler = pod.scheduler_name == "other-scheduler";
  bool gated = !pod.scheduling_gates.empty() && pod.scheduling_gates.front() == kUsualGate;
  bool other_phase = pod.phase != usual_phase(!pod.node_name.empty());
  bool uid = !pod.uid.empty() && pod.uid == derived_uid(pod);
  io.text(pools::kPodNames, pod.name);
  io.text(pools::kNamespaces, pod.namespace_);
  io.node(pod.node_name);
  io.number(Field::kPriority, preemptor ? Numbers(pools::kPreemptorPriorities) : Numbers(pools::kPriorities),
            pod.priority);
  io.number(Field::kStartTime, pools::kTimes, pod.start_time_us);
  io.entry(pod.labels, "app", pools::kApps);
  io.entry(pod.labels, "tier", pools::kTiers);
  auto& container = pod.containers.front();
  io.amount("cpu", container.requests);
  io.amount("memory", container.requests);
  io.amount("example.com/gpu", container.requests);
  io.flags(never, other_scheduler, gated, other_phase, uid, pod.host_network,
           container.restart_all_containers);
  std::uint8_t end = static_cast<std::uint8_t>(usual_condition(pod) * 2 + (pod.deletion_time_us ? 1 : 0));
  io.choice(end, 256);
  io.node(pod.nominated_node_name);
  io.text(pools::kContainerNames, container.name);
  io.amount("hugepages-2Mi", container.requests);
  if constexpr (Io::kReads) {
    if (never) pod.preemption_policy = PreemptionPolicy::kNever;
    if (other_scheduler) pod.scheduler_name = "other-scheduler";
    if (gated) pod.scheduling_gates.emplace_back(kUsualGate);
    pod.phase = usual_phase(!pod.node_name.empty() != other_phase);
    // Most pods stay, so most values say so.
    if (end >= 2 * (kUsualConditions.size() + 1)) end = 0;
    if ((end & 1) != 0) pod.deletion_time_us = pools::kDeletionTimes[0];
    if (end >= 2) {
      const auto& [type, status, reason] = kUsualConditions[end / 2 - 1U];
      pod.conditions.push_back({std::string(type), std::string(status), std::string(reason)});
    }
    if (uid) pod.uid = derived_uid(pod);
  }
}

/// What few pods have.
template <class Io>
void pod_extra(Io& io, typename Io::template Ref<Pod> pod,
               typename Io::template Ref<std::vector<std::string>> gates,
               typename Io::template Ref<std::optional<std::string>> uid,
               typename Io::template Ref<std::optional<std::string>> scheduler) {
  io.optional_text(pools::kOptionalTexts, uid);
  io.optional_text(pools::kSchedulers, scheduler);
  io.text(pools::kOptionalTexts, pod.scheduling_group);
  if constexpr (Io::kReads) {
    // A second record of this kind takes the place of the first.
    pod.resource_claims.clear();
    gates.resize(!gates.empty() && gates.front() == kUsualGate ? 1 : 0);
  }
  io.items(pools::kResourceClaims, pod.resource_claims, 3);
  io.items(pools::kGates, gates, 2);
  io.number(Field::kGracePeriod, pools::kGracePeriods_s, pod.termination_grace_period_s);
  io.number(Field::kCreationTime, pools::kTimes, pod.creation_time_us);
  std::uint8_t users = !pod.host_users ? 0 : *pod.host_users ? 1 : 2;
  io.choice(users, 3);
  bool unknown = pod.phase == PodPhase::kUnknown;
  bool node_affinity = pod.affinity.required_node_affinity.has_value();
  io.flags(unknown, node_affinity, pod.has_status_resources);
  if constexpr (Io::kReads) {
    if (users != 0) pod.host_users = users == 1;
    if (unknown) pod.phase = PodPhase::kUnknown;
    if (node_affinity && !pod.affinity.required_node_affinity) pod.affinity.required_node_affinity.emplace();
  }
}

template <class Io>
void condition(Io& io, typename Io::template Ref<PodCondition> condition) {
  io.text(pools::kConditionTypes, condition.type);
  io.text(pools::kConditionStatuses, condition.status);
  io.text(pools::kConditionReasons, condition.reason);
}

template <class Io>
void container(Io& io, typename Io::template Ref<Container> container) {
  io.text(pools::kContainerNames, container.name);
  resources(io, container.requests);
  io.flags(container.restart_always, container.restart_all_containers);
}

template <class Io>
void port(Io& io, typename Io::template Ref<ContainerPort> port) {
  io.number(Field::kContainerPort, pools::kPorts, port.container_port);
  io.number(Field::kHostPort, pools::kHostPorts, port.host_port);
  io.text(pools::kProtocols, port.protocol);
  io.text(pools::kAddresses, port.host_ip);
}

template <class Io>
void status(Io& io, typename Io::template Ref<ContainerStatus> status) {
  bool requests = status.requests.has_value();
  bool allocated = status.allocated_resources.has_value();
  io.text(pools::kContainerNames, status.name);
  io.flags(status.has_resources, requests, allocated);
  if constexpr (Io::kReads) {
    if (requests && status.has_resources) status.requests.emplace();
    if (allocated) status.allocated_resources.emplace();
  }
  // Without a list the bytes are there all the same, and mean nothing.
  ResourceList none;
  const auto five = [&io](auto& values) {
    io.amount("cpu", values);
    io.amount("memory", values);
    io.amount("example.com/gpu", values);
    io.amount("hugepages-2Mi", values);
    io.amount("ephemeral-storage", values);
  };
  if (status.requests) {
    five(*status.requests);
  } else {
    five(none);
  }
  none.clear();
  if (status.allocated_resources) {
    five(*status.allocated_resources);
  } else {
    five(none);
  }
}

template <class Io>
void toleration(Io& io, typename Io::template Ref<Toleration> toleration) {
  io.text(pools::kTaintKeys, toleration.key);
  io.choice(toleration.op, 4);  // the API knows no other
  io.text(pools::kTaintValues, toleration.value);
  io.choice(toleration.effect, 4);
}

/// The first labels of a selector that is nearly always one of these; more follow as kSelectorLabel.
template <class Io>
void selector(Io& io, typename Io::template Ref<std::optional<LabelSelector>> selector) {
  bool there = selector.has_value();
  io.flags(there);
  if constexpr (Io::kReads) {
    Labels unused;
    if (there) selector.emplace();
    Labels& labels = there ? selector->match_labels : unused;
    io.entry(labels, "app", pools::kApps);
    io.entry(labels, "tier", pools::kTiers);
  } else {
    static const Labels kNone;
    const Labels& labels = there ? selector->match_labels : kNone;
    io.entry(labels, "app", pools::kApps);
    io.entry(labels, "tier", pools::kTiers);
  }
}

template <class Io>
void affinity_term(Io& io, typename Io::template Ref<PodAffinityTerm> term) {
  bool namespace_selector = term.namespace_selector.has_value();
  io.text(pools::kTopologyKeys, term.topology_key);
  selector(io, term.label_selector);
  io.flags(namespace_selector);
  io.items(pools::kTermNamespaces, term.namespaces, 3);
  if constexpr (Io::kReads) {
    if (namespace_selector) term.namespace_selector.emplace();
  }
}

template <class Io>
void spread(Io& io, typename Io::template Ref<TopologySpreadConstraint> constraint) {
  io.number(Field::kMaxSkew, pools::kSkews, constraint.max_skew);
  io.text(pools::kTopologyKeys, constraint.topology_key);
  io.choice(constraint.when_unsatisfiable, 2);
  selector(io, constraint.label_selector);
  io.number(Field::kMinDomains, pools::kSkews, constraint.min_domains);
  io.choice(constraint.node_affinity_policy, 2);
  io.choice(constraint.node_taints_policy, 2);
  io.items(pools::kLabelKeys, constraint.match_label_keys, 4);
}

template <class Io>
void pod_volume(Io& io, typename Io::template Ref<PodVolume> volume) {
  io.text(pools::kPodVolumeNames, volume.name);
  io.choice(volume.kind, 8);
  io.text(pools::kClaimSources, volume.source);
  io.flags(volume.read_only);
  io.text(pools::kRbdPools, volume.rbd_pool);
  io.items(pools::kMonitors, volume.rbd_monitors, 4);
}

}  // namespace reprieve::fuzz::layout
