// The bounds inside the exact search, each by itself: what engine/exact computes is true of every set of
// victims. exact_theorems.cpp has the search with all of them at work.
#include <fmt/format.h>

#include <optional>

#include "reprieve/engine/exact/branch_search.h"
#include "reprieve/engine/exact/cover_table.h"
#include "reprieve/engine/exact/limits.h"
#include "reprieve/engine/exact/root_bounds.h"
#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {
namespace {

using direct::Bools;
namespace exact = engine::exact;
using Problem = exact::BasicProblem<Int>;

// Any problem, and any set of victims: a ghost, of which nothing is decided.
struct Scene {
  Problem problem;
  direct::Budgets budgets;
  Bools victims;

  Int total_of(std::span<const Int> values) const { return smt::total_of(victims, values); }
  Int count() const { return how_many(victims); }
  Int violations() const { return how_many(direct::violating_among(budgets, victims)); }
  Int sum() const {
    std::vector<Int> shifted;
    for (const Int& priority : problem.priority)
      shifted.push_back(plus(priority, Int(exact::kPriorityShift)));
    return total_of(shifted);
  }
};

Scene any_scene(World& world, const Bounds& bounds, Charging charging) {
  Scene scene{.problem = {}, .budgets = {}, .victims = some_pods(world, "victim", bounds.pods)};
  Problem& problem = scene.problem;
  problem.size = static_cast<std::size_t>(bounds.pods);
  problem.charging = scene.budgets.charging = charging;
  for (int b = 1; b <= bounds.budgets; ++b)
    problem.allowed.push_back(world.integer(fmt::format("budget{}.allowed", b), 0, kMostInt32));
  scene.budgets.allowed = problem.allowed;
  problem.begin_budgets();
  for (std::size_t i = 0; i < problem.size; ++i) {
    Bools selects;
    for (std::uint32_t b = 0; b < problem.allowed.size(); ++b) {
      const bool in = static_cast<bool>(world.boolean(fmt::format("pod{}.in.budget{}", i + 1, b + 1)));
      if (in) problem.charge_to(i, b);
      selects.push_back(Bool(in));
    }
    problem.end_budgets_of(i);
    scene.budgets.selects.push_back(selects);
    scene.budgets.disrupted.push_back(Bools(selects.size(), Bool(false)));
  }
  return scene;
}

auto cover_table_body(Charging charging) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Scene scene = any_scene(world, bounds, charging);
    std::vector<Int> values;
    for (int i = 1; i <= bounds.pods; ++i)
      values.push_back(world.integer(fmt::format("pod{}.brings", i), -kMostOfAResource, kMostOfAResource));
    const std::vector<std::uint8_t> allowed(values.size(), 1);
    const std::int64_t count = some(world, "most.victims", bounds.pods);
    const std::int64_t violations = some(world, "most.violations", bounds.pods);
    // Built for as much, or for whatever may be asked.
    const bool any_count = static_cast<bool>(world.boolean("built.for.any.number"));
    const bool any_violations = static_cast<bool>(world.boolean("built.for.any.violations"));
    exact::BasicCoverTable<Int> table;
    table.build(scene.problem, values, allowed, any_count ? exact::kUnlimited : count,
                any_violations ? exact::kUnlimited : violations);
    // The changed statement allows the set one victim more.
    const Int limit(contrast ? count + 1 : count);
    world.claim("no set brings more",
                implies(all_of(scene.count() <= limit, scene.violations() <= Int(violations)),
                        scene.total_of(values) <= table.most(0, count, violations)));
  };
}

