// Pods without their requests: identity, priority, times, and those that are not running.
#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {

Labels pod_labels(Draft& draft) {
  Labels labels;
  if (draft.random.percent(80)) labels["app"] = label_value(draft, "app");
  if (draft.random.percent(40)) labels["tier"] = label_value(draft, "tier");
  return labels;
}

Pod plain_pod(Draft& draft) {
  Pod pod;
  pod.namespace_ = draft.a_namespace();
  pod.name = draft.new_pod_name(pod.namespace_);
  pod.labels = pod_labels(draft);
  pod.priority = draft.random.pick(draft.priorities);
  if (!draft.now(Feature::kMissingStartTimes)) {
    pod.start_time_us = kEpochUs + draft.random.below(4) * 60 * kSecondUs;
  }
  return pod;
}

void make_terminating(Draft& draft, Pod& pod) {
  pod.deletion_time_us = kEpochUs + 3600 * kSecondUs;
  if (draft.random.percent(75)) {
    static constexpr std::array kStatuses = {"True", "True", "True", "False"};
    static constexpr std::array kReasons = {"PreemptionByScheduler", "PreemptionByScheduler",
                                            "EvictionByEvictionAPI", "DeletionByTaintManager"};
    pod.conditions.push_back({.type = "DisruptionTarget",
                              .status = draft.random.pick(kStatuses),
                              .reason = draft.random.pick(kReasons)});
  }
}

Pod running_pod(Draft& draft, const std::string& node) {
  Pod pod = plain_pod(draft);
  pod.node_name = node;
  pod.phase = PodPhase::kRunning;
  if (draft.now(Feature::kOtherSchedulers)) pod.scheduler_name = "other-scheduler";
  if (draft.now(Feature::kTerminatingPods)) make_terminating(draft, pod);
  // 30 is what an absent one means.
  const int graceful = draft.weighs(ImportanceCriterion::kTerminationGracePeriod) ? 75 : 10;
  if (draft.random.percent(graceful)) pod.termination_grace_period_s = draft.random.below(3) * 30;
  return pod;
}

void add_pending_pods(Draft& draft) {
  if (!draft.has(Feature::kNominatedPods) || draft.settings.max_pending <= 0) return;
  const int count = draft.random.between(1, draft.settings.max_pending);
  for (int i = 0; i < count; ++i) {
    Pod pod = plain_pod(draft);
    pod.start_time_us.reset();
    pod.creation_time_us = kEpochUs + draft.random.below(4) * 60 * kSecondUs;
    // Higher, equal and lower than the preemptor: only the first two are counted in, only the last
    // are cleared.
    switch (draft.random.below(4)) {
      case 0: pod.priority = draft.preemptor_priority; break;
      case 1:
        pod.priority = draft.preemptor_priority < 2'000'000'000 ? draft.preemptor_priority + 1
                                                                : draft.preemptor_priority;
        break;
      default: break;
    }
    if (draft.random.percent(85)) pod.nominated_node_name = draft.node_name();
    if (draft.now(Feature::kGatedPods)) pod.scheduling_gates.emplace_back("example.com/gate");
    if (draft.now(Feature::kOtherSchedulers)) pod.scheduler_name = "other-scheduler";
    if (draft.now(Feature::kTerminatingPods)) make_terminating(draft, pod);
    add_requests(draft, pod);
    add_ports(draft, pod);
    add_running_affinity(draft, pod);
    add_pod_volumes(draft, pod);
    draft.cluster().pods.push_back(std::move(pod));
  }
}

}  // namespace reprieve::generators
