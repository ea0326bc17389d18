// An extender that changes nothing changes nothing. Catch: answers that lose violation counts or the order
// of victims, extenders asked that should not be, failures that count although they may be ignored.
#include <algorithm>
#include <utility>

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"
#include "reprieve/properties/relations/fresh.h"

namespace reprieve::laws {
namespace {

Case with_extender(const Case& question, Extender extender, std::size_t at) {
  Case other = question;
  other.extenders.insert(other.extenders.begin() + static_cast<std::ptrdiff_t>(at), std::move(extender));
  return other;
}

std::size_t anywhere(const Inquiry& inquiry) {
  return static_cast<std::size_t>(
      inquiry.random.below(static_cast<int>(inquiry.question.extenders.size()) + 1));
}

Judgement judge_identity(const Inquiry& inquiry) {
  if (inquiry.decision.outcome != Outcome::kNominated) return silent();
  Extender identity;
  identity.name = relations::fresh_name(inquiry.random);
  identity.ignorable = inquiry.random.coin();
  identity.node_cache_capable = inquiry.random.coin();
  identity.answer.emplace();
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    identity.answer->emplace(node.node,
                             ExtenderVictims{.victims = node.victims, .violations = node.violations});
  }
  // Behind the others, so that it answers what they left.
  return ask_alike(inquiry, with_extender(inquiry.question, identity, inquiry.question.extenders.size()));
}

Judgement judge_unasked(const Inquiry& inquiry) {
  Extender unasked;
  unasked.name = relations::fresh_name(inquiry.random);
  unasked.ignorable = inquiry.random.coin();
  if (inquiry.random.coin()) {
    unasked.supports_preemption = false;
  } else {
    unasked.managed_resources = {"example.com/" + relations::fresh_name(inquiry.random)};
  }
  unasked.error = "it should not have been asked";
  return ask_alike(inquiry, with_extender(inquiry.question, unasked, anywhere(inquiry)));
}

Judgement judge_ignorable(const Inquiry& inquiry) {
  Extender failing;
  failing.name = relations::fresh_name(inquiry.random);
  failing.ignorable = true;
  failing.error = "it fails";
  return ask_alike(inquiry, with_extender(inquiry.question, failing, anywhere(inquiry)));
}

}  // namespace

constinit const Law kIdentityExtender = {
    .name = "identity-extender",
    .sentence = "An extender that answers with what it is given changes nothing.",
    .statement = "decide(c) = decide(c + e), e(candidates) = candidates",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = looks_at_every_node,
    .claimed_for_text = kLooksAtEveryNode,
    .judge = judge_identity,
};

constinit const Law kUnaskedExtender = {
    .name = "unasked-extender",
    .sentence = "An extender without a preempt verb, or not interested in the pod, changes nothing.",
    .statement = "decide(c) = decide(c + e), e without preemptVerb or managing what nobody requests",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_unasked,
};

constinit const Law kIgnorableExtender = {
    .name = "failing-ignorable-extender",
    .sentence = "An ignorable extender that fails changes nothing.",
    .statement = "decide(c) = decide(c + e), e ignorable and failing",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_ignorable,
};

}  // namespace reprieve::laws
