#include "reprieve/properties/relations/sequel.h"

#include <algorithm>
#include <string>
#include <vector>

namespace reprieve::relations {
namespace {

constexpr TimeUs kSomeTimeUs = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z

const std::vector<std::string>& victims_of(const Decision& decision) {
  static const std::vector<std::string> none;
  const auto at = std::ranges::find(decision.nodes, decision.nominated.front(), &NodeDecision::node);
  return at == decision.nodes.end() ? none : at->victims;
}

bool contains(const std::vector<std::string>& names, const Pod& pod) {
  return std::ranges::find(names, full_name(pod)) != names.end();
}

void nominate(Case& question, const Decision& decision) {
  for (Pod& pod : question.cluster.pods) {
    if (contains(decision.cleared, pod)) pod.nominated_node_name.clear();
    if (full_name(pod) == question.preemptor) pod.nominated_node_name = decision.nominated.front();
  }
}

/// As UpdatePodCondition does: in the place of the condition of that type, or at the end.
void set_disruption_target(Pod& pod) {
  const PodCondition condition = {
      .type = "DisruptionTarget", .status = "True", .reason = "PreemptionByScheduler"};
  const auto at = std::ranges::find(pod.conditions, condition.type, &PodCondition::type);
  if (at == pod.conditions.end()) {
    pod.conditions.push_back(condition);
  } else {
    *at = condition;
  }
}

}  // namespace

Case after_eviction(Case question, const Decision& decision) {
  const std::vector<std::string>& victims = victims_of(decision);
  nominate(question, decision);
  std::erase_if(question.cluster.pods, [&](const Pod& pod) { return contains(victims, pod); });
  return question;
}

Case during_eviction(Case question, const Decision& decision) {
  const std::vector<std::string>& victims = victims_of(decision);
  nominate(question, decision);
  for (Pod& pod : question.cluster.pods) {
    if (!contains(victims, pod) || pod.deletion_time_us) continue;
    pod.deletion_time_us = kSomeTimeUs;
    set_disruption_target(pod);
  }
  return question;
}

Case with_terminations_redrawn(Case question, generators::Random& random) {
  for (Pod& pod : question.cluster.pods) {
    if (pod.node_name.empty() || !pod.conditions.empty() || random.coin()) continue;
    pod.deletion_time_us = pod.deletion_time_us ? std::nullopt : std::optional(kSomeTimeUs);
  }
  return question;
}

Case without_unseen_nominations(Case question) {
  for (Pod& pod : question.cluster.pods) {
    if (!pod.node_name.empty() || full_name(pod) == question.preemptor) continue;
    const bool gated = question.policy.release == Release::k1_36 && !pod.scheduling_gates.empty();
    if (gated || pod.scheduler_name != "default-scheduler") pod.nominated_node_name.clear();
  }
  return question;
}

Case without_lesser_nominations(Case question) {
  const auto preemptor = std::ranges::find(question.cluster.pods, question.preemptor, full_name);
  if (preemptor == question.cluster.pods.end()) return question;
  const std::int32_t priority = preemptor->priority;
  for (Pod& pod : question.cluster.pods) {
    if (pod.node_name.empty() && pod.priority < priority) pod.nominated_node_name.clear();
  }
  return question;
}

Case without_own_nomination(Case question) {
  for (Pod& pod : question.cluster.pods) {
    if (full_name(pod) == question.preemptor) pod.nominated_node_name.clear();
  }
  return question;
}

}  // namespace reprieve::relations
