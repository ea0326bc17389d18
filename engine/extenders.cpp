#include "reprieve/engine/extenders.h"

#include <algorithm>
#include <expected>
#include <utility>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

// HTTPExtender.IsInterested: by the resources of containers; limits have been defaulted to requests.
bool is_interested(const Cycle& cycle, const Extender& extender) {
  if (!extender.supports_preemption) return false;
  if (REPRIEVE_MUTANT("uninterested-extender-asked", extender.managed_resources.empty(), true)) return true;
  return std::ranges::any_of(cycle.preemptor().container_resources, [&](const std::string& resource) {
    return std::ranges::find(extender.managed_resources, resource) != extender.managed_resources.end();
  });
}

ExtenderNodes to_nodes(const Index& index, const std::vector<Candidate>& candidates) {
  ExtenderNodes nodes;
  for (const Candidate& candidate : candidates) {
    ExtenderVictims& victims = nodes[index.nodes[candidate.node].name];
    for (const PodId pod : candidate.victims) victims.victims.push_back(index.pods[pod].full_name);
    victims.violations = candidate.key.violations;
  }
  return nodes;
}

using Answer = std::expected<ExtenderNodes, std::string>;

// A scripted answer speaks only of the nodes that it was given; so it fits whatever came before.
Answer ask_one(const Cycle& cycle, const Extender& extender, const AskExtender& ask,
               const ExtenderNodes& nodes) {
  if (extender.error) {
    REPRIEVE_MARK("engine/extender/fails");
    return std::unexpected(*extender.error);
  }
  if (extender.answer) {
    ExtenderNodes answer;
    for (const auto& [node, victims] : *extender.answer) {
      if (nodes.contains(node)) answer.emplace(node, victims);
    }
    if (answer.size() < nodes.size()) REPRIEVE_MARK("engine/extender/drops-a-node");
    return answer;
  }
  return ask(extender, cycle.record().full_name, nodes);
}

// convertToVictims: a node must be in the cluster, a victim on that node.
std::expected<std::vector<Candidate>, std::string> to_candidates(const Index& index,
                                                                 const ExtenderNodes& answer) {
  std::vector<Candidate> candidates;
  for (const auto& [name, victims] : answer) {
    const NodeId node = index.find_node(index.strings.find(name));
    if (node == kNone) return std::unexpected("nodeinfo not found for node name \"" + name + "\"");
    Candidate& candidate = candidates.emplace_back();
    candidate.node = node;
    for (const std::string& victim : victims.victims) {
      const PodId pod = index.find_pod(victim);
      if (pod == kNone || index.pod_node[pod] != node) {
        REPRIEVE_MARK("engine/extender/names-a-pod-that-is-not-there");
        return std::unexpected("claims to preempt pod " + victim + " on node: " + name +
                               ", but the pod is not found on that node");
      }
      candidate.victims.push_back(pod);
      const Importance<std::int64_t> importance = index.importance_of(pod);
      candidate.key.add(importance.priority, importance.start, 0);
    }
    if (candidate.victims.empty()) continue;
    candidate.key.violations = REPRIEVE_MUTANT("extender-loses-violations", victims.violations, 0);
    const PodId first = candidate.victims.front();
    candidate.key.highest_priority =
        REPRIEVE_MUTANT("extenders-first-victim-not-read", index.pod_priority[first],
                        static_cast<std::int32_t>(candidate.key.highest_priority));
  }
  std::ranges::sort(candidates, {}, &Candidate::node);  // slots are in input order
  return candidates;
}

// Which extender it was, once: one asked over HTTP says so itself.
std::string named(const Extender& extender, std::string why) {
  const std::string name = "extender " + extender.name + ": ";
  return why.starts_with(name) ? why : name + why;
}

}  // namespace

bool are_interested(const Cycle& cycle, std::span<const Extender> extenders) {
  return std::ranges::any_of(extenders,
                             [&](const Extender& extender) { return is_interested(cycle, extender); });
}

std::expected<bool, std::string> call_extenders(const Cycle& cycle, std::span<const Extender> extenders,
                                                const AskExtender& ask, std::vector<Candidate>& candidates) {
  const Index& index = *cycle.index;
  bool any_taken = false;
  for (const Extender& extender : extenders) {
    if (!is_interested(cycle, extender)) {
      REPRIEVE_MARK("engine/extender/is-not-asked");
      continue;
    }
    if (!extender.error && !extender.answer && !ask) {
      return std::unexpected("extender " + extender.name +
                             " is to be asked over HTTP, which is not possible here");
    }
    const Answer answer = ask_one(cycle, extender, ask, to_nodes(index, candidates));
    auto answered = answer ? to_candidates(index, *answer) : std::unexpected(answer.error());
    if (!answered) {
      if (REPRIEVE_MUTANT("no-extender-is-ignorable",
                          REPRIEVE_MUTANT("extenders-error-passed-over", extender.ignorable, true), false)) {
        REPRIEVE_MARK("engine/extender/failure-is-passed-over");
        continue;
      }
      return std::unexpected(named(extender, std::move(answered.error())));
    }
    const bool accepts_empty = REPRIEVE_MUTANT("empty-victims-accepted", false, true);
    for (const Candidate& candidate : *answered) {
      if (!candidate.victims.empty() || accepts_empty) continue;
      if (extender.ignorable) {
        REPRIEVE_MARK("engine/extender/node-without-victims-is-dropped");
      } else {
        REPRIEVE_MARK("engine/extender/node-without-victims-is-fatal");
        return std::unexpected(named(extender, without_victims(index.nodes[candidate.node].name)));
      }
    }
    std::erase_if(*answered,
                  [&](const Candidate& candidate) { return candidate.victims.empty() && !accepts_empty; });
    candidates = std::move(*answered);
    any_taken = true;
    if (candidates.empty()) {
      REPRIEVE_MARK("engine/extender/leaves-nothing");
      break;
    }
  }
  return any_taken;
}

}  // namespace reprieve::engine
