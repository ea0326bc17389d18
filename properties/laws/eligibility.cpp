// Who may not preempt, and that nothing happens then.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/one_decision.h"

namespace reprieve::laws {
namespace {

constexpr std::string_view kNeverReason = "not eligible due to preemptionPolicy=Never.";
constexpr std::string_view kWaitsReason = "not eligible due to a terminating pod on the nominated node.";

bool terminates_by_preemption(const Pod& pod) {
  if (!pod.deletion_time_us) return false;
  const auto first = std::ranges::find(pod.conditions, "DisruptionTarget", &PodCondition::type);
  return first != pod.conditions.end() && first->status == "True" && first->reason == "PreemptionByScheduler";
}

// The reason that the pod should be told; empty: it may preempt.
std::string_view expected_reason(const Inquiry& inquiry) {
  const Pod& preemptor = *inquiry.facts.preemptor();
  if (preemptor.preemption_policy == PreemptionPolicy::kNever) return kNeverReason;
  if (preemptor.nominated_node_name.empty()) return {};
  const auto node = inquiry.facts.find_node(preemptor.nominated_node_name);
  if (!node) return {};
  const bool waits = std::ranges::any_of(inquiry.facts.potential_victims_on(*node),
                                         [](const Pod* pod) { return terminates_by_preemption(*pod); });
  if (!waits) return {};
  const auto& refusal = inquiry.facts.refusal_as_it_stands(*node);
  return refusal && refusal->unresolvable ? std::string_view() : kWaitsReason;
}

Judgement only_the_ineligible_wait(const Inquiry& inquiry) {
  const Decision& decision = inquiry.decision;
  if (decision.outcome == Outcome::kFits) return silent();
  // A cluster without nodes ends before the question is asked.
  const std::string_view expected =
      inquiry.question.cluster.nodes.empty() ? std::string_view() : expected_reason(inquiry);
  const std::string_view told =
      decision.outcome == Outcome::kIneligible ? decision.reason : std::string_view();
  if (decision.outcome == Outcome::kIneligible && expected.empty()) {
    return broken(fmt::format("the pod may preempt, but is ineligible: {}", told));
  }
  if (expected == told) return holds();
  return broken(fmt::format("the reason should be '{}' and is '{}' (outcome {})", expected, told,
                            to_string(decision.outcome)));
}

bool changes_nothing(const Decision& decision) {
  return decision.nominated.empty() && decision.cleared.empty() &&
         std::ranges::all_of(decision.nodes, [](const NodeDecision& node) {
           return node.victims.empty() && node.status != NodeStatus::kCandidate;
         });
}

Judgement never_evicts_nothing(const Inquiry& inquiry) {
  if (inquiry.facts.preemptor()->preemption_policy != PreemptionPolicy::kNever) return silent();
  // Without nodes nothing is asked about eligibility, and a nomination to nowhere is cleared.
  if (inquiry.question.cluster.nodes.empty()) return silent();
  if (changes_nothing(inquiry.decision)) return holds();
  return broken("preemptionPolicy is Never, and still somebody is evicted, nominated or cleared");
}

Judgement nothing_happens_without_preemption(const Inquiry& inquiry) {
  const Outcome outcome = inquiry.decision.outcome;
  if (outcome != Outcome::kFits && outcome != Outcome::kIneligible) return silent();
  if (changes_nothing(inquiry.decision)) return holds();
  return broken(fmt::format("the outcome is {}, and still somebody is evicted, nominated or cleared",
                            to_string(outcome)));
}

}  // namespace

// Catches an eligibility that reads any DisruptionTarget condition instead of the first, compares
// priorities with <=, or asks before the filters whether the nominated node is lost.
constinit const Law kOnlyTheIneligibleWait = {
    .name = "only-the-ineligible-wait",
    .sentence =
        "A pod is ineligible exactly when its policy is Never, or when a less important pod that was "
        "preempted is still terminating on its nominated node.",
    .statement =
        "outcome = ineligible <=> Never or (status(nominated node) != unresolvable and some potential victim "
        "there terminates by preemption)",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = only_the_ineligible_wait,
};

// Catches a scheduler that forgets preemptionPolicy.
constinit const Law kNeverEvictsNothing = {
    .name = "never-evicts-nothing",
    .sentence =
        "A pod with preemptionPolicy Never evicts nobody, is nominated nowhere and clears no nomination.",
    .statement = "Never => nominated = cleared = {} and victims(n) = {} for every n",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = never_evicts_nothing,
};

// Catches a scheduler that clears the preemptor's nomination although it may not preempt or need not.
constinit const Law kNothingHappensWithoutPreemption = {
    .name = "nothing-happens-without-preemption",
    .sentence =
        "When the pod fits or is ineligible, nobody is evicted and every nomination is kept, its own "
        "included.",
    .statement = "outcome in {fits, ineligible} => nominated = cleared = {} and victims(n) = {} for every n",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = nothing_happens_without_preemption,
};

}  // namespace reprieve::laws
