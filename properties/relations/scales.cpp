#include "reprieve/properties/relations/scales.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "reprieve/properties/relations/fresh.h"

namespace reprieve::relations {
namespace {

using generators::Random;

constexpr std::int64_t kSecondUs = 1'000'000;

template <class Visit>
void for_each_resource_list(Case& question, Visit visit) {
  for (Node& node : question.cluster.nodes) visit(node.allocatable);
  for (Pod& pod : question.cluster.pods) {
    for (Container& container : pod.containers) visit(container.requests);
    for (Container& container : pod.init_containers) visit(container.requests);
    visit(pod.overhead);
    for (auto* list : {&pod.pod_level_requests, &pod.status_requests, &pod.status_allocated}) {
      if (*list) visit(**list);
    }
    for (auto* statuses : {&pod.container_statuses, &pod.init_container_statuses}) {
      for (ContainerStatus& status : *statuses) {
        if (status.requests) visit(*status.requests);
        if (status.allocated_resources) visit(*status.allocated_resources);
      }
    }
  }
}

/// In thousandths; nothing when it does not fit with room for sums.
std::optional<Quantity> times(Quantity quantity, std::int64_t factor) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1'000'000;
  if (quantity.units > kMost / factor) return std::nullopt;
  const std::int64_t milli = quantity.milli * factor;
  return Quantity{.units = quantity.units * factor + milli / 1000,
                  .milli = static_cast<std::int32_t>(milli % 1000)};
}

template <class Visit>
void for_each_priority(Case& question, Visit visit) {
  for (Pod& pod : question.cluster.pods) visit(pod.priority);
  for (PriorityClass& priority_class : question.cluster.priority_classes) visit(priority_class.value);
  if (question.policy.budgets.below_priority) visit(*question.policy.budgets.below_priority);
}

Quantity half(Quantity quantity) {
  // Rounded down to a thousandth; the other half is the rest.
  const std::int64_t odd = quantity.units % 2;
  return {.units = quantity.units / 2, .milli = static_cast<std::int32_t>((odd * 1000 + quantity.milli) / 2)};
}
Quantity minus(Quantity a, Quantity b) {
  if (a.milli >= b.milli) return {.units = a.units - b.units, .milli = a.milli - b.milli};
  return {.units = a.units - b.units - 1, .milli = a.milli + 1000 - b.milli};
}

}  // namespace

std::optional<Scaled> with_resources_scaled(Case question, Random& random) {
  Factors factors = {{"pods", 1}};
  for_each_resource_list(question, [&](const ResourceList& list) {
    for (const auto& [name, quantity] : list) {
      if (name != "cpu" && quantity.milli != 0) factors[name] = 1;
    }
  });
  bool fits = true;
  const int most = random.coin() ? 3 : 1000;
  for_each_resource_list(question, [&](ResourceList& list) {
    for (auto& [name, quantity] : list) {
      auto factor = factors.find(name);
      if (factor == factors.end()) factor = factors.emplace(name, random.between(1, most)).first;
      const std::optional<Quantity> scaled = times(quantity, factor->second);
      fits = fits && scaled.has_value();
      if (scaled) quantity = *scaled;
    }
  });
  if (!fits) return std::nullopt;
  return Scaled{.question = std::move(question), .factors = std::move(factors)};
}

Decision unscaled(Decision decision, const Factors& factors) {
  const auto unscale = [&factors](std::optional<FilterFailure>& failure) {
    if (!failure) return;
    for (Shortfall& shortfall : failure->shortfalls) {
      const auto factor = factors.find(shortfall.resource);
      if (factor == factors.end()) continue;
      // What does not divide was no multiple: leave it, the comparison shall tell.
      for (auto* amount : {&shortfall.requested, &shortfall.used, &shortfall.allocatable}) {
        if (*amount % factor->second == 0) *amount /= factor->second;
      }
    }
  };
  for (NodeDecision& node : decision.nodes) {
    unscale(node.filter_failure);
    unscale(node.emptied_failure);
    for (PotentialVictim& victim : node.potential_victims) unscale(victim.not_reprieved);
  }
  return decision;
}

