// A pod whose eviction cannot help is not evicted.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/one_decision.h"
#include "reprieve/reference/requests.h"

namespace reprieve::laws {
namespace {

bool has_host_port(const Pod& pod) {
  const auto uses = [](const Container& container) {
    return std::ranges::any_of(container.ports, [](const ContainerPort& port) { return port.host_port > 0; });
  };
  return std::ranges::any_of(pod.containers, uses) || std::ranges::any_of(pod.init_containers, uses);
}

// Nothing but resources can stand between the preemptor and a pod that brings no terms of its own.
bool asks_only_for_resources(const Pod& preemptor) {
  return preemptor.affinity.required_pod_affinity.empty() &&
         preemptor.affinity.required_pod_anti_affinity.empty() &&
         preemptor.topology_spread_constraints.empty() && preemptor.volumes.empty() &&
         !has_host_port(preemptor);
}

bool pod_slots_are_contested(const Inquiry& inquiry, std::size_t node) {
  const Node& object = inquiry.question.cluster.nodes[node];
  const auto limit = object.allocatable.find("pods");
  if (limit == object.allocatable.end()) return true;
  const auto nominated =
      std::ranges::count(inquiry.question.cluster.pods, object.name, &Pod::nominated_node_name);
  const auto running = static_cast<std::int64_t>(inquiry.facts.running_on(node).size());
  return running + nominated >= ceil_units(limit->second);
}

bool asks_for(const ResourceList& requests, const reference::Amounts& asked) {
  return std::ranges::any_of(asked, [&](const auto& entry) {
    const auto wants = requests.find(entry.first);
    return entry.second > 0 && wants != requests.end() && !is_zero(wants->second);
  });
}

bool frees_nothing(const Pod& pod, const reference::Amounts& asked, Release release) {
  if (!pod.affinity.required_pod_anti_affinity.empty()) return false;
  // Most pods ask for what the preemptor asks for, so look there before adding up what they hold.
  if (std::ranges::any_of(pod.containers,
                          [&](const Container& container) { return asks_for(container.requests, asked); })) {
    return false;
  }
  const reference::Amounts held = reference::held_by(pod, release);
  return std::ranges::none_of(asked, [&](const auto& entry) {
    const auto holds = held.find(entry.first);
    return entry.second > 0 && holds != held.end() && holds->second > 0;
  });
}

Judgement frees_nothing_is_spared(const Inquiry& inquiry) {
  const Pod& preemptor = *inquiry.facts.preemptor();
  if (inquiry.decision.outcome != Outcome::kNominated || !asks_only_for_resources(preemptor)) return silent();
  const Release release = inquiry.question.policy.release;
  const reference::Amounts asked = reference::asked_by(preemptor);
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    const auto place = inquiry.facts.find_node(node.node);
    if (!place || pod_slots_are_contested(inquiry, *place)) continue;
    for (const Pod* pod : inquiry.facts.potential_victims_on(*place)) {
      if (!frees_nothing(*pod, asked, release)) continue;
      findings.looked();
      if (std::ranges::find(node.victims, full_name(*pod)) == node.victims.end()) continue;
      findings.breach(node, {pod},
                      fmt::format("{}: {} is evicted although it holds nothing that the preemptor asks for",
                                  node.node, full_name(*pod)));
    }
  }
  return findings.judgement();
}

constexpr std::array kExtenders = {
    Exception{.name = "extenders-answer",
              .when = "An extender said who the victims are.",
              .covers = in_extenders_answer,
              .smallest = "laws/an-extender-evicts-a-pod-that-frees-nothing.yaml"}};

}  // namespace

// Catches a reprieve that gives up at the first pod that does not fit back, or never puts back the last.
constinit const Law kFreesNothingIsSpared = {
    .name = "a-pod-that-frees-nothing-is-spared",
    .sentence = "A pod that holds nothing that the preemptor asks for is never a victim.",
    .statement =
        "the preemptor asks only for resources, pod slots are free, held(p)[r] = 0 for every r asked => p "
        "not in victims(n)",
    .theorem = "tested only",
    .claimed_for = removing_never_hurts,
    .claimed_for_text = kRemovingNeverHurts,
    .exceptions = kExtenders,
    .judge = frees_nothing_is_spared,
};

}  // namespace reprieve::laws
