// Sampling looks at fewer nodes and decides among them as always. Catch: an offset that changes a full walk,
// a node looked at twice or never, a count off by one at the wrap-around.
#include <algorithm>

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"

namespace reprieve::laws {
namespace {

Judgement judge_all(const Inquiry& inquiry) {
  const auto nodes = static_cast<std::int32_t>(inquiry.question.cluster.nodes.size());
  Case other = inquiry.question;
  Sampling& sampling = other.policy.sampling.emplace();
  switch (inquiry.random.below(3)) {
    case 0: sampling = {.min_percentage = 100, .min_absolute = 1, .offset = 0}; break;
    case 1: sampling = {.min_percentage = 0, .min_absolute = nodes, .offset = 0}; break;
    default: sampling = {.min_percentage = 10, .min_absolute = 1'000'000, .offset = 0}; break;
  }
  sampling.offset = inquiry.random.coin() ? inquiry.random.below(2 * nodes) : inquiry.random.below(1 << 30);
  return ask_alike(inquiry, other);
}

/// What is told of a node without the question whether it was ranked.
Judgement judge_sampled(const Inquiry& inquiry) {
  if (asks_extenders(inquiry.question) || inquiry.question.policy.sampling->min_absolute < 1) return silent();
  Case every = inquiry.question;
  every.policy.sampling.reset();
  const Decision full = inquiry.subject.decide(every);
  if (inquiry.decision.outcome != Outcome::kNominated) {
    // Then nothing was left out: a walk ends early only when it has found something.
    return judge_alike(inquiry, full);
  }
  // The candidates of the sample are those of the full walk ...
  Decision sample = inquiry.decision;
  std::erase_if(sample.nodes, [](const NodeDecision& node) { return node.status != NodeStatus::kCandidate; });
  Decision same = full;
  std::erase_if(same.nodes,
                [&](const NodeDecision& node) { return find_node(sample, node.node) == nullptr; });
  same.nominated = sample.nominated;
  same.cleared = sample.cleared;
  compare::Options options = options_for(inquiry.subject);
  options.decided_by = false;
  Judgement judgement = judge_alike(inquiry, sample, same, options);
  if (judgement.verdict != Verdict::kHolds) return judgement;
  // ... and who wins against all of them wins against some.
  const auto ranked = [&](const std::string& name) {
    return std::ranges::find(inquiry.decision.nominated, name) != inquiry.decision.nominated.end();
  };
  const bool best_is_in = std::ranges::any_of(full.nominated, ranked);
  for (const std::string& name : inquiry.decision.nominated) {
    const bool best = std::ranges::find(full.nominated, name) != full.nominated.end();
    if (best_is_in && !best)
      return broken(name + " ties with a node that beats it when every node is looked at");
  }
  return judgement;
}

}  // namespace

constinit const Law kSamplingAll = {
    .name = "sampling-all-is-no-sampling",
    .sentence = "A sample that covers every node is no sample, wherever it begins.",
    .statement = "n >= |potential nodes| => decide(c, sampling(n, offset)) = decide(c, none), every offset",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = looks_at_every_node,
    .claimed_for_text = kLooksAtEveryNode,
    .judge = judge_all,
};

constinit const Law kSampled = {
    .name = "sampled-as-in-full",
    .sentence =
        "What a sample finds on its nodes is what the full walk finds there, and the best stays best.",
    .statement =
        "candidates(sampled) <= candidates(full) with equal victims; none sampled => none at all; "
        "tie(sampled) and tie(full) meet => tie(sampled) <= tie(full); without extenders",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = samples,
    .claimed_for_text = kSamples,
    .judge = judge_sampled,
};

}  // namespace reprieve::laws
