#include "reprieve/reference/extenders.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
namespace reprieve::reference {
namespace {

// A container that names a managed resource; the limits have been defaulted into the requests.
bool is_interested(const Extender& extender, const Pod& pod) {
  if (extender.managed_resources.empty()) return true;
  const auto manages = [&extender](const Container& container) {
    return std::ranges::any_of(extender.managed_resources, [&container](const std::string& name) {
      return container.requests.contains(name);
    });
  };
  return std::ranges::any_of(pod.containers, manages) || std::ranges::any_of(pod.init_containers, manages);
}

const Pod* find_pod(const NodeInfo& node, const std::string& name) {
  for (const Pod* pod : node.pods) {
    if (full_name(*pod) == name) return pod;
  }
  return nullptr;
}

// The extender's answer for the nodes that it is asked about, or why it is not an answer.
ExtendersAnswer process_preemption(const Situation& situation, const Extender& extender,
                                   const std::vector<Candidate>& asked) {
  ExtendersAnswer result;
  if (extender.error) {
    REPRIEVE_MARK("reference/extender/fails");
    result.failure = *extender.error;
    return result;
  }
  if (!extender.answer) {
    result.failure = "gives no answer";
    return result;
  }
  for (const Candidate& given : asked) {
    const NodeInfo& node = situation.nodes[given.node];
    const auto answer = extender.answer->find(node.node->name);
    if (answer == extender.answer->end()) {
      REPRIEVE_MARK("reference/extender/drops-a-node");
      continue;
    }
    Candidate& candidate = result.candidates.emplace_back(
        Candidate{.node = given.node, .victims = {}, .violations = answer->second.violations});
    for (const std::string& name : answer->second.victims) {
      const Pod* pod = find_pod(node, name);
      if (pod == nullptr) {
        REPRIEVE_MARK("reference/extender/names-a-pod-that-is-not-there");
        result.failure = "claims to preempt pod " + name + " on node " + node.node->name +
                         ", but the pod is not found on that node";
        return result;
      }
      candidate.victims.push_back(pod);
    }
  }
  return result;
}

}  // namespace

ExtendersAnswer call_extenders(const Situation& situation, const std::vector<Extender>& extenders,
                               std::vector<Candidate> candidates) {
  bool heard = false;
  for (const Extender& extender : extenders) {
    if (!extender.supports_preemption || !is_interested(extender, situation.preemptor)) {
      REPRIEVE_MARK("reference/extender/is-not-asked");
      continue;
    }
    ExtendersAnswer answer = process_preemption(situation, extender, candidates);
    if (answer.failure) {
      if (extender.ignorable) {  // as if it had not been asked
        REPRIEVE_MARK("reference/extender/failure-is-passed-over");
        continue;
      }
      return {
          .candidates = {}, .heard = false, .failure = "extender " + extender.name + ": " + *answer.failure};
    }
    for (const Candidate& candidate : answer.candidates) {
      if (!candidate.victims.empty()) continue;
      if (extender.ignorable) {
        REPRIEVE_MARK("reference/extender/node-without-victims-is-dropped");
        continue;
      }
      REPRIEVE_MARK("reference/extender/node-without-victims-is-fatal");
      return {.candidates = {},
              .heard = false,
              .failure = "extender " + extender.name + ": expected at least one victim pod on node \"" +
                         situation.nodes[candidate.node].node->name + "\""};
    }
    // Of an ignorable extender only the nodes without victims are dropped.
    std::erase_if(answer.candidates, [](const Candidate& candidate) { return candidate.victims.empty(); });
    candidates = std::move(answer.candidates);
    heard = true;
    if (candidates.empty()) {
      REPRIEVE_MARK("reference/extender/leaves-nothing");
      break;
    }
  }
  return {.candidates = std::move(candidates), .heard = heard, .failure = std::nullopt};
}

}  // namespace reprieve::reference
