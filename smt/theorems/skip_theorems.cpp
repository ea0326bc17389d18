// The rules by which the engine skips a whole node: what it skips cannot win.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "reprieve/engine/bounded/behind.h"
#include "reprieve/engine/exact/cover_proof.h"
#include "reprieve/engine/exact/level_walk.h"
#include "reprieve/engine/selection.h"
#include "reprieve/smt/theorems/any_key.h"

namespace reprieve::smt {

// What engine/exact uses of numbers beside their operators, for symbolic ones: without rounding.
Int rounding_margin(Int, std::size_t) { return 0; }

engine::exact::Division<Int> divide(Int dividend, Int divisor) {
  constexpr std::int64_t kMost = 4;  // more than there are pods in any question here
  for (std::int64_t quotient = 0; quotient <= kMost; ++quotient) {
    if (dividend < times(quotient + 1, divisor)) return {quotient, minus(dividend, times(quotient, divisor))};
  }
  // Any greater one, and any rest.
  World& world = dynamic_cast<World&>(*Guide::current());
  const Int rest = world.integer("rest");
  world.assume(all_of(rest >= Int(0), rest < divisor));
  return {world.integer("quotient", kMost + 1, kMostInt32), rest};
}

namespace {

using direct::Bools;
namespace exact = engine::exact;

constexpr MostOfAKey kMostOfBest{
    .violations = 8, .priority_sum = std::int64_t{1} << 45, .victim_count = 4096};

// --- engine/exact/cover_proof.h: prices ------------------------------------------------------------

using Evictable = exact::BasicEvictable<Int, Int>;
using Allowance = exact::BasicAllowance<Int, Int>;

// What victims come to, by the pods that are among them.
Bool is_within(const Evictable& pods, const Bools& victims, const Allowance& allowance) {
  Bools violating, each;
  direct::Ints extra;
  for (std::size_t i = 0; i < victims.size(); ++i) {
    violating.push_back(all_of(victims[i], Bool(pods.violates[i] != 0)));
    const Bool start_is_well =
        any_of(allowance.start_us == Int(Allowance::kAnyStart), pods.priority[i] < allowance.priority,
               pods.start_us[i] >= allowance.start_us);
    each.push_back(implies(victims[i], all_of(pods.priority[i] <= allowance.priority, start_is_well)));
    extra.push_back(choose(victims[i], minus(pods.priority[i], allowance.least), Int(0)));
  }
  return all_of(all(each), how_many(victims) <= allowance.count, how_many(violating) <= allowance.violations,
                total(extra) <= allowance.extra);
}

Evictable any_evictable(World& world, const Bounds& bounds) {
  Evictable pods;
  pods.size = pods.stride = static_cast<std::size_t>(bounds.pods);
  pods.rows = static_cast<std::size_t>(bounds.resources);
  for (std::size_t i = 0; i < pods.size; ++i) {
    const std::string name = fmt::format("pod{}", i + 1);
    pods.priority.push_back(world.integer(name + ".priority", kLeastInt32, kMostInt32));
    if (i > 0) world.assume(pods.priority[i] >= pods.priority[i - 1]);
    pods.start_us.push_back(any_start(world, name + ".start"));
    pods.violates.push_back(static_cast<bool>(world.boolean(name + ".violates")) ? 1 : 0);
  }
  return pods;
}

void prices_body(World& world, const Bounds& bounds, bool contrast) {
  Evictable pods = any_evictable(world, bounds);
  for (std::size_t r = 0; r < pods.rows; ++r) {
    pods.need.push_back(world.integer(fmt::format("need{}", r + 1), 0, kMostOfAResource));
    for (std::size_t i = 0; i < pods.size; ++i)
      pods.weight.push_back(world.integer(fmt::format("pod{}.frees{}", i + 1, r + 1), 0, kMostOfAResource));
  }
  Allowance allowance;
  allowance.least = world.integer("least", kLeastInt32, kMostInt32);
  world.assume(allowance.least <= pods.priority.front());
  allowance.violations = world.integer("violations", 0, 100);
  allowance.priority = world.integer("priority", kLeastInt32, kMostInt32);
  if (static_cast<bool>(world.boolean("start.is.limited"))) allowance.start_us = any_start(world, "start");
  allowance.count = world.integer("victims", 0, 100);
  allowance.extra = world.integer("extra", 0, std::int64_t{1} << 40);
  exact::BasicPrices<Int, Int> prices;
  for (std::size_t r = 0; r < pods.rows; ++r)
    prices.row.push_back(some(world, fmt::format("price.of.row{}", r + 1), 2));
  prices.victim = some(world, "price.of.a.victim", 2);
  prices.violation = some(world, "price.of.a.violation", 2);
  prices.extra = some(world, "price.of.priority", 1);
  if (!prices.prove(pods, allowance)) return world.claim("nothing is said", Bool(true));
  // Any victims. The changed statement allows one more of them.
  const Bools victims = some_pods(world, "victim", bounds.pods);
  Bools met;
  for (std::size_t r = 0; r < pods.rows; ++r) {
    const Int freed = total_of(victims, std::span(pods.weight).subspan(r * pods.stride, pods.size));
    met.push_back(freed >= pods.need[r]);
  }
  if (contrast) allowance.count = plus(allowance.count, Int(1));
  world.claim("no victims within the allowance make room",
              no(all_of(is_within(pods, victims, allowance), all(met))));
}

// --- engine/exact/level_walk.h ---------------------------------------------------------------------

// Answers anything, as long as it is true of one set of victims, which may be any.
struct Ghost {
  World& world;
  const Evictable& pods;
  Bools all;
  bool contrast;
  int asked = 0;

