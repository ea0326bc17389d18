// Only proportions and differences count, not the units. Catch: overflow, a sentinel taken for an amount, a
// comparison of the wrong two numbers, rounding too early, a constant where a threshold is meant.
#include "reprieve/properties/relations/scales.h"

#include <algorithm>
#include <cstdint>

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"

namespace reprieve::laws {
namespace {

Judgement judge_resources(const Inquiry& inquiry) {
  const auto other = relations::with_resources_scaled(inquiry.question, inquiry.random);
  if (!other || other->question == inquiry.question) return silent();
  return judge_alike(inquiry, relations::unscaled(inquiry.subject.decide(other->question), other->factors));
}

constexpr std::int64_t kShift = std::int64_t{1} << 31;  // what level 3 adds to each priority

/// Which of two victim sets has the smaller sum, as level 3 counts it.
int compare_sums(std::int64_t sum_a, std::int64_t count_a, std::int64_t sum_b, std::int64_t count_b,
                 std::int64_t by) {
  const std::int64_t a = sum_a + count_a * (kShift + by);
  const std::int64_t b = sum_b + count_b * (kShift + by);
  return a < b ? -1 : a > b ? 1 : 0;
}

/// Whether level 3 says otherwise about two of the candidates after the shift: because of 2^31 per victim
/// it does so only between different numbers of victims, of which some have nearly the least priority.
bool sums_turn(const Inquiry& inquiry, std::int64_t by) {
  struct Sum {
    std::int64_t sum = 0;
    std::int64_t count = 0;
  };
  std::vector<Sum> sums;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    Sum& sum = sums.emplace_back();
    for (const std::string& name : node.victims) {
      const Pod* pod = inquiry.facts.find_pod(name);
      if (pod == nullptr) continue;
      sum.sum += pod->priority;
      ++sum.count;
    }
  }
  for (const Sum& a : sums) {
    for (const Sum& b : sums) {
      if (compare_sums(a.sum, a.count, b.sum, b.count, 0) !=
          compare_sums(a.sum, a.count, b.sum, b.count, by)) {
        return true;
      }
    }
  }
  return false;
}

/// The same for every two victim sets that exact might weigh: more victims are surely a larger sum.
bool any_sums_may_turn(const Inquiry& inquiry, std::int64_t by) {
  const std::int32_t preemptor = inquiry.facts.preemptor()->priority;
  std::int64_t least = preemptor;
  std::int64_t most = -kShift;
  for (const Pod& pod : inquiry.question.cluster.pods) {
    if (pod.node_name.empty() || pod.priority >= preemptor) continue;
    least = std::min<std::int64_t>(least, pod.priority);
    most = std::max<std::int64_t>(most, pod.priority);
  }
  const auto count = static_cast<std::int64_t>(inquiry.question.cluster.pods.size());
  const std::int64_t down = std::min<std::int64_t>(by, 0) + kShift;
  return (count + 1) * (least + down) <= count * (most + down);
}

Judgement judge_priorities(const Inquiry& inquiry) {
  const auto other = relations::with_priorities_shifted(inquiry.question, inquiry.random);
  if (other.by == 0) return silent();
  const bool exact = inquiry.question.policy.victims == VictimSearch::kExact;
  if (exact ? any_sums_may_turn(inquiry, other.by) : sums_turn(inquiry, other.by)) return silent();
  return judge_alike(inquiry, relations::unshifted(inquiry.subject.decide(other.question), other.by));
}

Judgement judge_times(const Inquiry& inquiry) {
  const auto other = relations::with_times_shifted(inquiry.question, inquiry.random);
  if (other.question == inquiry.question) return silent();
  return judge_alike(inquiry, relations::later(inquiry.subject.decide(other.question), -other.by));
}

Judgement judge_above(const Inquiry& inquiry) {
  const Case other = relations::with_priorities_above_redrawn(inquiry.question, inquiry.random);
  if (other == inquiry.question) return silent();
  // An extender may evict them all the same, and then their priorities count.
  for (const NodeDecision& node : inquiry.decision.nodes) {
    for (const std::string& victim : node.victims) {
      const Pod* pod = inquiry.facts.find_pod(victim);
      if (pod == nullptr || pod->priority >= inquiry.facts.preemptor()->priority) return silent();
    }
  }
  return ask_alike(inquiry, other);
}

Judgement judge_split(const Inquiry& inquiry) {
  const Case other = relations::with_containers_split(inquiry.question, inquiry.random);
  if (other == inquiry.question) return silent();
  return ask_alike(inquiry, other);
}

}  // namespace

constinit const Law kResourcesScaled = {
    .name = "resources-scaled",
    .sentence = "Each resource may be counted in other units, where no part of a unit is asked for.",
    .statement = "decide(c) = decide(c with every amount of resource r times f(r))",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_resources,
};

constinit const Law kPrioritiesShifted = {
    .name = "priorities-shifted",
    .sentence =
        "Only differences of priority count, unless the shift turns level 3 at the lowest priorities.",
    .statement =
        "decide(c) = decide(c with every priority + d), d such that no two sums of priority + 2^31 "
        "change places",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_priorities,
};

constinit const Law kTimesShifted = {
    .name = "times-shifted",
    .sentence = "Only differences of time count.",
    .statement = "decide(c) = decide(c with every time - d)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_times,
};

constinit const Law kPrioritiesAboveAlike = {
    .name = "priorities-above-alike",
    .sentence = "It does not matter how far a pod is above the preemptor, if no extender evicts it.",
    .statement = "decide(c) = decide(c with every priority >= the preemptor's redrawn from there up)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_above,
};

constinit const Law kContainersSplit = {
    .name = "containers-split",
    .sentence = "Two containers count like one that asks for their sum.",
    .statement = "decide(c) = decide(c with containers split in two), statuses apart",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_split,
};

}  // namespace reprieve::laws
