// Small clusters for tests, built in code.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::reference::testing {

inline constexpr TimeUs kMinute = 60'000'000;
inline constexpr TimeUs kNoon = 1'767'268'800'000'000;

/// A node of 4 CPUs that allows 110 pods, labelled with its name and a zone.
inline Node node(const std::string& name, std::int64_t cpu = 4, const std::string& zone = "a") {
  return {.name = name,
          .labels = {{"kubernetes.io/hostname", name}, {"zone", zone}},
          .allocatable = {{"cpu", {.units = cpu}}, {"memory", {.units = 1 << 30}}, {"pods", {.units = 110}}}};
}

inline Container container(std::int64_t milli_cpu) {
  return {.name = "c", .requests = {{"cpu", quantity_from_milli(milli_cpu)}}};
}

/// A pod of priority 0 that waits.
inline Pod pending(const std::string& name, std::int64_t cpu, std::int32_t priority = 0) {
  Pod pod;
  pod.name = name;
  pod.uid = "uid-" + name;
  pod.priority = priority;
  pod.labels = {{"app", name}};
  pod.containers = {container(cpu * 1000)};
  return pod;
}

/// A pod that runs since noon.
inline Pod running(const std::string& name, const std::string& on_node, std::int64_t cpu,
                   std::int32_t priority = 0) {
  Pod pod = pending(name, cpu, priority);
  pod.node_name = on_node;
  pod.phase = PodPhase::kRunning;
  pod.start_time_us = kNoon;
  return pod;
}

inline LabelSelector app(const std::string& name) { return {.match_labels = {{"app", name}}}; }

inline DisruptionBudget budget(const std::string& name, const LabelSelector& selector, std::int32_t allowed) {
  return {.name = name, .selector = selector, .disruptions_allowed = allowed};
}

/// The preemptor is default/in: priority 100, and 1 CPU unless changed.
inline Case question(std::vector<Node> nodes, std::vector<Pod> pods, Release release = Release::k1_37) {
  Case result;
  result.name = "test";
  result.preemptor = "default/in";
  result.policy = kubernetes_policy(release);
  result.cluster.nodes = std::move(nodes);
  result.cluster.pods = std::move(pods);
  result.cluster.pods.push_back(pending("in", 1, 100));
  return result;
}

inline Pod& preemptor(Case& question) { return question.cluster.pods.back(); }

inline const NodeDecision& node_of(const Decision& decision, const std::string& name) {
  for (const NodeDecision& node : decision.nodes) {
    if (node.node == name) return node;
  }
  static const NodeDecision kAbsent;
  return kAbsent;
}

using Names = std::vector<std::string>;

}  // namespace reprieve::reference::testing