  bool impossible(const Allowance& allowance, std::size_t) {
    if (!static_cast<bool>(world.boolean(fmt::format("impossible{}", ++asked)))) return false;
    // The changed statement lets it be said of sets that have not quite as many victims as are allowed.
    Allowance said = allowance;
    if (contrast) said.count = minus(said.count, Int(1));
    world.assume(no(is_within(pods, all, said)));
    return true;
  }
  bool clearly_impossible(const Allowance& allowance, std::size_t kind) {
    return impossible(allowance, kind);
  }
};

void level_walk_body(World& world, const Bounds& bounds, bool contrast) {
  // The set itself is all that there is. What violates for sure violates; others may as well.
  const Evictable pods = any_evictable(world, bounds);
  std::vector<direct::Pod> of_levels;
  std::int64_t sure = 0;
  for (std::size_t i = 0; i < pods.size; ++i) {
    of_levels.push_back({pods.priority[i], Bool(true), pods.start_us[i]});
    sure += pods.violates[i];
  }
  const Bools everybody(pods.size, Bool(true));
  const Int violations =
      world.integer(fmt::format("violations.from{}.up.to{}", sure, bounds.pods), sure, bounds.pods);
  const direct::Levels levels = direct::levels(of_levels, everybody, violations);
  const Int lowest = world.integer("lowest", kLeastInt32, kMostInt32);
  world.assume(lowest <= pods.priority.front());
  const AnyKey best = any_best(world, kMostOfBest);
  const bool guaranteed = static_cast<bool>(world.boolean("guaranteed"));
  if (guaranteed) world.assume(all_of(violations == Int(0), best.levels.violations == Int(0)));
  Ghost ghost{world, pods, everybody, contrast};
  if (exact::are_all_worse<Int>(std::span<const NodeCriterion>(kFiveLevels), best.key, lowest, guaranteed,
                                ghost)) {
    world.claim("the victims are worse than the best", direct::better(best.levels, levels, kFiveLevels));
  } else {
    world.claim("nothing is said", Bool(true));
  }
}

// --- engine/bounded --------------------------------------------------------------------------------

// A node whose pods are classed in any way, with its answer.
struct Bounded {
  Question question;
  std::vector<bool> classed;
  std::vector<direct::Pod> pods;
  Bools evicted;
  direct::Levels levels;