void root_bounds_body(World& world, const Bounds& bounds, bool contrast) {
  Scene scene = any_scene(world, bounds, Charging::kEveryBudget);
  scene.problem.rows = static_cast<std::size_t>(bounds.resources);
  Bools meets;
  for (int r = 1; r <= bounds.resources; ++r) {
    scene.problem.need.push_back(world.integer(fmt::format("need{}", r), 1, kMostOfAResource));
    std::vector<Int> frees;
    for (int i = 1; i <= bounds.pods; ++i)
      frees.push_back(world.integer(fmt::format("pod{}.frees{}", i, r), 0, kMostOfAResource));
    meets.push_back(scene.total_of(frees) >= scene.problem.need.back());
    scene.problem.weight.insert(scene.problem.weight.end(), frees.begin(), frees.end());
  }
  exact::BasicRootBounds<Int> root;
  root.read(scene.problem, std::vector<std::uint8_t>(scene.problem.size, 1));
  // The changed statement is of sets that make room in one row at least.
  const Bool makes_room = contrast ? any(meets) : all(meets);
  if (static_cast<bool>(world.boolean("of.violations"))) {
    world.claim("no set that makes room has fewer violations",
                implies(makes_room, scene.violations() >= root.least_violations()));
  } else {
    const std::int64_t violations = some(world, "most.violations", bounds.pods);
    world.claim("no set that makes room has fewer victims",
                implies(all_of(makes_room, scene.violations() <= Int(violations)),
                        scene.count() >= root.least_count(violations)));
  }
}

void scope_body(World& world, const Bounds& bounds, bool contrast) {
  Scene scene = any_scene(world, bounds, Charging::kEveryBudget);
  for (int i = 1; i <= bounds.pods; ++i)
    scene.problem.priority.push_back(
        world.integer(fmt::format("pod{}.priority", i), kLeastInt32, kMostInt32));
  exact::BasicLimits<Int> limits;
  if (static_cast<bool>(world.boolean("violations.are.limited")))
    limits.violations = some(world, "most.violations", bounds.pods);
  if (static_cast<bool>(world.boolean("sum.is.limited")))
    limits.sum = world.integer("most.sum", 0, std::int64_t{1} << 40);
  limits.first = static_cast<std::size_t>(some(world, "first", bounds.pods - 1));
  limits.least_count = some(world, "least.victims", bounds.pods);
  // The set is within them.
  world.assume(all_of(scene.violations() <= limits.violations, scene.sum() <= limits.sum));
  for (std::size_t i = 0; i < limits.first; ++i) world.assume(no(scene.victims[i]));
  // The changed statement is of sets with fewer victims than is said that there are.
  if (!contrast) world.assume(scene.count() >= limits.least_count);
  exact::BasicScope<Int> scope;
  exact::read_scope(scene.problem, limits, scope);
  std::vector<Int> extra;
  for (std::size_t i = 0; i < scene.victims.size(); ++i) {
    const Int cost = plus(scene.problem.priority[i], Int(exact::kPriorityShift));
    world.claim("each victim may go", implies(scene.victims[i], Bool(scope.allowed[i] != 0)));
    world.claim("none is below the least, nor above the most",
                implies(scene.victims[i], all_of(cost >= scope.least, cost <= scope.most)));
    extra.push_back(greatest(Int(0), minus(cost, scope.least)));
  }
  const Int most = scope.most_extra(limits);
  world.claim("what they cost beyond the least is limited",
              any_of(most == Int(exact::kUnlimited), scene.total_of(extra) <= most));
}

// Victims so far that cost `sum`, and more of them: as many as are decided here, each at least `least`.
void more_victims_body(World& world, const Bounds& bounds, bool contrast) {
  world.divide_up_to(bounds.pods);
  const std::int64_t more = some(world, "more.victims", bounds.pods);
  const Int limit = world.integer("limit", 0, std::int64_t{1} << 50),
            sum = world.integer("sum", 0, std::int64_t{1} << 50),
            least = world.integer("least", 1, std::int64_t{1} << 32),
            count = world.integer("count", 0, exact::kUnlimited);
  world.assume(sum <= limit);
  std::vector<Int> parts = {sum};
  for (std::int64_t i = 1; i <= more; ++i) {
    parts.push_back(world.integer(fmt::format("pod{}.costs", i), 0, std::int64_t{1} << 32));
    // The changed statement has one victim that costs less.
    if (!contrast || i > 1) world.assume(parts.back() >= least);
  }
  world.assume(all_of(total(parts) <= limit, Int(more) <= count));
  world.claim("so many are allowed", Int(more) <= exact::more_victims<Int>(count, limit, sum, least));
}

