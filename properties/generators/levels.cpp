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

/// Makes one node's victims differ at `level` (1 to 5) and not before; 6 leaves a tie.
void perturb(Draft& draft, int level, std::vector<Victim>& victims) {
  Victim& first = victims.front();
  Victim& last = victims.back();
  switch (level) {
    case 1: last.app = "b"; break;  // another budget, or none
    case 2:
      for (Victim& victim : victims) {
        if (victim.priority == first.priority && &victim != &first) --victim.priority;
      }
      --first.priority;
      break;
    case 3: last.priority -= draft.random.between(1, 3); break;  // not the highest: it is not `first`
    case 4:
      // The shifted priority of the lowest pod is 0, so it adds to the count and not to the sum. It
      // takes over a part of another's request, so that still all of them have to go.
      last.units -= 1;
      victims.push_back({.priority = kLowest, .start_minute = draft.random.below(4), .units = 1});
      break;
    case 5: first.start_minute += draft.random.between(-1, 2); break;
    default: break;
  }
}

}  // namespace

Units add_tied_nodes(Draft& draft) {
  const FeatureSet allowed = draft.settings.features;
  int level = draft.random.between(1, 6);
  if (level == 1 && !allowed.has(Feature::kBudgets)) level = 6;
  if (level == 1) draft.on.insert(Feature::kBudgets);
  if (level == 4 && !allowed.has(Feature::kExtremePriorities)) level = 6;
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
    std::vector<Victim> victims = base;
    // Some nodes keep the base, so that the tie may hold several.
    if (i == 1 ? draft.random.percent(30) : draft.random.percent(60)) perturb(draft, level, victims);
    Node node;
    node.name = draft.numbered("n", i);
    int used = 0;
    for (const Victim& victim : victims) {
      Pod pod = running_pod(draft, node.name);
      pod.labels["app"] = victim.app;
      pod.priority = victim.priority;
      if (pod.start_time_us) pod.start_time_us = kEpochUs + victim.start_minute * 60 * kSecondUs;
      Units units{};
      units[0] = victim.units;
      add_requests_exactly(draft, pod, units);
      used += victim.units;
      draft.cluster().pods.push_back(std::move(pod));
    }
    Units capacity{};
    capacity.fill(4);
    capacity[0] = used;
    set_allocatable(draft, node, capacity, static_cast<int>(victims.size()));
    draft.cluster().nodes.push_back(std::move(node));
    // All of a node is wanted, or nearly all: then more than the first levels are in play.
    wanted[0] = i == 1 ? used : std::min(wanted[0], used);
  }
  if (draft.random.percent(15) && wanted[0] > 1) wanted[0] -= 1;
  return wanted;
}

}  // namespace reprieve::generators