  Bool frees_enough(const Bools& gone) const {
    Bools kept;
    for (const Bool& each : gone) kept.push_back(no(each));
    return direct::fits(question.resources, kept);
  }
  // The `least` least important of the others.
  Bools least_of_the_others(std::size_t least) const {
    Bools gone(pods.size(), Bool(false));
    for (std::size_t i = pods.size(); i-- > 0 && least > 0;) {
      if (classed[i]) continue;
      gone[i] = Bool(true);
      --least;
    }
    return gone;
  }
};

enum class Classes { kAny, kNone, kAll };

Bounded any_bounded(World& world, const Bounds& bounds, Classes classes) {
  Bounded node{
      .question = ask(world, {.pods = bounds.pods, .resources = bounds.resources}, Charging::kEveryBudget),
      .classed = {},
      .pods = {},
      .evicted = {},
      .levels = {}};
  assume_candidate(world, node.question);
  Bools classed;
  for (int i = 1; i <= bounds.pods; ++i) {
    const std::string name = fmt::format("pod{}", i);
    node.pods.push_back({world.integer(name + ".priority", kLeastInt32, kMostInt32), Bool(true),
                         any_start(world, name + ".start")});
    node.classed.push_back(classes == Classes::kAny
                               ? static_cast<bool>(world.boolean(fmt::format("violating{}", i)))
                               : classes == Classes::kAll);
    classed.push_back(Bool(node.classed.back()));
    if (i == 1) continue;
    world.assume(in_order(node.pods[node.pods.size() - 2], node.pods.back()));
  }
  node.evicted = direct::evicted(classed, node.question.fits());
  node.levels = direct::levels(node.pods, node.evicted, direct::both(classed, node.evicted));
  return node;
}

// bound_of() and bound_limit(). A code that is less tells that the number is: `lower` and `is_lower` are
// such tests, which may also say nothing.
void line_body(World& world, const Bounds& bounds, bool contrast) {
  const Bounded node = any_bounded(world, bounds, Classes::kAny);
  const auto others = static_cast<std::size_t>(std::ranges::count(node.classed, false));
  const Int best_violations = world.integer("best.violations", 0, 8);
  const Int best_highest = world.integer("best.highest", kLeastInt32, kMostInt32);
  // The node's class and the priority that goes with it.
  bool violating = false;
  Int priority;
  const auto lowest_of = [&](auto counts) {
    for (std::size_t i = node.pods.size(); i-- > 0;) {
      if (counts(i)) return node.pods[i].priority;
    }
    return Int(kMostInt32);
  };
  if (others > 0 && static_cast<bool>(world.boolean("a.position.may.have.room"))) {
    // At the position before, so many were gone, and there was too little room.
    const auto before = static_cast<std::size_t>(
        some(world, fmt::format("gone.before.of{}", others), static_cast<std::int64_t>(others) - 1));
    const Bools gone = node.least_of_the_others(before);
    world.assume(no(node.frees_enough(gone)));
    // The changed statement takes the priority of the next one, as if that were gone too.
    const Bools then = contrast ? node.least_of_the_others(before + 1) : gone;
    priority =
        lowest_of([&](std::size_t i) { return !node.classed[i] && then[i].term() != Bool(true).term(); });
  } else {
    violating = true;
    world.assume(no(node.frees_enough(node.least_of_the_others(others))));
    priority = lowest_of([](std::size_t) { return true; });
  }
  const Bool is_above = priority > best_highest;
  // Skipped: of a class above the best's, or of that class and of a priority above the best's.
  const Bool skipped = violating
                           ? any_of(best_violations == Int(0), all_of(best_violations == Int(1), is_above))
                           : all_of(best_violations == Int(0), is_above);
  world.claim("a node that is skipped is worse in the first two levels",
              implies(skipped, any_of(node.levels.violations > best_violations,
                                      all_of(node.levels.violations == best_violations,
                                             node.levels.highest_priority > best_highest))));
}

void behind_body(World& world, const Bounds& bounds, bool contrast) {
  const Bounded node = any_bounded(world, bounds, Classes::kNone);
  const std::size_t pods = node.pods.size();
  const AnyKey best = any_best(world, kMostOfBest);
  world.assume(best.levels.violations == Int(0));
  const std::int64_t count = 1 + some(world, "best.victims-1", bounds.pods - 1);
  world.assume(best.levels.victim_count == Int(count));
  // The line: with `gone` of them gone there is room, with `before` there is not.
  const auto gone = 1 + static_cast<std::size_t>(some(world, "gone-1", bounds.pods - 1));
  const auto before = static_cast<std::size_t>(
      some(world, fmt::format("before{}", gone), static_cast<std::int64_t>(gone) - 1));
  world.assume(node.frees_enough(node.least_of_the_others(gone)));
  world.assume(no(node.frees_enough(node.least_of_the_others(before))));
  // As low as the best's by its code, which tells the best's from all that are lower.
  world.assume(node.pods[pods - 1 - before].priority >= best.levels.highest_priority);
  const Int lowest = world.integer("lowest", kLeastInt32, kMostInt32);
  world.assume(lowest <= node.pods.back().priority);
  // Above the largest that has gone, by its code; and the code of a start not below the latest.
  const Int latest = any_start(world, "latest");
  for (std::size_t i = pods - gone; i < pods - before; ++i) world.assume(latest >= node.pods[i].start);
  const auto frees = [&](std::int64_t victims) {
    for (std::size_t r = 0; r < node.question.resources.asked.size(); ++r) {
      const direct::Resources& resources = node.question.resources;
      const Int above = world.integer(fmt::format("above.the.largest{}", r + 1), 1, kMostOfAResource * 2);
      // The changed statement forgets the largest.
      for (std::size_t i = pods - gone + (contrast ? 1 : 0); i < pods; ++i)
        world.assume(resources.held[i][r] < above);
      if (resources.asked[r] > Int(0) && lacking(node.question, r) >= times(victims, above)) return false;
    }
    return true;
  };
  const Int shift(exact::kPriorityShift);
  const engine::bounded::BehindSums<Int> sums(count, best.levels.priority_sum,
                                              plus(best.levels.highest_priority, shift), plus(lowest, shift));
  const bool behind =
      sums.is_behind(frees, [&] { return static_cast<bool>(latest < best.levels.earliest_start); });
  world.claim("a node that is put behind is worse",
              implies(Bool(behind), direct::better(best.levels, node.levels, kFiveLevels)));
}

// try_violating(): of the pods classed violating, those that must be spared for the node to be as good,
// and the room that is left for them once the first to go and all after it are gone.
void smallest_body(World& world, const Bounds& bounds, bool contrast) {
  const Bounded node = any_bounded(world, bounds, Classes::kAll);
  const std::size_t pods = node.pods.size();
  const auto first = static_cast<std::size_t>(some(world, "first", bounds.pods - 1));
  for (std::size_t i = 0; i < first; ++i) world.assume(no(node.evicted[i]));
  world.assume(node.evicted[first]);
  const std::int64_t best = some(world, "best.violations", bounds.pods);
  const std::int64_t spared = static_cast<std::int64_t>(pods - first) - best;
  if (spared <= 0) return world.claim("nothing is said", Bool(true));
  const auto counted =
      static_cast<std::size_t>(some(world, fmt::format("counted-1.of{}", spared), spared - 1)) + 1;
  // Of the pods from a place on that all those to be spared are behind.
  const auto from = static_cast<std::size_t>(
      some(world, fmt::format("from.of{}", first),
           std::min<std::int64_t>(static_cast<std::int64_t>(first) + 1, bounds.pods - 1)));
  // The sum of so many smallest: not above that of any so many. The changed statement counts one more.
  const Int smallest = world.integer("smallest", 0, kMostOfAResource * 8);
  const auto r = static_cast<std::size_t>(some(world, "resource", bounds.resources - 1));
  for (std::size_t code = 0; code < std::size_t{1} << pods; ++code) {
    direct::Ints held;
    for (std::size_t i = 0; i < pods; ++i) {
      if (((code >> i) & 1U) != 0) held.push_back(node.question.resources.held[i][r]);
    }
    if ((code & ((std::size_t{1} << from) - 1U)) != 0) continue;
    if (held.size() == counted + (contrast ? 1 : 0)) world.assume(smallest <= total(held));
  }
  const direct::Resources& resources = node.question.resources;
  direct::Ints used = {resources.asked[r], resources.others[r]};
  for (std::size_t i = 0; i < first; ++i) used.push_back(resources.held[i][r]);
  const Int slack = minus(resources.allocatable[r], total(used));
  world.claim(
      "a node that is skipped has more violations",
      implies(all_of(resources.asked[r] > Int(0), slack < smallest), node.levels.violations > Int(best)));
}

// standing.h: the winner of the tournament is known, and no other is before it. Classes are 0, 1 and 2
// (more violations, known); codes do not fall.
void standing_body(World& world, const Bounds&, bool contrast) {
  struct Entry {
    direct::Levels levels;
    Int rank_class, code;  // of the cost, or of a bound
  };
  const Int most_code(0xffff);
  const auto levels = [&](const std::string& name) {
    const auto number = [&](const char* what) {
      return world.integer(name + what, 0, std::int64_t{1} << 45);
    };
    return direct::Levels{.violations = number(".violations"),
                          .highest_priority = world.integer(name + ".highest", kLeastInt32, kMostInt32),
                          .priority_sum = number(".sum"),
                          .victim_count = number(".victims"),
                          .start_given = Bool(true),
                          .earliest_start = any_start(world, name + ".start")};
  };
  // Codes of the two priorities that do not fall.
  const direct::Levels winner = levels("winner"), other = levels("other");
  const Int winner_code = world.integer("winner.code", 0, 0xffff),
            other_code = world.integer("other.code", 0, 0xffff);
  world.assume(implies(winner.highest_priority <= other.highest_priority, winner_code <= other_code));
  world.assume(implies(other.highest_priority <= winner.highest_priority, other_code <= winner_code));
  const auto rank = [&](const direct::Levels& of, Int code) {
    const Bool many = of.violations > Int(1);
    return plus(times(1 << 17, choose(many, Int(2), of.violations)),
                plus(times(2, choose(many, Int(0), code)), Int(1)));
  };
  const Int winner_rank = rank(winner, winner_code);
  const bool known = static_cast<bool>(world.boolean("other.is.known"));
  if (known) {
    const Int other_rank = rank(other, other_code);
    const Bool is_before =
        any_of(other_rank < winner_rank,
               all_of(other_rank == winner_rank, direct::better(other, winner, kFiveLevels)));
    // The changed statement plays by ranks alone.
    world.assume(no(contrast ? other_rank < winner_rank : is_before));
    world.claim("no other is better", no(direct::better(other, winner, kFiveLevels)));
  } else {
    const Int bound_class = world.integer("bound.class", 0, 1),
              bound_code = world.integer("bound.code", 0, 0xffff);
    const Int true_class = least(other.violations, Int(2));
    world.assume(
        any_of(bound_class < true_class, all_of(bound_class == true_class, bound_code <= other_code)));
    const Int bound = plus(times(1 << 17, bound_class), times(2, bound_code));
    world.assume(no(bound < winner_rank));
    world.claim("one of which only a bound is known is worse", direct::better(winner, other, kFiveLevels));
  }
}

}  // namespace

void add_skip_theorems(std::vector<Theorem>& to) {
  to.push_back({.name = "exact-prices-prove",
                .sentence =
                    "When prices prove that no victims within an allowance make room, none do (whole prices "
                    "up to 2, of priority up to 1; computed without rounding, for which the code that "
                    "ships has a margin).",
                .formal = "prove(pods, allowance) implies forall S within allowance: S does not make room",
                .about = "engine/exact/cover_proof.h: Prices::prove",
                .quick = {.pods = 1, .resources = 2},
                .usual = {.pods = 2, .resources = 1},
                .nightly = {.pods = 2, .resources = 2},
                .contrast = "an allowance of one victim more",
                .explored = true,
                .body = prices_body});
  to.push_back(
      {.name = "exact-skips-nodes-that-cannot-win",
       .sentence = "A node that the exact search skips by prices cannot win: every set of victims there is "
                   "worse than the best so far by the five levels, if what is proved of each allowance is "
                   "true (the bound counts victims of the set).",
       .formal = "(forall allowances: impossible(A) implies S not within A) and are_all_worse(best) implies "
                 "better(best, S)",
       .about = "engine/exact/level_walk.h: are_all_worse",
       .quick = {.pods = 2},
       .usual = {.pods = 3},
       .nightly = {.pods = 4},
       .contrast = "an allowance is called impossible for sets of fewer victims alone",
       .explored = true,
       .body = level_walk_body});
  to.push_back(
      {.name = "engine-skips-by-line",
       .sentence = "A node that its line puts behind the best, by class and priority, is worse in the first "
                   "two levels: whichever pods are classed violating, whichever positions there are, and "
                   "however amounts and priorities are rounded, as long as what is less by its code is less.",
       .formal = "bound_of(line) > bound_limit(best) implies (violations, highest) of the answer > best's",
       .about = "engine/bounded/search.h: bound_of, bound_limit (the rule; properties/bounded_answer_test "
                "holds the code to it)",
       .quick = {.pods = 3, .resources = 2},
       .usual = {.pods = 4, .resources = 2},
       .nightly = {.pods = 5, .resources = 2},
       .required = {{.pods = 4, .resources = 2}},
       .contrast = "the priority of the pod after the next",
       .explored = true,
       .body = line_body});
  to.push_back(
      {.name = "engine-skips-behind",
       .sentence = "A node without violations that the largest requests and the latest start put behind the "
                   "best is worse by the five levels.",
       .formal = "BehindSums::is_behind(best) implies better(best, answer)",
       .about = "engine/bounded/behind.h: BehindSums (what its two questions are answered by, "
                "Behind::frees and the codes of starts, by their rule; properties/bounded_answer_test "
                "holds them to it)",
       .quick = {.pods = 2, .resources = 2},
       .usual = {.pods = 3, .resources = 2},
       .nightly = {.pods = 4, .resources = 2},
       .required = {{.pods = 3, .resources = 2}},
       .contrast = "the largest request is one of all but the most important that has gone",
       .explored = true,
       .body = behind_body});
  to.push_back(
      {.name = "engine-skips-by-smallest",
       .sentence = "A node that must spare more pods classed violating than the smallest of those that may "
                   "be behind the first to go have room for, to be as good as the best, has more violations.",
       .formal =
           "slack after first-to-go < sum of the k smallest from some place on, not behind the one after "
           "first-to-go, k <= (pods from the first to go on) - violations(best) implies violations(answer) > "
           "violations(best)",
       .about = "engine/bounded/search.cpp: try_violating (the rule; properties/bounded_answer_test holds "
                "the code to it)",
       .quick = {.pods = 3, .resources = 1},
       .usual = {.pods = 4, .resources = 1},
       .nightly = {.pods = 5, .resources = 2},
       .required = {{.pods = 4, .resources = 1}},
       .contrast = "one pod more is counted",
       .explored = true,
       .body = smallest_body});
  to.push_back({.name = "engine-standing-winner",
                .sentence =
                    "The winner of the tournament over nodes is unbeaten: no node whose cost is known is "
                    "better, and each of which only a bound is known is worse.",
                .formal = "no rank is before the winner's, bound(n) <= (class, code) of cost(n) implies not "
                          "better(n, winner), and better(winner, n) where only a bound is known",
                .about = "engine/bounded/standing.h: Standing::is_before, rank_of (the rule; "
                         "properties/bounded_answer_test holds the code to it)",
                .kind = Kind::kUnbounded,
                .contrast = "nodes of one rank are not compared by their costs",
                .explored = true,
                .body = standing_body});
}

}  // namespace reprieve::smt
