// Step 6: the key of a candidate, the comparison of two keys, which level decides, and the bound by
// which the engine abandons a node.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "reprieve/engine/selection.h"
#include "reprieve/reference/ranking.h"
#include "reprieve/smt/theorems/any_key.h"
#include "reprieve/smt/theorems/two_nodes.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

// Any order of the five criteria: one turn for each of the 120.
std::vector<NodeCriterion> any_order(World& world) {
  std::vector<NodeCriterion> order = kFiveLevels;
  std::ranges::sort(order);
  const Int chosen = world.integer("order", 0, 119);
  for (int i = 0; i < 119 && !(chosen == Int(i)); ++i) std::next_permutation(order.begin(), order.end());
  return order;
}

// A key that may have come about in any way.
AnyKey any_key(World& world, const std::string& name) {
  const auto number = [&](std::string_view what) {
    return world.integer(fmt::format("{}.{}", name, what), 0, std::int64_t{1} << 62);
  };
  return with_engine_key({.violations = number("violations"),
                          .highest_priority = world.integer(name + ".highest", kLeastInt32, kMostInt32),
                          .priority_sum = number("sum"),
                          .victim_count = number("count"),
                          .start_given = world.boolean(name + ".start.given"),
                          .earliest_start = world.integer(name + ".start", kFirstStart, kLastStart)});
}

reference::RankingKey<Int> for_reference(const AnyKey& any) {
  return {.violations = any.levels.violations,
          .highest_priority = any.levels.highest_priority,
          .priority_sum = any.levels.priority_sum,
          .victim_count = any.levels.victim_count,
          // As in reference/ranking.cpp: "now" is later than every start.
          .earliest_start = any.key.earliest_start.given ? any.key.earliest_start.time
                                                         : Int(std::numeric_limits<std::int64_t>::max())};
}

// The changed statement of a comparison: an earlier start is the better one.
direct::Levels mirrored(direct::Levels levels, bool contrast) {
  if (contrast) levels.earliest_start = times(-1, levels.earliest_start);
  return levels;
}

void engine_key(World& world, const Bounds& bounds, bool contrast) {
  engine::Key<Int> key;
  std::vector<direct::Pod> pods;
  Bools classed;
  for (int i = 1; i <= bounds.pods; ++i) {
    const std::string name = fmt::format("pod{}", i);
    pods.push_back({.priority = world.integer(name + ".priority", kLeastInt32, kMostInt32),
                    .start_given = world.boolean(name + ".start.given"),
                    .start = world.integer(name + ".start", kFirstStart, kLastStart)});
    classed.push_back(world.boolean(name + ".violating"));
    const engine::StartTime<Int> start{.given = static_cast<bool>(pods.back().start_given),
                                       .time = pods.back().start};
    key.add(pods.back().priority, start, count(classed.back()));
  }
  const direct::Levels rule = direct::levels(pods, Bools(pods.size(), Bool(true)), how_many(classed));
  world.claim("violations", key.violations == rule.violations);
  world.claim("highest priority", key.highest_priority == rule.highest_priority);
  world.claim("sum", key.priority_sum == rule.priority_sum);
  world.claim("count", key.victim_count == rule.victim_count);
  world.claim("start given", same(Bool(key.earliest_start.given), rule.start_given));
  // The changed statement takes the earliest start of all victims.
  Int start = rule.earliest_start;
  if (contrast) {
    for (const direct::Pod& pod : pods) start = choose(pod.start_given, least(start, pod.start), start);
  }
  if (key.earliest_start.given) world.claim("earliest start", key.earliest_start.time == start);
}

void engine_comparison(World& world, const Bounds&, bool contrast) {
  const AnyKey a = any_key(world, "a"), b = any_key(world, "b");
  const std::vector<NodeCriterion> order = any_order(world);
  const NodeCriterion* decided = nullptr;
  const int result = engine::compare_keys(a.key, b.key, std::span<const NodeCriterion>(order), &decided);
  const direct::Levels x = mirrored(a.levels, contrast), y = mirrored(b.levels, contrast);
  world.claim("a when it is better", same(Bool(result < 0), direct::better(x, y, order)));
  world.claim("b when it is better", same(Bool(result > 0), direct::better(y, x, order)));
  if (!decided) return;
  for (const NodeCriterion& before : order) {
    const bool at = before == *decided;
    const Bool differ = any_of(direct::better(x, y, before), direct::better(y, x, before));
    world.claim("decided by the first that differs", same(differ, Bool(at)));
    if (at) break;
  }
}

