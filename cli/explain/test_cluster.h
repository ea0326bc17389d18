// Small clusters for the tests of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "reprieve/cli/explain/explain.h"
#include "reprieve/model/case.h"
#include "reprieve/reference/decide.h"

namespace reprieve::cli::explain::test {

inline constexpr TimeUs kNewYear_us = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z
inline constexpr TimeUs kMinute_us = 60'000'000;

inline Node node(std::string name, std::int64_t cpu) {
  Node made{.name = std::move(name)};
  made.labels["kubernetes.io/hostname"] = made.name;
  made.allocatable = {{"cpu", {.units = cpu}}, {"pods", {.units = 110}}};
  return made;
}

inline Pod pod(std::string name, std::string on, std::int32_t priority, std::int64_t cpu,
               TimeUs start_us = kNewYear_us) {
  Pod made{.name = std::move(name), .priority = priority, .node_name = std::move(on)};
  made.uid = made.name;
  made.containers = {{.name = "c", .requests = {{"cpu", {.units = cpu}}}}};
  if (!made.node_name.empty()) {
    made.phase = PodPhase::kRunning;
    made.start_time_us = start_us;
  }
  return made;
}

inline Pod labelled(Pod made, std::string key, std::string value = "") {
  made.labels[std::move(key)] = std::move(value);
  return made;
}

/// Selects the pods that carry the label.
inline DisruptionBudget budget(std::string name, std::string label, std::int32_t allowed) {
  return {
      .name = std::move(name),
      .selector =
          LabelSelector{.match_expressions = {{.key = std::move(label), .op = SelectorOperator::kExists}}},
      .disruptions_allowed = allowed};
}

/// The preemptor is default/high, of priority 1000.
inline Case question(Cluster cluster, std::int64_t cpu, Release release = Release::k1_37) {
  Case made{.name = "test",
            .cluster = std::move(cluster),
            .preemptor = "default/high",
            .policy = kubernetes_policy(release)};
  made.cluster.pods.push_back(pod("high", "", 1000, cpu));
  return made;
}

inline Explanation told(const Case& asked, Options options = {}) {
  return tell(asked, [](const Case& changed) { return reference::decide(changed); }, options);
}

inline const Warning* find_warning(const Explanation& explanation, std::string_view kind) {
  for (const Warning& warning : explanation.warnings) {
    if (warning.kind == kind) return &warning;
  }
  return nullptr;
}

}  // namespace reprieve::cli::explain::test
