// Warnings about what extenders made of the victims, and about host ports.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/explain/changes.h"
#include "reprieve/cli/explain/warnings.h"
#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kMost = 3;  // of a kind

std::string who(const Facts& facts) {
  return facts.extenders.size() == 1 ? "extender " + facts.extenders.front()
                                     : "one of the extenders " + listed(facts.extenders);
}

std::string described(const Facts& facts, const std::string& node, const std::string& name) {
  const PodFacts* pod = find(facts, node, name);
  return pod == nullptr ? name : fmt::format("{} (priority {})", name, pod->priority);
}

std::vector<std::string> described(const Facts& facts, const std::string& node,
                                   const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(described(facts, node, name));
  return all;
}

Warning changed_victims(const Facts& facts, const NodeDecision& node, const ExtenderEffect& effect) {
  std::string text = fmt::format("On {}, {} changed the victims:", node.node, who(facts));
  if (!effect.added.empty())
    text += fmt::format(
        " {} evicted although the dry run did not ask for it",
        listed(described(facts, node.node, effect.added)) + (effect.added.size() == 1 ? " is" : " are"));
  if (!effect.spared.empty())
    text += fmt::format(
        "{} {} spared", effect.added.empty() ? "" : ",",
        listed(described(facts, node.node, effect.spared)) + (effect.spared.size() == 1 ? " is" : " are"));
  text += ".";
  const bool not_lower_too = std::ranges::any_of(effect.added, [&](const std::string& name) {
    const PodFacts* pod = find(facts, node.node, name);
    return pod != nullptr && pod->priority >= facts.priority;
  });
  if (not_lower_too) {
    text += fmt::format(" Nobody checks that its victims have a lower priority than {} ({}).",
                        facts.preemptor, facts.priority);
  }
  std::vector<std::string> pods = effect.added;
  pods.insert(pods.end(), effect.spared.begin(), effect.spared.end());
  return {.kind = "extenderVictims", .text = std::move(text), .nodes = {node.node}, .pods = std::move(pods)};
}

// The scripted answers, with the most important victim first.
void sort_answers(Case& question, const Facts& facts) {
  for (Extender& extender : question.extenders) {
    if (!extender.answer) continue;
    for (auto& [node, answer] : *extender.answer) {
      const std::string& on = node;
      std::ranges::stable_sort(answer.victims, std::ranges::greater(), [&](const std::string& name) {
        const PodFacts* pod = find(facts, on, name);
        return pod == nullptr ? INT32_MIN : pod->priority;
      });
    }
  }
}

Warning another_first(WhatIf& what_if, const Facts& facts, const NodeDecision& node) {
  const PodFacts* highest = highest_victim(facts, node);
  std::string text = fmt::format(
      "Level 2 takes the first victim listed for the most important one. On {}, {} put {} first, though {} "
      "is "
      "evicted too.",
      node.node, who(facts), described(facts, node.node, node.victims.front()),
      described(facts, node.node, highest->pod));
  std::string searched;
  const auto sorted = what_if.whole([&](Case& question) { sort_answers(question, facts); });
  if (sorted && sorted->nominated != what_if.decision().nominated) {
    text += fmt::format(" Listed by priority, {}.", in_words(*sorted));
    searched = "decided once more with the extender's victims sorted by priority";
  }
  return {.kind = "extenderOrder",
          .text = std::move(text),
          .searched = std::move(searched),
          .nodes = {node.node},
          .pods = {node.victims.front(), highest->pod}};
}

}  // namespace

std::vector<Warning> warn_of_extenders(WhatIf& what_if, const Facts& facts,
                                       const std::vector<std::size_t>& ranking) {
  std::vector<Warning> warnings;
  if (facts.extenders.empty()) return warnings;
  std::size_t changed = 0;
  std::size_t orders = 0;
  for (const std::size_t index : ranking) {
    const NodeDecision& node = what_if.decision().nodes[index];
    const ExtenderEffect effect = effect_of_extenders(node);
    if ((!effect.added.empty() || !effect.spared.empty()) && ++changed <= kMost)
      warnings.push_back(changed_victims(facts, node, effect));
    if (lists_another_first(facts, node) && ++orders <= kMost)
      warnings.push_back(another_first(what_if, facts, node));
  }
  std::vector<std::string> dropped;
  for (const NodeDecision& node : what_if.decision().nodes) {
    if (effect_of_extenders(node).dropped) dropped.push_back(node.node);
  }
  if (!dropped.empty()) {
    warnings.push_back({.kind = "extenderVictims",
                        .text = fmt::format("Eviction would have made room on {}, but {} dropped {}.",
                                            listed(dropped), who(facts), dropped.size() == 1 ? "it" : "them"),
                        .nodes = dropped});
  }
  return warnings;
}

// Ports in use are a set, and a pod that is taken off takes its ports out of it, whoever else holds
// them. Source: k8s.io/kube-scheduler/framework/types.go (HostPortInfo.Remove).
std::vector<Warning> warn_of_ports(WhatIf& what_if, const Facts& facts, const NodeDecision& chosen) {
  const NodeFacts* on = find(facts, chosen.node);
  if (on == nullptr) return {};
  std::vector<std::string> holders;
  std::vector<std::string> ports;
  for (const PodFacts& pod : on->pods) {
    if (pod.ports.empty() || std::ranges::count(chosen.victims, pod.pod) > 0) continue;
    holders.push_back(pod.pod);
    for (const std::string& port : pod.ports) {
      if (std::ranges::count(ports, port) == 0) ports.push_back(port);
    }
  }
  if (holders.empty()) return {};
  const auto after = what_if.node_without(chosen.node, {chosen.victims.begin(), chosen.victims.end()});
  if (!after || after->status == NodeStatus::kFits) return {};
  return {
      {.kind = "portStillHeld",
       .text = fmt::format(
           "{} wants host port {} on {}, and {}, which {}, {} it too. The dry run keeps the ports in use as "
           "a "
           "set: taking off one holder frees the port for all. Once the victims are gone {} will still not "
           "fit there.",
           facts.preemptor, listed(ports), chosen.node, listed(described(facts, chosen.node, holders)),
           holders.size() == 1 ? "stays" : "stay", holders.size() == 1 ? "holds" : "hold", facts.preemptor),
       .searched = "decided once more without the victims",
       .nodes = {chosen.node},
       .pods = holders}};
}

}  // namespace reprieve::cli::explain
