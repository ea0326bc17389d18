// Which candidate wins. Keys are recomputed from the victims; nobody's own key is trusted.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/keys.h"
#include "reprieve/properties/laws/one_decision.h"
#include "reprieve/properties/laws/sampling.h"

namespace reprieve::laws {
namespace {

struct Ranked {
  const NodeDecision* node = nullptr;
  CandidateKey key;
};

/// The candidates in input order, and the chosen one among them (nullptr: it cannot be ranked).
struct Candidates {
  std::vector<Ranked> all;
  const Ranked* chosen = nullptr;
};

Candidates candidates_of(const Inquiry& inquiry) {
  Candidates candidates;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    if (auto key = key_of(inquiry.facts, node)) candidates.all.push_back({&node, std::move(*key)});
  }
  const auto chosen = std::ranges::find_if(candidates.all, [&](const Ranked& candidate) {
    return candidate.node->node == inquiry.decision.nominated.front();
  });
  if (chosen != candidates.all.end()) candidates.chosen = &*chosen;
  return candidates;
}

bool in_tie(const Inquiry& inquiry, const NodeDecision& node) {
  const auto& nominated = inquiry.decision.nominated;
  return std::ranges::find(nominated, node.node) != nominated.end();
}

// The decision is a ranking of at least two candidates.
bool ranks(const Inquiry& inquiry, const Candidates& candidates) {
  return candidates.chosen != nullptr && candidates.all.size() > 1 && !inquiry.decision.nominated.empty();
}

Judgement chosen_is_unbeaten(const Inquiry& inquiry) {
  if (inquiry.decision.nominated.empty()) return silent();
  const Candidates candidates = candidates_of(inquiry);
  if (!ranks(inquiry, candidates)) return silent();
  Findings findings;
  findings.looked();
  for (const Ranked& other : candidates.all) {
    const auto [order, by] =
        compare_keys(inquiry.question.policy.node_order, other.key, candidates.chosen->key);
    if (order >= 0) continue;
    findings.breach(*other.node, {},
                    fmt::format("{} is better than the nominated {} by {}", other.node->node,
                                candidates.chosen->node->node, to_string(*by)));
  }
  return findings.judgement();
}

Judgement tie_is_complete(const Inquiry& inquiry) {
  if (inquiry.decision.nominated.empty()) return silent();
  const Candidates candidates = candidates_of(inquiry);
  if (!ranks(inquiry, candidates)) return silent();
  Findings findings;
  findings.looked();
  for (const Ranked& other : candidates.all) {
    const auto [order, by] =
        compare_keys(inquiry.question.policy.node_order, other.key, candidates.chosen->key);
    if ((order == 0) == in_tie(inquiry, *other.node)) continue;
    findings.breach(*other.node, {},
                    order == 0
                        ? fmt::format("{} ties with {} and is not nominated", other.node->node,
                                      candidates.chosen->node->node)
                        : fmt::format("{} is nominated beside {}, but they differ in {}", other.node->node,
                                      candidates.chosen->node->node, to_string(*by)));
  }
  return findings.judgement();
}

Judgement first_of_the_tie(const Inquiry& inquiry) {
  const auto& nominated = inquiry.decision.nominated;
  if (nominated.size() < 2) return silent();
  const auto place = [&](const std::string& name) { return inquiry.facts.find_node(name); };
  if (std::ranges::is_sorted(nominated, {}, place)) return holds();
  return broken("the tie is not in the order of the input");
}

Judgement key_is_the_victims_key(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) {
      if (node.key) findings.breach(node, {}, fmt::format("{} is no candidate and has a key", node.node));
      continue;
    }
    const auto key = key_of(inquiry.facts, node);
    if (!key) continue;
    findings.looked();
    if (node.key == key) continue;
    findings.breach(node, {}, fmt::format("{}: the key told is not that of its victims", node.node));
  }
  return findings.judgement();
}

