// Whose nomination is cleared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/one_decision.h"

namespace reprieve::laws {
namespace {

using Names = std::vector<std::string>;

// As the scheduling queue knows it: of the default scheduler, and in 1.36 not gated.
bool is_nominated_to(const Pod& pod, const std::string& node, Release release) {
  return pod.node_name.empty() && pod.nominated_node_name == node &&
         pod.scheduler_name == "default-scheduler" &&
         (release != Release::k1_36 || pod.scheduling_gates.empty());
}

Names lower_nominations(const Inquiry& inquiry, const std::string& node) {
  Names names;
  for (const Pod& pod : inquiry.question.cluster.pods) {
    if (pod.priority < inquiry.facts.preemptor()->priority &&
        is_nominated_to(pod, node, inquiry.question.policy.release)) {
      names.push_back(full_name(pod));
    }
  }
  return names;
}

bool all_terminate(const Inquiry& inquiry, const NodeDecision& node) {
  return std::ranges::all_of(node.victims, [&](const std::string& name) {
    const Pod* victim = inquiry.facts.find_pod(name);
    return victim != nullptr && victim->deletion_time_us.has_value();
  });
}

Judgement compare(const Inquiry& inquiry, Names expected) {
  Names told = inquiry.decision.cleared;
  if (!inquiry.subject.tells_story()) {  // a program may list them as it likes
    std::ranges::sort(told);
    std::ranges::sort(expected);
  }
  if (told == expected) return holds();
  return broken(fmt::format("the nominations of [{}] should be cleared, told are [{}]",
                            fmt::join(expected, " "), fmt::join(told, " ")));
}

Judgement lower_nominations_are_cleared(const Inquiry& inquiry) {
  const Decision& decision = inquiry.decision;
  if (decision.outcome != Outcome::kNominated) return silent();
  const auto place = inquiry.facts.find_node(decision.nominated.front());
  const NodeDecision* chosen = place ? inquiry.facts.told_of(*place) : nullptr;
  if (chosen == nullptr) return silent();  // nominated-nodes-are-candidates says so
  Names expected = lower_nominations(inquiry, chosen->node);
  const bool nobody = expected.empty() && decision.cleared.empty();
  if (nobody) return silent();
  if (all_terminate(inquiry, *chosen)) expected.clear();
  return compare(inquiry, std::move(expected));
}

Judgement own_nomination_is_cleared(const Inquiry& inquiry) {
  const Decision& decision = inquiry.decision;
  if (decision.outcome != Outcome::kNoCandidate) return silent();
  const Pod& preemptor = *inquiry.facts.preemptor();
  if (preemptor.nominated_node_name.empty() && decision.cleared.empty()) return silent();
  Names expected;
  if (!preemptor.nominated_node_name.empty()) expected.push_back(full_name(preemptor));
  return compare(inquiry, std::move(expected));
}

// The extenders left nothing of what the dry run found. Who tells no story does not say what it found.
bool extenders_left_nothing(const Inquiry& inquiry, const Breach&) {
  if (!asks_extenders(inquiry) || !inquiry.decision.cleared.empty()) return false;
  if (!inquiry.subject.tells_story()) return true;
  return std::ranges::any_of(inquiry.decision.nodes, [](const NodeDecision& node) {
    return std::ranges::any_of(node.potential_victims, &PotentialVictim::evicted);
  });
}

constexpr std::array kExtendersLeftNothing = {
    Exception{.name = "extenders-leave-nothing",
              .when = "There were candidates, and the extenders left none of them.",
              .covers = extenders_left_nothing,
              .smallest = "extenders-that-leave-nothing-keep-the-preemptors-nomination.yaml"}};

}  // namespace

// Catches a scheduler that clears pods of equal priority, of another node or of another scheduler, or
// that forgets that nothing is cleared when every victim is terminating already.
constinit const Law kLowerNominationsAreCleared = {
    .name = "lower-nominations-are-cleared",
    .sentence =
        "Cleared are exactly the nominations of lower priority to the chosen node, and none when every "
        "victim terminates already.",
    .statement =
        "outcome = nominated => cleared = {p | nominated(p) = chosen and priority(p) < priority(preemptor)}, "
        "or {} when all victims terminate",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = lower_nominations_are_cleared,
};

// Catches a scheduler that leaves a pod nominated to a node that it will not get, or clears another pod's.
constinit const Law kOwnNominationIsCleared = {
    .name = "own-nomination-is-cleared-without-candidate",
    .sentence = "Without a candidate the preemptor's own nomination is cleared, and no other.",
    .statement = "outcome = no-candidate => cleared = {preemptor | it was nominated}",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kExtendersLeftNothing,
    .judge = own_nomination_is_cleared,
};

}  // namespace reprieve::laws
