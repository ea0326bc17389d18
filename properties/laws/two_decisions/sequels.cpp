// What happens next. Catch: victims that are not enough, a decision that depends on what its own victims do
// while they end, a pod that preempts again and again.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/fit_exceptions.h"
#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"
#include "reprieve/properties/relations/sequel.h"

namespace reprieve::laws {
namespace {

std::string told(const Decision& decision, std::string_view node) {
  std::string text(to_string(decision.outcome));
  if (!decision.reason.empty()) text += " (" + decision.reason + ")";
  const NodeDecision* there = find_node(decision, node);
  if (there == nullptr) return text;
  text += fmt::format(", {} is {}", node, to_string(there->status));
  for (const std::string& reason : there->reasons) text += ": " + reason;
  return text;
}

Judgement judge_evicted(const Inquiry& inquiry) {
  if (inquiry.decision.outcome != Outcome::kNominated) return silent();
  const std::string& node = inquiry.decision.nominated.front();
  const Decision next = inquiry.subject.decide(relations::after_eviction(inquiry.question, inquiry.decision));
  const NodeDecision* chosen = find_node(inquiry.decision, node);
  if (chosen == nullptr) return broken(fmt::format("{} is nominated, and not told of", node));
  const NodeDecision* there = find_node(next, node);
  if (next.outcome == Outcome::kFits && there != nullptr && there->status == NodeStatus::kFits)
    return holds();
  Judgement judgement = broken(fmt::format("after the eviction on {}: {}", node, told(next, node)));
  Breach& breach = judgement.breaches.front();
  breach.node = chosen;
  breach.pods = inquiry.facts.find_pods(chosen->victims).value_or(Pods());
  return judgement;
}

Judgement judge_waiting(const Inquiry& inquiry) {
  if (inquiry.decision.outcome != Outcome::kNominated) return silent();
  const std::string& node = inquiry.decision.nominated.front();
  const NodeDecision* chosen = find_node(inquiry.decision, node);
  if (chosen == nullptr) return broken(fmt::format("{} is nominated, and not told of", node));
  // Of those that ended already for another reason nobody waits.
  const bool begins = std::ranges::any_of(chosen->victims, [&](const std::string& name) {
    const Pod* pod = inquiry.facts.find_pod(name);
    return pod != nullptr && !pod->deletion_time_us && pod->priority < inquiry.facts.preemptor()->priority;
  });
  if (!begins) return silent();
  const Decision next =
      inquiry.subject.decide(relations::during_eviction(inquiry.question, inquiry.decision));
  // PodTopologySpread passes over terminating pods, so the preemptor may fit before they are gone.
  if (next.outcome == Outcome::kFits || next.outcome == Outcome::kIneligible) return holds();
  Judgement judgement = broken(fmt::format("while the victims on {} end: {}", node, told(next, node)));
  judgement.breaches.front().node = chosen;
  return judgement;
}

Judgement judge_terminations(const Inquiry& inquiry) {
  const Case other = relations::with_terminations_redrawn(inquiry.question, inquiry.random);
  if (other == inquiry.question) return silent();
  // Nominations are cleared unless every victim terminates already.
  compare::Options options = options_for(inquiry.subject);
  options.cleared = false;
  return judge_alike(inquiry, inquiry.subject.decide(other), options);
}

Judgement judge_unseen_nominations(const Inquiry& inquiry) {
  const bool lesser = inquiry.random.coin();
  const Case other = lesser ? relations::without_lesser_nominations(inquiry.question)
                            : relations::without_unseen_nominations(inquiry.question);
  if (other == inquiry.question) return silent();
  compare::Options options = options_for(inquiry.subject);
  options.cleared = !lesser;  // those are what is cleared
  return judge_alike(inquiry, inquiry.subject.decide(other), options);
}

Judgement judge_own_nomination(const Inquiry& inquiry) {
  const std::string& node = inquiry.facts.preemptor()->nominated_node_name;
  if (node.empty() || inquiry.decision.outcome == Outcome::kIneligible) return silent();
  const Decision other = inquiry.subject.decide(relations::without_own_nomination(inquiry.question));
  // A node that PreFilter excludes is filtered all the same when it is the nominated one, and says why.
  const NodeDecision* nominated = find_node(inquiry.decision, node);
  const bool unresolvable = nominated != nullptr && nominated->status == NodeStatus::kUnresolvable;
  compare::Options options = options_for(inquiry.subject);
  options.cleared = inquiry.decision.outcome == Outcome::kNominated;
  return judge_alike(inquiry, unresolvable ? without_node_story(inquiry.decision, node) : inquiry.decision,
                     unresolvable ? without_node_story(other, node) : other, options);
}

Judgement judge_asked_twice(const Inquiry& inquiry) { return ask_alike(inquiry, inquiry.question); }

bool is_spread(const Inquiry& inquiry, const Breach&) {
  return std::ranges::any_of(inquiry.facts.preemptor()->topology_spread_constraints,
                             [](const TopologySpreadConstraint& constraint) {
                               return constraint.when_unsatisfiable == UnsatisfiableAction::kDoNotSchedule;
                             });
}

constexpr std::array kTerminationExceptions = {
    Exception{.name = "spread-passes-over-terminating-pods",
              .when = "The preemptor has a spread constraint: PreFilter does not count pods that terminate.",
              .covers = is_spread,
              .smallest = "laws/spread-passes-over-a-pod-that-terminates.yaml"},
};

}  // namespace

constinit const Law kEvictedThenFits = {
    .name = "evicted-then-fits",
    .sentence =
        "Once the victims are gone the preemptor fits on the nominated node, and nobody else is evicted.",
    .statement = "decide(c) nominates n with V => decide(c - V, preemptor nominated to n) fits, on n",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kFitsExceptions,
    .judge = judge_evicted,
};

constinit const Law kTerminatingThenWaits = {
    .name = "terminating-then-waits",
    .sentence = "While the victims terminate the preemptor waits, and evicts nobody else.",
    .statement =
        "decide(c) nominates n with V => decide(c, V terminating, preemptor nominated to n) is "
        "ineligible or fits",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_waiting,
};

constinit const Law kTerminationUnseen = {
    .name = "termination-unseen",
    .sentence =
        "Whether a pod terminates, if not for preemption, changes nothing but whose nominations are cleared.",
    .statement =
        "decide(c) = decide(c with deletion timestamps on other pods without conditions), cleared apart",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kTerminationExceptions,
    .judge = judge_terminations,
};

constinit const Law kUnseenNominations = {
    .name = "unseen-nominations",
    .sentence =
        "Nominations of less important pods, of other schedulers and (1.36) of gated pods hold no room.",
    .statement = "decide(c) = decide(c without these nominations), cleared apart for the less important",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_unseen_nominations,
};

constinit const Law kOwnNominationUnseen = {
    .name = "own-nomination-unseen",
    .sentence = "The preemptor's own nomination holds no room against it, if it need not wait.",
    .statement = "not ineligible => decide(c) = decide(c without it), cleared apart without a candidate",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_own_nomination,
};

constinit const Law kAskedTwice = {
    .name = "asked-twice",
    .sentence = "The same question has the same answer.",
    .statement = "decide(c) = decide(c)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_asked_twice,
};

}  // namespace reprieve::laws
