// What the outcome and the statuses of the nodes say of each other.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/one_decision.h"
#include "reprieve/properties/laws/sampling.h"

namespace reprieve::laws {
namespace {

Judgement nodes_told_once(const Inquiry& inquiry) {
  const std::vector<NodeDecision>& told = inquiry.decision.nodes;
  const std::vector<Node>& nodes = inquiry.question.cluster.nodes;
  if (nodes.empty() && told.empty()) return silent();
  const auto same = [](const NodeDecision& decision, const Node& node) { return decision.node == node.name; };
  if (std::ranges::equal(told, nodes, same)) return holds();
  return broken(fmt::format("the cluster has {} nodes, {} are told, and not in the order of the input",
                            nodes.size(), told.size()));
}

Judgement outcome_agrees(const Inquiry& inquiry) {
  const Decision& decision = inquiry.decision;
  Findings findings;
  findings.looked();
  const bool fits = decision.outcome == Outcome::kFits;
  const bool nominated = decision.outcome == Outcome::kNominated;
  if (nominated == decision.nominated.empty()) {
    findings.breach(fmt::format("the outcome is {} and {} nodes are nominated", to_string(decision.outcome),
                                decision.nominated.size()));
  }
  bool some_fits = false;
  for (const NodeDecision& node : decision.nodes) {
    const bool candidate = node.status == NodeStatus::kCandidate;
    some_fits = some_fits || node.status == NodeStatus::kFits;
    if (node.status == NodeStatus::kFits && !fits) {
      findings.breach(node, {},
                      fmt::format("{} fits, but the outcome is {}", node.node, to_string(decision.outcome)));
    }
    if (candidate && !nominated) {
      findings.breach(
          node, {},
          fmt::format("{} is a candidate, but the outcome is {}", node.node, to_string(decision.outcome)));
    }
    if (candidate == node.victims.empty()) {
      findings.breach(
          node, {},
          fmt::format("{} is {} and has {} victims", node.node, to_string(node.status), node.victims.size()));
    }
  }
  if (fits && !decision.nodes.empty() && !some_fits) findings.breach("the outcome is fits, but no node does");
  return findings.judgement();
}

Judgement nominated_are_candidates(const Inquiry& inquiry) {
  const std::vector<std::string>& nominated = inquiry.decision.nominated;
  if (nominated.empty()) return silent();
  Findings findings;
  findings.looked();
  for (auto at = nominated.begin(); at != nominated.end(); ++at) {
    const auto place = inquiry.facts.find_node(*at);
    const NodeDecision* told = place ? inquiry.facts.told_of(*place) : nullptr;
    if (told == nullptr) {
      findings.breach(fmt::format("{} is nominated, but nothing is told of it", *at));
    } else if (told->status != NodeStatus::kCandidate) {
      findings.breach(*told, {}, fmt::format("{} is nominated, but it is {}", *at, to_string(told->status)));
    }
    if (std::find(at + 1, nominated.end(), *at) != nominated.end()) {
      findings.breach(fmt::format("{} is nominated twice", *at));
    }
  }
  return findings.judgement();
}

Judgement refusals_have_reasons(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    findings.looked();
    const bool refused =
        node.status == NodeStatus::kUnschedulable || node.status == NodeStatus::kUnresolvable;
    // A candidate that an extender left out was refused by no filter.
    const bool was_candidate =
        node.status == NodeStatus::kUnschedulable && !inquiry.question.extenders.empty();
    if (refused == !node.reasons.empty() || (node.reasons.empty() && was_candidate)) continue;
    findings.breach(
        node, {},
        fmt::format("{} is {} and has {} reasons", node.node, to_string(node.status), node.reasons.size()));
  }
  return findings.judgement();
}

/// Half of one node is none: the sample holds nobody, and whoever is found is lost.
bool sample_holds_nobody(const Inquiry& inquiry, const Breach& breach) {
  return inquiry.question.policy.sampling && inquiry.decision.outcome == Outcome::kNoCandidate &&
         breach.node != nullptr && breach.node->status == NodeStatus::kCandidate &&
         walk(inquiry).kept.empty();
}

constexpr std::array kEmptySample = {
    Exception{.name = "sample-of-none",
              .when = "The sample is of so small a share of the nodes that it holds none.",
              .covers = sample_holds_nobody,
              .smallest = "laws/a-sample-of-half-a-node-holds-none.yaml"}};

}  // namespace

// Catches a scheduler that forgets a node, tells one twice, or sorts them, so that ties fall elsewhere.
constinit const Law kNodesToldOnce = {
    .name = "every-node-is-told-once",
    .sentence = "Every node of the cluster is told once, in the order of the input.",
    .statement = "names(decision.nodes) = names(cluster.nodes)",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = nodes_told_once,
};

// Catches an outcome that is decided apart from the nodes: "fits" before the last node is filtered, a
// candidate without victims (upstream's "empty victims"), a candidate that is lost on the way.
constinit const Law kOutcomeAgrees = {
    .name = "outcome-agrees-with-the-nodes",
    .sentence =
        "The pod fits when a node says so, a node is nominated when some is a candidate, and a candidate has "
        "victims.",
    .statement =
        "outcome = fits <=> some n fits; outcome = nominated <=> some n is a candidate; n is a candidate <=> "
        "victims(n) != {}",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kEmptySample,
    .judge = outcome_agrees,
};

// Catches a ranking whose indices no longer belong to the list of candidates.
constinit const Law kNominatedAreCandidates = {
    .name = "nominated-nodes-are-candidates",
    .sentence = "Every nominated node is a candidate, and is nominated once.",
    .statement = "n in nominated => status(n) = candidate",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = nominated_are_candidates,
};

// Catches a status that is changed without its reasons, such as a candidate that keeps those of the filters.
constinit const Law kRefusalsHaveReasons = {
    .name = "refusals-have-reasons",
    .sentence = "A node that is refused has reasons, and a node that fits or is a candidate has none.",
    .statement = "status(n) in {unschedulable, unresolvable} <=> reasons(n) != {}",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = refusals_have_reasons,
};

}  // namespace reprieve::laws