Room room_to_shift(const Case& question) {
  std::int64_t least = std::numeric_limits<std::int32_t>::max();
  std::int64_t most = std::numeric_limits<std::int32_t>::min();
  Case copy = question;
  for_each_priority(copy, [&](std::int32_t priority) {
    least = std::min<std::int64_t>(least, priority);
    most = std::max<std::int64_t>(most, priority);
  });
  return {.down = std::numeric_limits<std::int32_t>::min() - least,
          .up = std::numeric_limits<std::int32_t>::max() - most};
}

Shifted with_priorities_shifted(Case question, Random& random) {
  const Room room = room_to_shift(question);
  // Room is more than an int32 holds when all priorities are at one end.
  constexpr std::int64_t kFarthest = std::numeric_limits<std::int32_t>::max();
  const std::int64_t end = random.coin() ? std::max(room.down, -kFarthest) : std::min(room.up, kFarthest);
  std::int64_t by = end;  // to the very edge, or a little
  if (random.percent(80))
    by = end < 0 ? std::max<std::int64_t>(end, -random.between(1, 2000))
                 : std::min<std::int64_t>(end, random.between(1, 2000));
  for_each_priority(question,
                    [by](std::int32_t& priority) { priority = static_cast<std::int32_t>(priority + by); });
  return {.question = std::move(question), .by = static_cast<std::int32_t>(by)};
}

Decision unshifted(Decision decision, std::int32_t by) {
  for (NodeDecision& node : decision.nodes) {
    for (PotentialVictim& victim : node.potential_victims) victim.priority -= by;
    if (!node.key) continue;
    node.key->highest_priority -= by;
    node.key->priority_sum -= node.key->victim_count * by;
  }
  return decision;
}

Shifted with_times_shifted(Case question, Random& random) {
  const std::int32_t seconds = -random.between(1, random.coin() ? 100 : 10'000'000);
  for (Pod& pod : question.cluster.pods) {
    for (auto* time : {&pod.start_time_us, &pod.creation_time_us, &pod.deletion_time_us}) {
      if (*time) **time += seconds * kSecondUs;
    }
  }
  return {.question = std::move(question), .by = seconds};
}

Decision later(Decision decision, std::int64_t seconds) {
  for (NodeDecision& node : decision.nodes) {
    for (PotentialVictim& victim : node.potential_victims) {
      if (victim.start_time_us) *victim.start_time_us += seconds * kSecondUs;
    }
    if (node.key && node.key->earliest_start_us) *node.key->earliest_start_us += seconds * kSecondUs;
  }
  return decision;
}

Case with_priorities_above_redrawn(Case question, Random& random) {
  auto& pods = question.cluster.pods;
  const auto preemptor = std::ranges::find(pods, question.preemptor, full_name);
  if (preemptor == pods.end()) return question;
  const std::int64_t floor = preemptor->priority;
  constexpr std::int64_t kTop = std::numeric_limits<std::int32_t>::max();
  for (Pod& pod : pods) {
    if (pod.priority < floor || &pod == &*preemptor) continue;
    const std::int64_t above =
        random.coin() ? random.below(3) : random.below(std::numeric_limits<int>::max());
    pod.priority = static_cast<std::int32_t>(std::min(kTop, floor + above));
  }
  return question;
}

Case with_containers_split(Case question, Random& random) {
  for (Pod& pod : question.cluster.pods) {
    // A status, of an init container too, is one of the container of its name.
    const bool statuses = !pod.container_statuses.empty() || !pod.init_container_statuses.empty();
    if (statuses || pod.containers.empty() || random.coin()) continue;
    Container& first =
        pod.containers[static_cast<std::size_t>(random.below(static_cast<int>(pod.containers.size())))];
    Container second;
    second.name = fresh_name(random);
    for (auto& [name, quantity] : first.requests) {
      const bool divisible = name == "cpu" || name == "memory" || name == "ephemeral-storage";
      const Quantity part = divisible ? half(quantity) : random.coin() ? quantity : Quantity{};
      second.requests[name] = part;
      quantity = minus(quantity, part);
    }
    pod.containers.push_back(std::move(second));
  }
  return question;
}

}  // namespace reprieve::relations