void reference_comparison(World& world, const Bounds&, bool contrast) {
  const AnyKey a = any_key(world, "a"), b = any_key(world, "b");
  const std::vector<NodeCriterion> order = any_order(world);
  const reference::Preference result = reference::compare(for_reference(a), for_reference(b), order);
  const direct::Levels x = mirrored(a.levels, contrast), y = mirrored(b.levels, contrast);
  world.claim("a when it is better", same(Bool(result.first), direct::better(x, y, order)));
  world.claim("b when it is better", same(Bool(result.second), direct::better(y, x, order)));
}

direct::Levels free_levels(World& world, const std::string& name) {
  const auto number = [&](std::string_view what) { return world.integer(fmt::format("{}.{}", name, what)); };
  return {.violations = number("violations"),
          .highest_priority = number("highest"),
          .priority_sum = number("sum"),
          .victim_count = number("count"),
          .start_given = world.boolean(name + ".start.given"),
          .earliest_start = number("start")};
}

void comparison_is_an_order(World& world, const Bounds&, bool contrast) {
  const std::array keys = {free_levels(world, "a"), free_levels(world, "b"), free_levels(world, "c")};
  const auto better = [&](int i, int j) {
    // The changed statement takes a node that is better by any level.
    if (!contrast) return direct::better(keys[i], keys[j], kFiveLevels);
    Bools by_each;
    for (const NodeCriterion criterion : kFiveLevels)
      by_each.push_back(direct::better(keys[i], keys[j], criterion));
    return any(by_each);
  };
  const auto tie = [&](int i, int j) { return all_of(no(better(i, j)), no(better(j, i))); };
  world.claim("no node is better than itself", no(better(0, 0)));
  world.claim("not both ways", no(all_of(better(0, 1), better(1, 0))));
  world.claim("transitive", implies(all_of(better(0, 1), better(1, 2)), better(0, 2)));
  world.claim("ties are transitive", implies(all_of(tie(0, 1), tie(1, 2)), tie(0, 2)));
}

// Pods as listed; the engine compares one with one that is listed later.
auto importance_is_an_order(Release release) {
  return [=](World& world, const Bounds&, bool contrast) {
    std::array<engine::Importance<Int>, 3> pods;
    for (int i = 0; i < 3; ++i) {
      const std::string name = fmt::format("pod{}", i + 1);
      pods[i] = {.priority = world.integer(name + ".priority", kLeastInt32, kMostInt32),
                 .start = {.given = static_cast<bool>(world.boolean(name + ".start.given")),
                           .time = world.integer(name + ".start", kFirstStart, kLastStart)}};
      world.minimise(greatest(pods[i].priority, times(-1, pods[i].priority)));
      world.minimise(greatest(pods[i].start.time, times(-1, pods[i].start.time)));
    }
    const std::array criteria = {ImportanceCriterion::kPriority, ImportanceCriterion::kStartTime};
    // By the rule: the higher priority, then the earlier start, "now" being the latest. Of two "now"
    // 1.36 takes the later listed; else the list decides.
    const auto by_rule = [&](int i, int j) {  // i is listed before j
      const bool both_now = !pods[i].start.given && !pods[j].start.given;
      Bool by_start(!(both_now && release == Release::k1_36));
      if (pods[i].start.given != pods[j].start.given) by_start = Bool(pods[i].start.given);
      if (pods[i].start.given && pods[j].start.given) by_start = pods[i].start.time <= pods[j].start.time;
      if (contrast) by_start = Bool(true);
      return any_of(pods[i].priority > pods[j].priority,
                    all_of(pods[i].priority == pods[j].priority, by_start));
    };
    bool before[3][3] = {};
    for (int i = 0; i < 3; ++i) {
      for (int j = i + 1; j < 3; ++j) {
        const engine::Order order = engine::compare_importance<Int>(pods[i], pods[j], criteria, release);
        before[i][j] = order != engine::Order::kAfter;  // a tie leaves the listed order
        before[j][i] = !before[i][j];
        world.claim("as the rule says", same(Bool(before[i][j]), by_rule(i, j)));
      }
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) {
          if (i != j && j != k && i != k)
            world.claim("transitive", Bool(!(before[i][j] && before[j][k]) || before[i][k]));
        }
      }
    }
  };
}