// Weights are multiples of a unit: the need is too, rounded up.
void units_body(World& world, const Bounds& bounds, bool contrast) {
  constexpr std::int64_t kUnits[] = {1, 2, 3, 7, 10, 1024};
  const std::int64_t unit = kUnits[some(world, "unit", 5)];
  const Int need = world.integer("need", 1, kMostOfAResource);
  std::vector<Int> in_units, weights;
  for (int i = 1; i <= bounds.pods; ++i) {
    const Bool victim = world.boolean(fmt::format("victim{}", i));
    const Int units = world.integer(fmt::format("pod{}.units", i), 0, kMostOfAResource / 1024);
    in_units.push_back(choose(victim, units, Int(0)));
    weights.push_back(choose(victim, times(unit, units), Int(0)));
  }
  // The changed statement rounds down.
  const Int reduced = contrast ? need / Int(unit) : exact::need_in_units<Int>(need, unit);
  world.claim("the same sets make room", same(total(weights) >= need, total(in_units) >= reduced));
}

// One pod goes for another: every budget and row, the sum and the number are looked at.
void replaces_body(World& world, const Bounds& bounds, bool contrast, Charging charging) {
  if (bounds.pods < 2) return;
  Scene scene = any_scene(world, bounds, charging);
  Problem& problem = scene.problem;
  problem.rows = static_cast<std::size_t>(bounds.resources);
  for (int r = 1; r <= bounds.resources; ++r) {
    for (int i = 1; i <= bounds.pods; ++i)
      problem.weight.push_back(world.integer(fmt::format("pod{}.frees{}", i, r), 0, kMostOfAResource));
  }
  for (int i = 1; i <= bounds.pods; ++i) {
    problem.priority.push_back(world.integer(fmt::format("pod{}.priority", i), kLeastInt32, kMostInt32));
    if (i > 1) world.assume(problem.priority[i - 1] <= problem.priority[i - 2]);
  }
  const auto last = static_cast<std::size_t>(bounds.pods - 1);
  const auto pod = static_cast<std::size_t>(some(world, "pod", bounds.pods - 2));
  const auto better = pod + 1 +
                      static_cast<std::size_t>(some(world, fmt::format("better.than{}", pod),
                                                    static_cast<std::int64_t>(last - pod - 1)));
  // The changed statement asks only whether the pods are of one priority.
  const bool replaces = contrast ? static_cast<bool>(problem.priority[better] == problem.priority[pod])
                                 : exact::replaces(problem, better, pod);
  if (!replaces) return;
  world.assume(all_of(scene.victims[pod], no(scene.victims[better])));
  Scene instead = scene;
  std::swap(instead.victims[pod], instead.victims[better]);
  for (std::size_t r = 0; r < problem.rows; ++r) {
    const auto weights = problem.weights_of(r);
    world.claim("as much room is made", instead.total_of(weights) >= scene.total_of(weights));
  }
  world.claim("no more violations", instead.violations() <= scene.violations());
  world.claim("no greater sum", instead.sum() <= scene.sum());
}

}  // namespace

