// Candidates that are alike up to a chosen level of the node order, so that this level decides.
// Left to chance, the first two levels decide nearly always.
#include <algorithm>
#include <limits>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();

struct Victim {
  std::int32_t priority = 0;
  int start_minute = 0;
  int units = 1;
  std::string_view app = "a";
};

/// The same victims for every node. Priorities below the preemptor's, the highest first.
std::vector<Victim> base_victims(Draft& draft) {
  std::vector<Victim> victims;
  const int count = draft.random.between(2, std::max(2, std::min(4, draft.settings.max_pods_per_node)));
  for (int i = 0; i < count; ++i) {
    victims.push_back({.priority = draft.random.pick(draft.priorities),
                       .start_minute = draft.random.below(4),
                       .units = draft.random.between(1, 3)});
  }
  for (Victim& victim : victims) {
    if (victim.priority > victims.front().priority) std::swap(victim.priority, victims.front().priority);
  }
  return victims;
}

/// What tells a node from the others: its victims, and how much of it they are.
struct TiedNode {
  std::vector<Victim> victims;
  int kept_units = 0;           // held by a pod that is no potential victim
  bool lacks_resource = false;  // that the victims hold
};

/// Makes one node differ at `level` and not before; without a level it stays in the tie.
void perturb(Draft& draft, std::optional<NodeCriterion> level, TiedNode& node) {
  std::vector<Victim>& victims = node.victims;
  Victim& first = victims.front();
  Victim& last = victims.back();
  if (!level) return;
  switch (*level) {
    case NodeCriterion::kPdbViolations:
    case NodeCriterion::kBudgetsTouched: last.app = "b"; break;  // another budget, or none
    case NodeCriterion::kHighestPriority:
      for (Victim& victim : victims) {
        if (victim.priority == first.priority && &victim != &first) --victim.priority;
      }
      --first.priority;
      break;
    case NodeCriterion::kPrioritySum:  // not the highest: it is not `first`
      last.priority -= draft.random.between(1, 3);
      break;
    case NodeCriterion::kVictimCount:
      // The shifted priority of the lowest pod is 0, so it adds to the count and not to the sum. It
      // takes over a part of another's request, so that still all of them have to go.
      last.units -= 1;
      victims.push_back({.priority = kLowest, .start_minute = draft.random.below(4), .units = 1});
      break;
    case NodeCriterion::kLatestStart: first.start_minute += draft.random.between(-1, 2); break;
    case NodeCriterion::kRequestedShare:
      if (draft.resources.size() > 1 && draft.random.percent(25)) {
        node.lacks_resource = true;
      } else {
        node.kept_units = draft.random.between(1, 4);
      }
      break;
  }
}

/// The level at which nodes will differ; nothing for a total tie.
std::optional<NodeCriterion> choose_level(Draft& draft) {
  static const std::vector<NodeCriterion> kFive = Policy{}.node_order;
  const FeatureSet allowed = draft.settings.features;
  const std::vector<NodeCriterion>& order = draft.own_policy ? draft.result.policy.node_order : kFive;
  const auto place = static_cast<std::size_t>(draft.random.below(static_cast<int>(order.size()) + 1));
  if (place == order.size()) return std::nullopt;
  const NodeCriterion level = order[place];
  const bool budgets = level == NodeCriterion::kPdbViolations || level == NodeCriterion::kBudgetsTouched;
  if (budgets && !allowed.has(Feature::kBudgets)) return std::nullopt;
  if (level == NodeCriterion::kVictimCount && !allowed.has(Feature::kExtremePriorities)) return std::nullopt;
  return level;
}

}  // namespace

Units add_tied_nodes(Draft& draft) {
  const std::optional<NodeCriterion> level = choose_level(draft);
  if (level == NodeCriterion::kPdbViolations) draft.on.insert(Feature::kBudgets);
  draft.generous_budgets = level == NodeCriterion::kBudgetsTouched;
  // What the last victim of each node holds, for one of them to have nothing of.
  const bool hold_another = level == NodeCriterion::kRequestedShare && draft.resources.size() > 1;
  for (std::int32_t& priority : draft.priorities) {
    // Room below for the perturbations, within what the features allow; and the preemptor above all.
    priority = std::max(priority, kLowest + 10);
    if (!draft.has(Feature::kNegativePriorities) && priority >= 0 && priority < 10) priority += 10;
    if (draft.preemptor_priority <= priority) draft.preemptor_priority = priority + 1;
  }

  std::vector<Victim> base = base_victims(draft);
  base.back().units = std::max(base.back().units, 2);
  const int nodes = draft.random.between(2, std::max(2, draft.settings.max_nodes));
  Units wanted{};
  for (int i = 1; i <= nodes; ++i) {
    TiedNode tied{.victims = base};
    // Some nodes keep the base, so that the tie may hold several.
    if (i == 1 ? draft.random.percent(30) : draft.random.percent(60)) perturb(draft, level, tied);
    Node node;
    node.name = draft.numbered("n", i);
    int used = 0;
    for (const Victim& victim : tied.victims) {
      Pod pod = running_pod(draft, node.name);
      pod.labels["app"] = victim.app;
      pod.priority = victim.priority;
      if (pod.start_time_us) pod.start_time_us = kEpochUs + victim.start_minute * 60 * kSecondUs;
      Units units{};
      units[0] = victim.units;
      if (hold_another && &victim == &tied.victims.back()) units[1] = 1;
      add_requests_exactly(draft, pod, units);
      used += victim.units;
      draft.cluster().pods.push_back(std::move(pod));
    }
    Units capacity{};
    capacity.fill(4);
    capacity[0] = used + tied.kept_units;
    if (tied.lacks_resource) capacity[1] = 0;
    if (tied.kept_units > 0) {
      Pod pod = running_pod(draft, node.name);
      pod.priority = draft.preemptor_priority;
      Units units{};
      units[0] = tied.kept_units;
      add_requests_exactly(draft, pod, units);
      draft.cluster().pods.push_back(std::move(pod));
    }
    set_allocatable(draft, node, capacity, static_cast<int>(tied.victims.size()));
    draft.cluster().nodes.push_back(std::move(node));
    // All of a node is wanted, or nearly all: then more than the first levels are in play.
    wanted[0] = i == 1 ? used : std::min(wanted[0], used);
  }
  if (draft.random.percent(15) && wanted[0] > 1) wanted[0] -= 1;
  return wanted;
}

}  // namespace reprieve::generators