// Two nodes from which all pods go: the keys that the engine gathers, compared as it compares them.
void engine_ranking(World& world, const Bounds& bounds, bool contrast) {
  const FullNode nodes[] = {
      full_node(world, "a.", bounds, Charging::kUntilViolated, kLeastInt32, 1'000'000'000),
      full_node(world, "b.", bounds, Charging::kUntilViolated, kLeastInt32, 1'000'000'000)};
  engine::Key<Int> keys[2];
  for (int n = 0; n < 2; ++n) {
    for (std::size_t i = 0; i < nodes[n].pods.size(); ++i) {
      if (!nodes[n].there[i]) continue;
      const direct::Pod& pod = nodes[n].pods[i];
      keys[n].add(pod.priority, {.given = true, .time = pod.start}, count(nodes[n].violating[i]));
    }
  }
  std::vector<NodeCriterion> order = kFiveLevels;
  const int result = engine::compare_keys(keys[0], keys[1], std::span<const NodeCriterion>(order));
  if (contrast) std::ranges::reverse(order);
  world.claim("a when it is better",
              same(Bool(result < 0), direct::better(nodes[0].levels, nodes[1].levels, order)));
  world.claim("b when it is better",
              same(Bool(result > 0), direct::better(nodes[1].levels, nodes[0].levels, order)));
}

void beaten_stays_beaten(World& world, const Bounds&, bool contrast) {
  AnyKey partial = any_key(world, "partial");
  const AnyKey best = any_key(world, "best");
  world.assume(partial.key.priority_sum <= Int(std::int64_t{1} << 60));
  const std::span<const NodeCriterion> order(kFiveLevels);
  if (!engine::is_beaten(partial.key, best.key, order)) {
    world.claim("nothing is said", Bool(true));
    return;
  }
  world.claim("it is worse now", Bool(engine::compare_keys(partial.key, best.key, order) > 0));
  const Int violation = contrast ? world.integer("violation", -1, 1) : count(world.boolean("violating"));
  partial.key.add(world.integer("priority", kLeastInt32, kMostInt32),
                  {.given = static_cast<bool>(world.boolean("start.given")),
                   .time = world.integer("start", kFirstStart, kLastStart)},
                  violation);
  world.claim("and with one victim more", Bool(engine::is_beaten(partial.key, best.key, order)));
}

void tie_is_independent_of_order(World& world, const Bounds& bounds, bool contrast) {
  std::vector<direct::Levels> nodes;
  for (int i = 1; i <= bounds.pods; ++i) nodes.push_back(free_levels(world, fmt::format("node{}", i)));
  // The engine's ranking (engine/rank.cpp) keeps the best so far and what ties with it, in any order
  // of the nodes; in the end these must be the nodes that no other beats.
  const auto walk = [&](bool backwards) {
    Int best(0);
    Bools tie(nodes.size(), Bool(false));
    const auto is_best = [&](std::size_t i) { return best == Int(i); };
    const auto beats_best = [&](std::size_t i, bool reverse) {
      Bools cases;
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        const Bool better = reverse ? direct::better(nodes[j], nodes[i], kFiveLevels)
                                    : direct::better(nodes[i], nodes[j], kFiveLevels);
        cases.push_back(all_of(is_best(j), better));
      }
      return any(cases);
    };
    for (std::size_t step = 0; step < nodes.size(); ++step) {
      const std::size_t i = backwards ? nodes.size() - 1 - step : step;
      if (step == 0) {
        best = Int(i);
        tie[i] = Bool(true);
        continue;
      }
      const Bool wins = beats_best(i, false), loses = contrast ? Bool(false) : beats_best(i, true);
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        if (j != i) tie[j] = all_of(tie[j], no(wins));
      }
      tie[i] = any_of(wins, no(loses));
      best = choose(wins, Int(i), best);
    }
    return tie;
  };
  const Bools forwards = walk(false), backwards = walk(true);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Bools beaten;
    for (const direct::Levels& other : nodes) beaten.push_back(direct::better(other, nodes[i], kFiveLevels));
    world.claim("the tie is whom nobody beats", same(forwards[i], no(any(beaten))));
    world.claim("from the other end as well", same(forwards[i], backwards[i]));
  }
}

}  // namespace

