// Short hands for clusters in the engine's own tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "reprieve/engine/decide.h"
#include "reprieve/model/case.h"

namespace reprieve::engine::testing {

inline Node node(std::string name, std::int64_t cpu = 4, std::int64_t pods = 110) {
  Node out;
  out.labels["kubernetes.io/hostname"] = name;
  out.name = std::move(name);
  out.allocatable = {{"cpu", {cpu, 0}}, {"memory", {1 << 30, 0}}, {"pods", {pods, 0}}};
  return out;
}

inline Pod pod(std::string name, std::int32_t priority, std::int64_t cpu) {
  Pod out;
  out.uid = "uid-" + name;
  out.name = std::move(name);
  out.priority = priority;
  out.containers.push_back({.name = "c", .requests = {{"cpu", {cpu, 0}}}});
  return out;
}

inline Pod running(std::string name, std::string on, std::int32_t priority, std::int64_t cpu,
                   TimeUs start = 1000) {
  Pod out = pod(std::move(name), priority, cpu);
  out.node_name = std::move(on);
  out.phase = PodPhase::kRunning;
  out.start_time_us = start;
  return out;
}

inline DisruptionBudget budget(std::string name, std::int32_t allowed, Labels labels) {
  DisruptionBudget out;
  out.name = std::move(name);
  out.disruptions_allowed = allowed;
  out.selector.emplace().match_labels = std::move(labels);
  return out;
}

/// A case whose preemptor is the last pod.
inline Case question(Cluster cluster, Release release = Release::k1_37) {
  Case out;
  out.preemptor = full_name(cluster.pods.back());
  out.cluster = std::move(cluster);
  out.policy = kubernetes_policy(release);
  return out;
}

inline const NodeDecision& told(const Decision& decision, std::string_view name) {
  for (const NodeDecision& node : decision.nodes) {
    if (node.node == name) return node;
  }
  static const NodeDecision kAbsent;
  return kAbsent;
}

}  // namespace reprieve::engine::testing