void add_exact_bound_theorems(std::vector<Theorem>& to) {
  for (const Charging charging : {Charging::kEveryBudget, Charging::kUntilViolated}) {
    const bool every = charging == Charging::kEveryBudget;
    const std::string suffix = every ? "" : "-until-violated";
    const std::string rule =
        every ? "each pod is charged to every budget" : "charging stops at a violated budget";
    to.push_back(
        {.name = "exact-bound-cover-table" + suffix,
         .sentence = fmt::format("No set of victims within a limit on their number and their violations "
                                 "brings more than the table says, whatever each pod brings and "
                                 "whichever budgets select it ({}).",
                                 rule),
         .formal = "|S| <= k and violations(S) <= v implies sum of value(p) over S <= most(k, v)",
         .about = "engine/exact/cover_table.h: CoverTable",
         .quick = {.pods = 2, .budgets = 1},
         .usual = {.pods = 2, .budgets = 2},
         .nightly = {.pods = 3, .budgets = 2},
         .required = {{.pods = 3, .budgets = 1}},
         .contrast = "of sets with one victim more",
         .explored = true,
         .body = cover_table_body(charging)});
    to.push_back(
        {.name = "exact-bound-replacement" + suffix,
         .sentence = fmt::format("A pod that may stand for a more important one does: with it instead, a "
                                 "set of victims makes as much room, violates no more budgets and has "
                                 "no greater sum ({}).",
                                 rule),
         .formal = "replaces(q, p), p in S, q not in S implies room(S - p + q) >= room(S) in each row, "
                   "violations(S - p + q) <= violations(S), sum(S - p + q) <= sum(S)",
         .about = "engine/exact/branch_search.h: replaces",
         .quick = {.pods = 3, .resources = 1, .budgets = 1},
         .usual = {.pods = 3, .resources = 2, .budgets = 2},
         .nightly = {.pods = 4, .resources = 2, .budgets = 2},
         .required = {{.pods = 3, .resources = 1, .budgets = 2}},
         .contrast = "any pod of the same priority may",
         .explored = true,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           replaces_body(world, bounds, contrast, charging);
         }});
  }
  to.push_back(
      {.name = "exact-bound-root",
       .sentence = "No set of victims that makes room has fewer violations than RootBounds says at first, "
                   "nor, with a limit on the violations, fewer victims.",
       .formal = "S makes room implies violations(S) >= least_violations(); violations(S) <= v implies "
                 "|S| >= least_count(v)",
       .about = "engine/exact/root_bounds.h: RootBounds",
       .quick = {.pods = 2, .resources = 2, .budgets = 1},
       .usual = {.pods = 3, .resources = 1, .budgets = 1},
       .nightly = {.pods = 3, .resources = 2, .budgets = 1},
       .required = {{.pods = 3, .resources = 1, .budgets = 1}},
       .contrast = "of sets that make room in some row",
       .explored = true,
       .body = root_bounds_body});
  to.push_back({.name = "exact-bound-scope",
                .sentence =
                    "A set of victims within the limits is of pods that are allowed to go, none costs less "
                    "than the least or more than the most, and beyond the least they cost no more "
                    "than is said.",
                .formal = "S within limits implies S in allowed, least <= cost(p) <= most, sum of (cost(p) - "
                          "least) over S <= most_extra",
                .about = "engine/exact/limits.h: read_scope, Scope::most_extra",
                .quick = {.pods = 2, .budgets = 1},
                .usual = {.pods = 2, .budgets = 2},
                .nightly = {.pods = 3, .budgets = 1},
                .contrast = "of sets with fewer victims than it is said that all have",
                .explored = true,
                .body = scope_body});
  to.push_back(
      {.name = "exact-bound-more-victims",
       .sentence = "As many victims as a sum has room for when none costs less than the least: no set "
                   "has more of them.",
       .formal = "sum + n least <= limit and n <= count implies n <= more_victims(count, limit, sum, least)",
       .about = "engine/exact/bounds.h: more_victims",
       .quick = {.pods = 4},
       .usual = {.pods = 6},
       .nightly = {.pods = 10},
       .contrast = "one of them costs less than the least",
       .explored = true,
       .body = more_victims_body});
  to.push_back({.name = "exact-rows-in-their-unit",
                .sentence =
                    "Where all weights of a row are multiples of a unit (1, 2, 3, 7, 10 or 1024), the same "
                    "sets make room when the weights are divided by it and the need is, rounded up.",
                .formal = "sum of u w(p) over S >= need iff sum of w(p) over S >= ceil(need / u)",
                .about = "engine/exact/problem.h: need_in_units",
                .quick = {.pods = 3},
                .usual = {.pods = 4},
                .nightly = {.pods = 6},
                .contrast = "the need is rounded down",
                .explored = true,
                .body = units_body});
}

}  // namespace reprieve::smt
