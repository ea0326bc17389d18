#include "reprieve/smt/policy/node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace reprieve::smt {
namespace {

using direct::Bools;

std::string prefix_of(std::size_t node) { return node == 0 ? "a." : "b."; }

// The first is at least as important: the criteria in turn, and the order of the list between equals.
Bool in_order(const Policy& policy, const PolicyNode& node, std::size_t first) {
  Bool result(true);
  for (std::size_t i = policy.importance.size(); i-- > 0;) {
    const auto value = [&](std::size_t pod) {
      switch (policy.importance[i]) {
        case ImportanceCriterion::kPriority: return node.pods[pod].priority;
        case ImportanceCriterion::kStartTime: return times(-1, node.pods[pod].start);
        default: return node.grace[pod];
      }
    };
    const Int a = value(first), b = value(first + 1);
    result = any_of(a > b, all_of(a == b, result));
  }
  return result;
}

bool uses_grace(const Policy& policy) {
  return std::ranges::count(policy.importance, ImportanceCriterion::kTerminationGracePeriod) > 0;
}

Int violated(const Policy& policy, const PolicyNode& node, const Bools& victims) {
  direct::Budgets budgets = node.question.budgets;
  budgets.charging = policy.charging;
  return how_many(direct::violating_among(budgets, victims));
}

Bools kept(const Bools& victims) {
  Bools result;
  for (const Bool& victim : victims) result.push_back(no(victim));
  return result;
}

Int choose_level(Bool condition, Int then, Int otherwise) { return choose(condition, then, otherwise); }

void take(Key& to, Bool condition, const Key& from) {
  direct::Levels& levels = to.levels;
  levels.violations = choose_level(condition, from.levels.violations, levels.violations);
  levels.highest_priority = choose_level(condition, from.levels.highest_priority, levels.highest_priority);
  levels.priority_sum = choose_level(condition, from.levels.priority_sum, levels.priority_sum);
  levels.victim_count = choose_level(condition, from.levels.victim_count, levels.victim_count);
  levels.earliest_start = choose_level(condition, from.levels.earliest_start, levels.earliest_start);
  levels.start_given = Bool(true);
  to.budgets_touched = choose_level(condition, from.budgets_touched, to.budgets_touched);
}

PolicyAnswer greedy(const Policy& policy, const PolicyNode& node) {
  direct::Budgets budgets = node.question.budgets;
  budgets.charging = policy.charging;
  const Bools violating = direct::violating(budgets);
  PolicyAnswer result;
  result.evicted = direct::evicted(violating, node.question.fits());
  result.candidate = direct::fits(node.question.resources, Bools(node.pods.size(), Bool(false)));
  const Int classed = direct::both(violating, result.evicted);
  if (policy.budgets.guaranteed) result.candidate = all_of(result.candidate, classed == 0);
  result.violations =
      policy.violations == ViolationCount::kActual ? violated(policy, node, result.evicted) : classed;
  result.key = key_of(policy, node, result.evicted, result.violations);
  return result;
}

// Of all sets the best; of equal ones the one that spares the most important pods.
PolicyAnswer exact(const Policy& policy, const PolicyNode& node) {
  const std::size_t pods = node.pods.size();
  struct Set {
    Bools victims;
    Bool admissible;
    Key key;
  };
  std::vector<Set> sets;  // those that spare the most important pods come first
  for (std::size_t mask = 1; mask < (std::size_t{1} << pods); ++mask) {
    Set set;
    for (std::size_t i = 0; i < pods; ++i) set.victims.emplace_back((mask >> (pods - 1 - i) & 1U) != 0);
    const Int violations = violated(policy, node, set.victims);
    set.admissible = direct::fits(node.question.resources, kept(set.victims));
    if (policy.budgets.guaranteed) set.admissible = all_of(set.admissible, violations == 0);
    set.key = key_of(policy, node, set.victims, violations);
    sets.push_back(std::move(set));
  }
  PolicyAnswer result{
      .candidate = Bool(false), .evicted = Bools(pods, Bool(false)), .violations = {}, .key = {}};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Bools conditions = {sets[i].admissible};
    for (std::size_t j = 0; j < sets.size(); ++j) {
      if (j == i) continue;
      // A later one has to be better than an earlier one, an earlier one no worse than a later one.
      conditions.push_back(implies(sets[j].admissible, j < i ? better(policy, sets[i].key, sets[j].key)
                                                             : no(better(policy, sets[j].key, sets[i].key))));
    }
    const Bool chosen = all(conditions);
    result.candidate = any_of(result.candidate, chosen);
    for (std::size_t p = 0; p < pods; ++p)
      result.evicted[p] = any_of(result.evicted[p], all_of(chosen, sets[i].victims[p]));
    take(result.key, chosen, sets[i].key);
  }
  result.violations = result.key.levels.violations;
  return result;
}

}  // namespace

