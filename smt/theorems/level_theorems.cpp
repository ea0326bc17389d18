// Which level of the ordering decides: each can, and level 4 hardly ever does.
#include <fmt/format.h>

#include "reprieve/smt/theorems/two_nodes.h"

namespace reprieve::smt {

FullNode full_node(World& world, const std::string& prefix, const Bounds& bounds, Charging charging,
                   std::int64_t lowest_priority, std::int64_t highest_priority) {
  FullNode node;
  direct::Budgets budgets{.charging = charging};
  for (int b = 1; b <= bounds.budgets; ++b)
    budgets.allowed.push_back(world.integer(fmt::format("budget{}.allowed", b), 0, kMostInt32));
  for (int i = 1; i <= bounds.pods; ++i) {
    const std::string name = fmt::format("{}pod{}", prefix, i);
    node.there.push_back(world.boolean(name + ".there"));
    world.minimise(times(1'000'000, count(node.there.back())));  // few pods before small numbers
    const direct::Pod pod{.priority = world.integer(name + ".priority", lowest_priority, highest_priority),
                          .start_given = Bool(true),
                          .start = world.integer(name + ".start", 0, 1000)};
    world.minimise(greatest(Int(0), pod.priority));
    world.minimise(pod.start);
    if (i > 1) {
      world.assume(in_order(node.pods.back(), pod));
      world.assume(implies(node.there[i - 1], node.there[i - 2]));
    }
    node.pods.push_back(pod);
    direct::Bools selects;
    for (int b = 1; b <= bounds.budgets; ++b) {
      selects.push_back(all_of(node.there.back(), world.boolean(fmt::format("{}.in.budget{}", name, b))));
      world.minimise(count(selects.back()));
    }
    budgets.selects.push_back(selects);
    budgets.disrupted.emplace_back(bounds.budgets, Bool(false));
  }
  world.assume(node.there[0]);
  node.violating = direct::violating(budgets);
  node.levels = direct::levels(node.pods, node.there, direct::both(node.violating, node.there));
  return node;
}

namespace {

// Node a is chosen, by this level: the ones before it are equal.
Bool decides(const FullNode& a, const FullNode& b, NodeCriterion level) {
  direct::Bools conditions;
  for (const NodeCriterion before : kFiveLevels) {
    if (before == level) break;
    conditions.push_back(
        no(any_of(direct::better(a.levels, b.levels, before), direct::better(b.levels, a.levels, before))));
  }
  conditions.push_back(direct::better(a.levels, b.levels, level));
  return all(conditions);
}

void assume_same_starts(World& world, const FullNode& a, const FullNode& b) {
  for (const FullNode* node : {&a, &b}) {
    for (const direct::Pod& pod : node->pods) world.assume(pod.start == a.pods[0].start);
  }
}

void assume_same_priorities(World& world, const FullNode& a, const FullNode& b) {
  for (const FullNode* node : {&a, &b}) {
    for (const direct::Pod& pod : node->pods) world.assume(pod.priority == a.pods[0].priority);
  }
}

}  // namespace

void add_level_theorems(std::vector<Theorem>& to) {
  constexpr std::int64_t kMostOfUsers = 1'000'000'000;  // scheduling.HighestUserDefinablePriority
  const std::string about = "docs/SEMANTICS.md, direct encoding";
  const auto never = [&](NodeCriterion level, std::string_view number, std::int64_t lowest,
                         std::string contrast, auto assume) {
    to.push_back({.name = fmt::format("level-{}-never-decides", number),
                  .sentence = fmt::format("Level {} ({}) never decides between two nodes.", number,
                                          reprieve::to_string(level)),
                  .formal = fmt::format("not (levels before {} equal and level {} differs)", number, number),
                  .about = about,
                  .quick = {.pods = 2, .budgets = 1},
                  .usual = {.pods = 3, .budgets = 1},
                  .nightly = {.pods = 3, .budgets = 2},
                  .holds = false,
                  .contrast = std::move(contrast),
                  .shows = Shows::kTwoNodes,
                  .body = [=](World& world, const Bounds& bounds, bool contrast_asked) {
                    const std::int64_t from = contrast_asked ? std::max<std::int64_t>(lowest, 0) : lowest;
                    const FullNode a =
                        full_node(world, "a.", bounds, Charging::kUntilViolated, from, kMostOfUsers);
                    const FullNode b =
                        full_node(world, "b.", bounds, Charging::kUntilViolated, from, kMostOfUsers);
                    if (contrast_asked) assume(world, a, b);
                    world.claim("never", no(decides(a, b, level)));
                  }});
  };
  never(NodeCriterion::kPdbViolations, "1", 0, "the same, when no budget selects a pod",
        [](World& world, const FullNode& a, const FullNode& b) {
          world.assume(all_of(a.levels.violations == 0, b.levels.violations == 0));
        });
  never(NodeCriterion::kHighestPriority, "2", 0, "the same, when all pods have one priority",
        assume_same_priorities);
  never(NodeCriterion::kPrioritySum, "3", 0,
        "the same, when all pods have one priority and the nodes as many pods",
        [](World& world, const FullNode& a, const FullNode& b) {
          assume_same_priorities(world, a, b);
          world.assume(a.levels.victim_count == b.levels.victim_count);
        });
  never(NodeCriterion::kVictimCount, "4", kLeastInt32,
        "the same of up to three victims, when no priority is negative (nor above 10^9)",
        [](World&, const FullNode&, const FullNode&) {});
  never(NodeCriterion::kLatestStart, "5", 0, "the same, when all pods started together", assume_same_starts);

  // The exact point from which level 4 matters to priorities that users can give.
  const auto level_4 = [&](std::string name, std::string sentence, int pods, bool holds,
                           std::string contrast) {
    to.push_back(
        {.name = std::move(name),
         .sentence = std::move(sentence),
         .formal = "priorities in 0..10^9: not (levels 1 to 3 equal and level 4 differs)",
         .about = about,
         .quick = {.pods = pods},
         .usual = {.pods = pods},
         .nightly = {.pods = pods},
         .holds = holds,
         .contrast = std::move(contrast),
         .shows = Shows::kTwoNodes,
         .body = [holds](World& world, const Bounds& bounds, bool contrast_asked) {
           const std::int64_t lowest = holds && contrast_asked ? kLeastInt32 : 0;
           const FullNode a = full_node(world, "a.", bounds, Charging::kUntilViolated, lowest, kMostOfUsers);
           const FullNode b = full_node(world, "b.", bounds, Charging::kUntilViolated, lowest, kMostOfUsers);
           if (!holds && contrast_asked)
             world.assume(
                 all_of(a.levels.highest_priority < 715'827'883, b.levels.highest_priority < 715'827'883));
           world.claim("never", no(decides(a, b, NodeCriterion::kVictimCount)));
         }});
  };
  level_4("level-4-idle-up-to-4-victims",
          "With priorities from 0 to 10^9, level 4 never decides between nodes of up to four victims.", 4,
          true, "the same with negative priorities");
  level_4("level-4-idle-up-to-5-victims",
          "With priorities from 0 to 10^9, level 4 never decides between nodes of up to five victims.", 5,
          false, "the same of these five, when no priority is above 715827882 (2^31 / 3)");
  to.push_back(
      {.name = "shifting-priorities-changes-nothing",
       .sentence = "Raising every priority by the same amount never changes which of two nodes is preferred.",
       .formal = "better(a, b) iff better(a + c, b + c)",
       .about = about,
       .quick = {.pods = 3},
       .usual = {.pods = 3},
       .nightly = {.pods = 3},
       .holds = false,
       .contrast = "the same of up to three victims, when no priority is negative",
       .shows = Shows::kTwoNodes,
       .body = [](World& world, const Bounds& bounds, bool contrast) {
         const std::int64_t lowest = contrast ? 0 : kLeastInt32;
         const FullNode a = full_node(world, "a.", bounds, Charging::kUntilViolated, lowest, kMostOfUsers);
         const FullNode b = full_node(world, "b.", bounds, Charging::kUntilViolated, lowest, kMostOfUsers);
         const Int by = world.integer("raised.by", 0, kMostOfUsers);
         const auto raised = [&](direct::Levels levels) {
           levels.highest_priority = plus(levels.highest_priority, by);
           // The sum of equal amounts: one for each victim that is there.
           Int sum = levels.priority_sum;
           const FullNode& node = levels.priority_sum.term() == a.levels.priority_sum.term() ? a : b;
           for (const Bool& there : node.there) sum = plus(sum, choose(there, by, Int(0)));
           levels.priority_sum = sum;
           return levels;
         };
         const auto prefers = [&](const direct::Levels& x, const direct::Levels& y) {
           return direct::better(x, y, kFiveLevels);
         };
         world.claim("as before",
                     same(prefers(a.levels, b.levels), prefers(raised(a.levels), raised(b.levels))));
       }});
}

}  // namespace reprieve::smt