Judgement decided_by_is_right(const Inquiry& inquiry) {
  const auto& told = inquiry.decision.decided_by;
  if (inquiry.decision.nominated.empty()) {
    return told ? broken("something decided, but no node is nominated") : silent();
  }
  const Candidates candidates = candidates_of(inquiry);
  if (candidates.chosen == nullptr) return silent();
  const auto& order = inquiry.question.policy.node_order;
  const Ranked* runner_up = nullptr;
  for (const Ranked& other : candidates.all) {
    if (in_tie(inquiry, *other.node)) continue;
    if (runner_up == nullptr || compare_keys(order, other.key, runner_up->key).order < 0) runner_up = &other;
  }
  const auto expected =
      runner_up == nullptr ? std::nullopt : compare_keys(order, candidates.chosen->key, runner_up->key).by;
  if (told == expected) return holds();
  const auto text = [](const std::optional<NodeCriterion>& by) { return by ? to_string(*by) : "nothing"; };
  return broken(fmt::format("{} decided, told is {}", text(expected), text(told)));
}

// The candidate came when the list of its kind was full: it is found, and not ranked.
bool is_lost_by_sampling(const Inquiry& inquiry, const Breach& breach) {
  return inquiry.question.policy.sampling && std::ranges::count(walk(inquiry).lost, breach.node) > 0;
}

bool some_is_lost_by_sampling(const Inquiry& inquiry, const Breach&) {
  return inquiry.question.policy.sampling && !walk(inquiry).lost.empty();
}

constexpr std::string_view kSamplingName = "found-beyond-the-sample";
constexpr std::string_view kSamplingWhen =
    "The candidate was found when the sample already held the wanted number of its kind.";
constexpr std::array kLostWinner = {
    Exception{.name = kSamplingName,
              .when = kSamplingWhen,
              .covers = is_lost_by_sampling,
              .smallest = "laws/a-better-candidate-is-found-after-the-sample-is-full.yaml"}};
constexpr std::array kLostTie = {
    Exception{.name = kSamplingName,
              .when = kSamplingWhen,
              .covers = is_lost_by_sampling,
              .smallest = "laws/an-equal-candidate-is-found-after-the-sample-is-full.yaml"}};
constexpr std::array kLostRunnerUp = {
    Exception{.name = kSamplingName,
              .when = kSamplingWhen,
              .covers = some_is_lost_by_sampling,
              .smallest = "laws/a-better-candidate-is-found-after-the-sample-is-full.yaml"}};

}  // namespace

// Catches a level that is compared the wrong way round, left out, or read from another node's victims.
constinit const Law kChosenIsUnbeaten = {
    .name = "the-nominated-node-is-unbeaten",
    .sentence = "No candidate is better than the nominated node by the policy's nodeOrder.",
    .statement = "for every candidate n: key(chosen) <= key(n), lexicographically by nodeOrder",
    .theorem = "engine-comparison, engine-ranking",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kLostWinner,
    .judge = chosen_is_unbeaten,
};

// Catches a ranking that stops at the first of equals, or takes for equal what a later level tells apart.
constinit const Law kTieIsComplete = {
    .name = "the-tie-is-complete",
    .sentence = "Nominated are exactly the candidates that no criterion tells from the chosen one.",
    .statement = "nominated = {n | key(n) = key(chosen)}",
    .theorem = "tie-is-independent-of-order",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kLostTie,
    .judge = tie_is_complete,
};

// Catches a choice among equals by chance, by name, or by the thread that came first. Upstream's is by
// the order of a map, so only deciders of this program are held to it.
constinit const Law kFirstOfTheTie = {
    .name = "a-tie-falls-to-the-first-node",
    .sentence = "The nodes of a tie are told in the order of the input, and the first is chosen.",
    .statement = "i < j => place(nominated[i]) < place(nominated[j])",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = first_of_the_tie,
};

// Catches a key that is kept while the victims change (an extender's answer), overflows, or sums without
// the shift.
constinit const Law kKeyIsTheVictimsKey = {
    .name = "the-key-is-that-of-the-victims",
    .sentence = "The key told for a candidate is the one that its victims and violations have.",
    .statement = "key told for n = key(victims(n), violations(n))",
    .theorem = "engine-key",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = key_is_the_victims_key,
};

// Catches a comparison that names the level before or after, or compares with the wrong runner-up.
constinit const Law kDecidedByIsRight = {
    .name = "decided-by-separates-winner-and-runner-up",
    .sentence =
        "What decided is the first criterion in which the winner differs from the best candidate outside the "
        "tie.",
    .statement = "decidedBy = first level at which key(chosen) != min {key(n) | n not in nominated}",
    .theorem = "tested only",
    .needs_story = true,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kLostRunnerUp,
    .judge = decided_by_is_right,
};

}  // namespace reprieve::laws