std::string not_encoded(const Policy& policy) {
  if (policy.sampling) return "sampling";
  // Whose priority is the highest then depends on which of two equals is listed first.
  if (std::ranges::count(policy.importance, ImportanceCriterion::kPriority) == 0)
    return "importance without priority";
  for (const ImportanceCriterion criterion : policy.importance) {
    if (criterion == ImportanceCriterion::kRequestedShare) return "importance requestedShare";
  }
  for (const NodeCriterion criterion : policy.node_order) {
    if (criterion == NodeCriterion::kRequestedShare) return "nodeOrder requestedShare";
  }
  return "";
}

std::int32_t preemptor_priority(const Policy& policy) {
  const BudgetGuarantee& budgets = policy.budgets;
  return budgets.guaranteed && budgets.below_priority
             ? std::min(kPreemptorPriority, *budgets.below_priority - 1)
             : kPreemptorPriority;
}

std::string to_string(const Shape& shape) {
  const auto counted = [](int number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  return fmt::format("{} {}, {}, {}", fmt::join(shape.pods, " + "),
                     shape.pods.size() == 1 && shape.pods[0] == 1 ? "pod" : "pods",
                     counted(shape.resources, "resource"), counted(shape.budgets, "budget"));
}

PolicyNode policy_node(World& world, const Policy& policy, const Shape& shape, std::size_t which) {
  const std::string prefix = prefix_of(which);
  const Bounds bounds{.pods = shape.pods[which], .resources = shape.resources, .budgets = shape.budgets};
  PolicyNode node{.question = ask(world, bounds, policy.charging, {}, prefix), .pods = {}, .grace = {}};
  // Low enough to be below the preemptor; a user's highest is 10^9.
  const std::int64_t highest = std::min<std::int64_t>(1'000'000'000, shape.preemptor - 1);
  const std::int64_t lowest = std::min<std::int64_t>(0, highest - 100);
  for (int i = 1; i <= bounds.pods; ++i) {
    const std::string name = fmt::format("{}pod{}", prefix, i);
    node.pods.push_back({.priority = world.integer(name + ".priority", lowest, highest),
                         .start_given = Bool(true),
                         .start = world.integer(name + ".start", 0, 1000)});
    node.grace.push_back(uses_grace(policy) ? world.integer(name + ".grace", 0, 1000) : Int(30));
    world.minimise(minus(node.pods.back().priority, Int(lowest)));
    world.minimise(node.pods.back().start);
    if (uses_grace(policy)) world.minimise(node.grace.back());
  }
  assume_order(world, policy, node);
  assume_tried(world, node.question);
  prefer_small(world, node.question);
  return node;
}

void assume_order(World& world, const Policy& policy, const PolicyNode& node) {
  for (std::size_t i = 0; i + 1 < node.pods.size(); ++i) world.assume(in_order(policy, node, i));
}

Key key_of(const Policy& policy, const PolicyNode& node, const Bools& victims, Int violations) {
  Key key{.levels = direct::levels(node.pods, victims, violations), .budgets_touched = Int(0)};
  // The highest priority is that of the victim that is listed first.
  if (policy.importance.empty() || policy.importance.front() != ImportanceCriterion::kPriority) {
    for (std::size_t i = victims.size(); i-- > 0;)
      key.levels.highest_priority = choose(victims[i], node.pods[i].priority, key.levels.highest_priority);
  }
  if (std::ranges::count(policy.node_order, NodeCriterion::kBudgetsTouched) > 0) {
    Bools touched;
    for (std::size_t b = 0; b < node.question.budgets.allowed.size(); ++b) {
      Bools any_pod;
      for (std::size_t i = 0; i < victims.size(); ++i)
        any_pod.push_back(all_of(victims[i], node.question.budgets.selects[i][b]));
      touched.push_back(any(any_pod));
    }
    key.budgets_touched = how_many(touched);
  }
  return key;
}

Bool better(const Policy& policy, const Key& a, const Key& b) {
  const auto before = [](NodeCriterion level, const Key& x, const Key& y) {
    return level == NodeCriterion::kBudgetsTouched ? x.budgets_touched < y.budgets_touched
                                                   : direct::better(x.levels, y.levels, level);
  };
  Bool result(false);
  for (std::size_t i = policy.node_order.size(); i-- > 0;) {
    const NodeCriterion level = policy.node_order[i];
    result = any_of(before(level, a, b), all_of(no(before(level, b, a)), result));
  }
  return result;
}

PolicyAnswer answer(const Policy& policy, const PolicyNode& node) {
  return policy.victims == VictimSearch::kExact ? exact(policy, node) : greedy(policy, node);
}

Int really_violated(const PolicyNode& node, const Bools& victims) {
  direct::Budgets budgets = node.question.budgets;
  budgets.charging = Charging::kEveryBudget;
  return how_many(direct::violating_among(budgets, victims));
}

Case cluster_of_model(const Terms& terms, const Assignment& model, const Policy& policy, const Shape& shape) {
  const Reader read(terms, model);
  std::vector<Plan> plans;
  const auto list = [&](const std::string& prefix) {
    std::vector<std::int64_t> amounts;
    for (int r = 0; r < shape.resources; ++r)
      amounts.push_back(read.integer(prefix + resource_name(static_cast<std::size_t>(r))));
    return amounts;
  };
  std::vector<std::int64_t> allowed;
  for (int b = 1; b <= shape.budgets; ++b)
    allowed.push_back(read.integer(fmt::format("budget{}.allowed", b)));
  for (std::size_t n = 0; n < shape.pods.size(); ++n) {
    const std::string prefix = prefix_of(n);
    Plan plan{.node = n == 0 ? "node-a" : "node-b",
              .pods = {},
              .allocatable = list(prefix + "node."),
              .others = {},
              .nominated = {}};
    for (int i = 1; i <= shape.pods[n]; ++i) {
      const std::string name = fmt::format("{}pod{}", prefix, i);
      Holder holder{.name = fmt::format("{}{}", n == 0 ? "a" : "b", i),
                    .priority = static_cast<std::int32_t>(read.integer(name + ".priority")),
                    .start = kNewYear + read.integer(name + ".start") * kMinute,
                    .holds = list(name + ".")};
      for (int b = 1; b <= shape.budgets; ++b) {
        holder.in.push_back(read.boolean(fmt::format("{}.in.budget{}", name, b)));
        holder.disrupted.push_back(false);
      }
      if (uses_grace(policy)) holder.grace_s = read.integer(name + ".grace");
      plan.pods.push_back(std::move(holder));
    }
    plans.push_back(std::move(plan));
  }
  Case result = cluster_of(plans, list("preemptor."), allowed, shape.preemptor);
  result.policy = policy;
  return result;
}

}  // namespace reprieve::smt
