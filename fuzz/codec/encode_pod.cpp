// Pods as records.
#include "reprieve/fuzz/codec/encoder.h"
#include "reprieve/fuzz/codec/layout_pod.h"

namespace reprieve::fuzz {

void Encoder::pod(const Pod& pod) {
  const bool preemptor = full_name(pod) == question_.preemptor;
  if (pod.containers.empty()) return;  // no valid pod
  record(preemptor ? Kind::kPreemptor : Kind::kPod,
         [&](RecordWriter& io) { layout::pod(io, pod, preemptor); });
  amounts(List::kOwn, pod.containers.front().requests, layout::kInlinedInPod);
  if (pod.deletion_time_us && *pod.deletion_time_us != pools::kDeletionTimes[0]) {
    encoding_.exact.push_back({Field::kDeletionTime, *pod.deletion_time_us});
    exact_numbers();
  }
  pod_extra(pod);
  labels(pod.labels, {"app", "tier"});
  const auto first = static_cast<std::size_t>(layout::usual_condition(pod) != 0 ? 1 : 0);
  for (std::size_t i = first; i < pod.conditions.size(); ++i) {
    record(Kind::kCondition, [&](RecordWriter& io) { layout::condition(io, pod.conditions[i]); });
  }
  containers(pod);
  if (!pod.overhead.empty()) resource_list(List::kOverhead, pod.overhead);
  if (pod.pod_level_requests) resource_list(List::kPodLevel, *pod.pod_level_requests);
  if (pod.status_requests) resource_list(List::kPodStatusRequests, *pod.status_requests);
  if (pod.status_allocated) resource_list(List::kPodStatusAllocated, *pod.status_allocated);
  statuses(pod.container_statuses, false);
  statuses(pod.init_container_statuses, true);
  placement(pod);
  for (const PodVolume& volume : pod.volumes) {
    record(Kind::kPodVolume, [&](RecordWriter& io) { layout::pod_volume(io, volume); });
  }
}

void Encoder::pod_extra(const Pod& pod) {
  const bool derived_uid = !pod.uid.empty() && pod.uid == layout::derived_uid(pod);
  std::optional<std::string> uid, scheduler;
  if (!pod.uid.empty() && !derived_uid) uid = pod.uid;
  if (pod.scheduler_name != "default-scheduler" && pod.scheduler_name != "other-scheduler") {
    scheduler = pod.scheduler_name;
  }
  std::vector<std::string> gates = pod.scheduling_gates;
  if (!gates.empty() && gates.front() == layout::kUsualGate) gates.erase(gates.begin());
  const bool needed = uid || scheduler || !gates.empty() || !pod.scheduling_group.empty() ||
                      !pod.resource_claims.empty() || pod.termination_grace_period_s ||
                      pod.creation_time_us || pod.host_users || pod.phase == PodPhase::kUnknown ||
                      pod.has_status_resources || pod.affinity.required_node_affinity;
  if (needed)
    record(Kind::kPodExtra, [&](RecordWriter& io) { layout::pod_extra(io, pod, gates, uid, scheduler); });
}

void Encoder::containers(const Pod& pod) {
  ports(pod.containers.front());
  const auto rest = [&](const std::vector<Container>& containers, std::size_t from, bool init) {
    for (std::size_t i = from; i < containers.size(); ++i) {
      record(Kind::kContainer, [&](RecordWriter& io) {
        io.flags(init);
        layout::container(io, containers[i]);
      });
      amounts(List::kOwn, containers[i].requests, layout::kInlinedResources);
      ports(containers[i]);
    }
  };
  rest(pod.containers, 1, false);
  rest(pod.init_containers, 0, true);
}

void Encoder::ports(const Container& container) {
  for (const ContainerPort& port : container.ports) {
    record(Kind::kPort, [&](RecordWriter& io) { layout::port(io, port); });
  }
}

void Encoder::statuses(const std::vector<ContainerStatus>& statuses, bool init) {
  for (const ContainerStatus& status : statuses) {
    record(Kind::kStatus, [&](RecordWriter& io) {
      io.flags(init);
      layout::status(io, status);
    });
    if (status.requests) amounts(List::kStatusRequests, *status.requests, layout::kInlinedInStatus);
    if (status.allocated_resources) {
      amounts(List::kStatusAllocated, *status.allocated_resources, layout::kInlinedInStatus);
    }
  }
}

void Encoder::placement(const Pod& pod) {
  labels(pod.node_selector, {}, true);
  if (pod.affinity.required_node_affinity) node_terms(pod.affinity.required_node_affinity->terms);
  for (const Toleration& toleration : pod.tolerations) {
    record(Kind::kToleration, [&](RecordWriter& io) { layout::toleration(io, toleration); });
  }
  affinity_terms(pod.affinity.required_pod_affinity, false);
  affinity_terms(pod.affinity.required_pod_anti_affinity, true);
  for (const TopologySpreadConstraint& constraint : pod.topology_spread_constraints) {
    record(Kind::kSpread, [&](RecordWriter& io) { layout::spread(io, constraint); });
    if (constraint.label_selector) selector(*constraint.label_selector, false);
  }
}

void Encoder::affinity_terms(const std::vector<PodAffinityTerm>& terms, bool anti) {
  for (const PodAffinityTerm& term : terms) {
    record(Kind::kAffinityTerm, [&](RecordWriter& io) {
      io.flags(anti);
      layout::affinity_term(io, term);
    });
    if (term.label_selector) selector(*term.label_selector, false);
    if (term.namespace_selector) selector(*term.namespace_selector, true);
  }
}

}  // namespace reprieve::fuzz