void add_ranking_theorems(std::vector<Theorem>& to) {
  to.push_back(
      {.name = "engine-key",
       .sentence = "The key that the engine gathers victim by victim is that of the five levels, in whatever "
                   "order the victims come and whatever starts are missing.",
       .formal = "Key::add(v1); ...; Key::add(vn) = levels({v1..vn})",
       .about = "engine/selection.h: Key::add",
       .quick = {.pods = 3},
       .usual = {.pods = 4},
       .nightly = {.pods = 5},
       .contrast = "the start is the earliest of all victims",
       .explored = true,
       .body = engine_key});
  for (const bool engine : {true, false}) {
    to.push_back(
        {.name = fmt::format("{}-comparison", engine ? "engine" : "reference"),
         .sentence = fmt::format("The {} prefers one node to another exactly when it is better by the first "
                                 "criterion in which they differ, for each of the 120 orders of the five "
                                 "criteria and any two keys.",
                                 engine ? "engine" : "reference"),
         .formal = "compare(a, b) < 0 iff a is better than b lexicographically",
         .about = engine ? "engine/selection.h: compare_keys" : "reference/ranking.h: compare",
         .kind = Kind::kUnbounded,
         .contrast = "the earlier start is the better one",
         .explored = true,
         .body = engine ? engine_comparison : reference_comparison});
  }
  to.push_back({.name = "comparison-is-an-order",
                .sentence = "The five-level comparison is a strict weak order.",
                .formal = "irreflexive, asymmetric, transitive, and ties are transitive, for any three keys",
                .about = "docs/SEMANTICS.md, direct encoding",
                .kind = Kind::kUnbounded,
                .contrast = "the same of \"better by some level\"",
                .body = comparison_is_an_order});
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    to.push_back(
        {.name = fmt::format("importance-is-an-order-{}", reprieve::to_string(release)),
         .sentence =
             fmt::format("The engine's order of importance under {} is that of the rule, and a total "
                         "order of the listed pods, whatever starts are missing: the higher priority, "
                         "then the earlier start, a missing one being the latest; of two missing ones "
                         "the {} listed.",
                         reprieve::to_string(release), release == Release::k1_36 ? "later" : "earlier"),
         .formal = "p before q iff priority(p) > priority(q), or equal and start(p) before start(q), or "
                   "equal and as listed; transitive on any three pods",
         .about = "engine/selection.h: compare_importance",
         .kind = Kind::kUnbounded,
         .contrast = "starts do not matter",
         .explored = true,
         .release = release,
         .shows = Shows::kListedPods,
         .body = importance_is_an_order(release)});
  }
  to.push_back(
      {.name = "engine-ranking",
       .sentence =
           "Of two nodes from which every pod must go the engine prefers the one that the five levels "
           "do.",
       .formal = "compare_keys(key(a), key(b)) < 0 iff better(levels(a), levels(b))",
       .about = "engine/selection.h: Key::add, compare_keys",
       .quick = {.pods = 2, .budgets = 1},
       .usual = {.pods = 2, .budgets = 1},
       .nightly = {.pods = 3, .budgets = 1},
       .contrast = "the levels are asked in reverse",
       .explored = true,
       .shows = Shows::kTwoNodes,
       .body = engine_ranking});
  to.push_back({.name = "beaten-stays-beaten",
                .sentence =
                    "A node that the engine abandons cannot be chosen: once its victims so far are beaten by "
                    "the best node, they are with every further victim, and the comparison says so.",
                .formal = "is_beaten(k, best) implies compare(k, best) > 0 and is_beaten(k + v, best)",
                .about = "engine/selection.h: is_beaten, Key::add, compare_keys",
                .kind = Kind::kUnbounded,
                .contrast = "when a victim may take a violation back",
                .explored = true,
                .body = beaten_stays_beaten});
  to.push_back({.name = "tie-is-independent-of-order",
                .sentence =
                    "The nodes of the final tie are those that no node beats, and the same whichever way the "
                    "nodes are listed. (The number is that of nodes.)",
                .formal = "tie(nodes) = {n: no m is better than n} = tie(nodes reversed)",
                .about = "docs/SEMANTICS.md, direct encoding of engine/rank.cpp",
                .quick = {.pods = 4},
                .usual = {.pods = 5},
                .nightly = {.pods = 6},
                .contrast = "when a node that is worse than the best so far is kept",
                .body = tie_is_independent_of_order});
  add_level_theorems(to);
}

}  // namespace reprieve::smt
