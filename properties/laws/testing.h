// For tests of laws: small cases built in code, and a subject that answers what it is told.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws::testing {

inline constexpr TimeUs kMinute = 60'000'000;
inline constexpr TimeUs kNoon = 1'767'268'800'000'000;

/// A node of `cpu` CPUs that allows 110 pods.
inline Node node(const std::string& name, std::int64_t cpu = 4) {
  return {.name = name,
          .labels = {{"kubernetes.io/hostname", name}},
          .allocatable = {{"cpu", {.units = cpu}}, {"memory", {.units = 1 << 30}}, {"pods", {.units = 110}}}};
}

inline Pod pending(const std::string& name, std::int64_t cpu, std::int32_t priority = 0) {
  Pod pod;
  pod.name = name;
  pod.uid = "uid-" + name;
  pod.priority = priority;
  pod.labels = {{"app", name}};
  pod.containers = {{.name = "c", .requests = {{"cpu", {.units = cpu}}}}};
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

inline DisruptionBudget budget(const std::string& name, const std::string& app, std::int32_t allowed) {
  return {.name = name,
          .selector = LabelSelector{.match_labels = {{"app", app}}},
          .disruptions_allowed = allowed};
}

/// The preemptor is default/in, the last pod: 1 CPU, priority 100.
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

/// Decides every case as `decide` says.
class ScriptedSubject final : public subjects::Subject {
 public:
  using Decide = std::function<Decision(const Case&)>;
  explicit ScriptedSubject(Decide decide, bool tells = true) : decide_(std::move(decide)), tells_(tells) {}

  std::string_view name() const override { return "scripted"; }
  Decision decide(const Case& question) override { return decide_(question); }
  bool tells_story() const override { return tells_; }
  std::unique_ptr<subjects::Subject> clone() const override {
    return std::make_unique<ScriptedSubject>(decide_, tells_);
  }

 private:
  Decide decide_;
  bool tells_;
};

/// The law held against a decision, as a campaign does; `seed` is what is drawn for two decisions.
inline Judgement hold_against(const Law& law, const Case& question, const Decision& decision,
                              subjects::Subject& subject, std::uint64_t seed = 1) {
  generators::Random random(seed);
  Facts facts(question, decision);
  return hold(law, {question, decision, subject, random, facts});
}

/// The same, asking the subject first.
inline Judgement hold_against(const Law& law, const Case& question, subjects::Subject& subject,
                              std::uint64_t seed = 1) {
  return hold_against(law, question, subject.decide(question), subject, seed);
}

/// The bare judge, which knows nothing of exceptions or policies.
inline Judgement judge_bare(const Law& law, const Case& question, const Decision& decision,
                            subjects::Subject& subject, std::uint64_t seed = 1) {
  generators::Random random(seed);
  Facts facts(question, decision);
  return law.judge({question, decision, subject, random, facts});
}

}  // namespace reprieve::laws::testing
