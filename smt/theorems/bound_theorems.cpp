// The bounds by which the engine skips a node, or a part of the exact search: each says something about
// every set of victims, and must be true of them all.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/engine/exact/bounds.h"
#include "reprieve/engine/sampling.h"
#include "reprieve/engine/selection.h"
#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

Charging charging_of(Release release) {
  return release == Release::k1_36 ? Charging::kEveryBudget : Charging::kUntilViolated;
}

// --- engine/bounded, engine/victims.cpp: a node's line ---------------------------------------------

Int freed(const Question& question, const Bools& by, std::size_t resource) {
  direct::Ints parts;
  for (std::size_t i = 0; i < by.size(); ++i)
    parts.push_back(choose(by[i], question.resources.held[i][resource], Int(0)));
  return total(parts);
}

// The pods that may go do not free what lacks of some resource that is asked for.
Bool not_enough(const Question& question, const Bools& may_go) {
  Bools each;
  for (std::size_t r = 0; r < question.resources.asked.size(); ++r) {
    each.push_back(
        all_of(question.resources.asked[r] > Int(0), freed(question, may_go, r) < lacking(question, r)));
  }
  return any(each);
}

auto violating_victim_body(Release release) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Question question = ask(world, bounds, charging_of(release));
    assume_candidate(world, question);
    const DirectAnswer given = answer(question);
    Bools others;
    for (const Bool& violating : given.violating) others.push_back(no(violating));
    // The changed statement: those that violate do not free enough.
    world.assume(not_enough(question, contrast ? given.violating : others));
    world.claim("a victim is classed violating", given.violations >= Int(1));
  };
}

auto priority_of_a_victim_body(Release release) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Question question = ask(world, bounds, charging_of(release));
    assume_candidate(world, question);
    const DirectAnswer given = answer(question);
    const Int limit = world.integer("limit", kLeastInt32, kMostInt32);
    Bools low, reaches;
    for (std::size_t i = 0; i < question.pods(); ++i) {
      const Int priority = world.integer(fmt::format("pod{}.priority", i + 1), kLeastInt32, kMostInt32);
      const Bool below = priority < limit;
      low.push_back(all_of(below, contrast ? Bool(true) : no(given.violating[i])));
      reaches.push_back(all_of(given.evicted[i], no(below)));
    }
    // Without violations the victims are of the others alone; the changed statement forgets to ask it.
    if (contrast) {
      for (Bool& each : low) each = no(each);
    } else {
      world.assume(given.violations == Int(0));
    }
    world.assume(not_enough(question, low));
    world.claim("a victim is of that priority or above", any(reaches));
  };
}

void any_candidate(World& world, const Bounds& bounds, bool contrast) {
  engine::Key<Int> key;
  const Int least = world.integer("least.priority", kLeastInt32, kMostInt32);
  for (int i = 1; i <= bounds.pods; ++i) {
    if (i > 1 && !static_cast<bool>(world.boolean(fmt::format("victim{}", i)))) continue;
    const Int priority = world.integer(fmt::format("pod{}.priority", i), kLeastInt32, kMostInt32);
    world.assume(priority >= least);
    key.add(priority, {.given = true, .time = Int(0)}, count(world.boolean(fmt::format("violates{}", i))));
  }
  world.claim("violations", key.violations >= Int(0));
  world.claim("highest priority", key.highest_priority >= least);
  world.claim("sum", key.priority_sum >= plus(least, Int(std::int64_t{1} << 31)));
  world.claim("victims", key.victim_count >= Int(contrast ? 2 : 1));
}

// --- engine/exact/bounds.h -------------------------------------------------------------------------

// As engine/exact/root_bounds.cpp fills them: of each budget as many of the largest as it allows may go
// without a violation.
void most_freed_body(World& world, const Bounds& bounds, bool contrast) {
  struct Weighed {
    std::size_t pod;
    Int weight;
  };
  const auto pods = static_cast<std::size_t>(bounds.pods);
  const auto budgets = static_cast<std::size_t>(bounds.budgets);
  std::vector<Int> weights;
  std::vector<std::size_t> of_budget(pods, budgets);  // none
  std::vector<Weighed> sorted;
  for (std::size_t i = 0; i < pods; ++i) {
    weights.push_back(world.integer(fmt::format("pod{}.frees", i + 1), 0, kMostOfAResource));
    // Without a loss: they are numbered from the largest on.
    if (i > 0) world.assume(weights[i] <= weights[i - 1]);
    for (std::size_t b = 0; b < budgets && of_budget[i] == budgets; ++b) {
      if (static_cast<bool>(world.boolean(fmt::format("pod{}.in.budget{}", i + 1, b + 1)))) of_budget[i] = b;
    }
  }
  std::vector<std::int64_t> allowed;
  for (std::size_t b = 0; b < budgets; ++b) {
    allowed.push_back(some(world, fmt::format("budget{}.allowed", b + 1), bounds.pods));
  }
  std::vector<Int> free_sums = {Int(0)}, costly_sums = {Int(0)};
  std::vector<std::int64_t> taken(budgets, 0);
  for (std::size_t i = 0; i < pods; ++i) {
    const std::size_t b = of_budget[i];
    // The changed statement takes one pod too few for free.
    const bool is_free = b == budgets || taken[b]++ < allowed[b] - (contrast ? 1 : 0);
    std::vector<Int>& sums = is_free ? free_sums : costly_sums;
    sums.push_back(plus(sums.back(), weights[i]));
  }
  // Every set of victims: how much it frees, how many it violates for.
  const Bools victims = some_pods(world, "victim", bounds.pods);
  direct::Ints over;
  for (std::size_t b = 0; b < budgets; ++b) {
    Bools charged;
    for (std::size_t i = 0; i < pods; ++i) {
      if (of_budget[i] == b) charged.push_back(victims[i]);
    }
    over.push_back(greatest(Int(0), minus(how_many(charged), Int(allowed[b]))));
  }
  const std::int64_t most = some(world, "most.victims", bounds.pods),
                     violations = some(world, "most.violations", bounds.pods);
  const Int bound = engine::exact::most_freed<Int>(free_sums, costly_sums, static_cast<std::size_t>(most),
                                                   static_cast<std::size_t>(violations));
  world.claim("no set frees more",
              implies(all_of(how_many(victims) <= Int(most), total(over) <= Int(violations)),
                      total_of(victims, weights) <= bound));
}

// Any multipliers that are not negative: here each from 0 to 2, for two rows and a fine.
void sum_of_rows_body(World& world, const Bounds& bounds, bool contrast) {
  const auto amount = [&](const std::string& name) { return world.integer(name, 0, kMostOfAResource); };
  const Int limit = amount("limit"), needs[] = {amount("need1"), amount("need2")};
  std::vector<Int> rows[2], costs;
  const Bools victims = some_pods(world, "victim", bounds.pods);
  for (int i = 1; i <= bounds.pods; ++i) {
    costs.push_back(amount(fmt::format("pod{}.costs", i)));
    for (int r = 0; r < 2; ++r) rows[r].push_back(amount(fmt::format("pod{}.frees{}", i, r + 1)));
  }
  const auto sum_of = [&](const std::vector<Int>& values) { return total_of(victims, values); };
  for (int r = 0; r < 2; ++r) world.assume(sum_of(rows[r]) >= needs[r]);
  // The changed statement forgets that the costs are limited.
  if (!contrast) world.assume(sum_of(costs) <= limit);
  for (std::int64_t a = 0; a <= 2; ++a) {
    for (std::int64_t b = 0; b <= 2; ++b) {
      for (std::int64_t fine = 0; fine <= 2; ++fine) {
        std::vector<Int> values;
        for (std::size_t i = 0; i < victims.size(); ++i)
          values.push_back(minus(plus(times(a, rows[0][i]), times(b, rows[1][i])), times(fine, costs[i])));
        const Int need = minus(plus(times(a, needs[0]), times(b, needs[1])), times(fine, limit));
        world.claim("it brings the need", sum_of(values) >= need);
      }
    }
  }
}

// --- engine/sampling.h -----------------------------------------------------------------------------

// Each node fails, or is a candidate with a rank among all keys; whether it violates is part of the key:
// those without a violation are before the others.
/// Which nodes are candidates, and which of them violate, is told by `code` in digits of three.
int kind_of(std::size_t node, std::size_t code) {
  for (std::size_t i = 0; i < node; ++i) code /= 3;
  return static_cast<int>(code % 3);  // 0: no candidate, 1: without violations, 2: with
}

// The walk itself does not look at ranks, so every kind of cluster is walked as it is and one formula
// holds them all.
void sampling_body(World& world, const Bounds& bounds, bool all_wanted) {
  const auto nodes = static_cast<std::size_t>(bounds.pods);
  std::vector<Int> calm;
  std::vector<Int> violating;
  std::size_t kinds = 1;
  for (std::size_t i = 0; i < nodes; ++i) {
    calm.push_back(world.integer(fmt::format("node{}.rank", i + 1), 0, 999));
    violating.push_back(world.integer(fmt::format("node{}.violating-rank", i + 1), 1000, 2000));
    kinds *= 3;
  }
  for (std::size_t code = 0; code < kinds; ++code) {
    const auto rank = [&](std::size_t node) {
      return kind_of(node, code) == 2 ? violating[node] : calm[node];
    };
    Int optimum(5000);
    for (std::size_t i = 0; i < nodes; ++i) {
      if (kind_of(i, code) != 0) optimum = least(optimum, rank(i));
    }
    for (int offset = 0; offset < bounds.pods; ++offset) {
      const Sampling sampling{
          .min_percentage = 0,
          .min_absolute = static_cast<std::int32_t>(all_wanted ? nodes : std::max<std::size_t>(nodes - 1, 1)),
          .offset = offset};
      engine::Sample sample(sampling, nodes);
      Int best(5000);
      for (std::size_t i = 0; i < sample.steps() && !sample.full(); ++i) {
        const std::size_t node = sample.node(i);
        const int kind = kind_of(node, code);
        if (kind != 0 && sample.take(kind == 2)) best = least(best, rank(node));
      }
      world.claim("the best of all candidates is found", best == optimum);
    }
  }
}

}  // namespace

void add_bound_theorems(std::vector<Theorem>& to) {
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    const std::string version(reprieve::to_string(release));
    to.push_back(
        {.name = "bound-of-violations-" + version,
         .sentence = fmt::format("In {} a candidate has a victim classed violating when all other pods "
                                 "together do not free what the preemptor lacks of some resource.",
                                 version),
         .formal = "sum of held(p) over p not violating < lacking implies violations(answer) >= 1",
         .about = "docs/SEMANTICS.md, direct encoding; engine/bounded, level 1",
         .quick = {.pods = 4, .resources = 2, .budgets = 2},
         .usual = {.pods = 5, .resources = 2, .budgets = 2},
         .nightly = {.pods = 10, .resources = 3, .budgets = 3},
         .required = {{.pods = 8, .resources = 2, .budgets = 2}},
         .contrast = "when the pods that are violating do not free it",
         .release = release,
         .body = violating_victim_body(release)});
    to.push_back(
        {.name = "bound-of-the-highest-priority-" + version,
         .sentence = fmt::format("In {} a candidate without violations has a victim of a priority or "
                                 "above when the pods below it that are not violating do not free what "
                                 "lacks.",
                                 version),
         .formal = "violations = 0 and sum of held(p) over p below P not violating < lacking implies "
                   "exists victim v: priority(v) >= P",
         .about = "docs/SEMANTICS.md, direct encoding; engine/bounded, level 2",
         .quick = {.pods = 4, .resources = 2, .budgets = 2},
         .usual = {.pods = 5, .resources = 2, .budgets = 2},
         .nightly = {.pods = 10, .resources = 3, .budgets = 3},
         .required = {{.pods = 8, .resources = 2, .budgets = 2}},
         .contrast = "when the pods above it do not free that",
         .release = release,
         .body = priority_of_a_victim_body(release)});
  }
  to.push_back({.name = "engine-bound-of-any-candidate",
                .sentence =
                    "The key of a candidate is not below that of one victim of the least priority on the "
                    "node, in each of the first four levels.",
                .formal = "priority(v) >= P for each v implies key >= (0, P, P + 2^31, 1)",
                .about = "engine/victims.cpp: cannot_win; engine/selection.h: Key::add",
                .quick = {.pods = 4},
                .usual = {.pods = 5},
                .nightly = {.pods = 6},
                .contrast = "nor below two victims",
                .explored = true,
                .body = any_candidate});
  to.push_back({.name = "exact-bound-most-freed",
                .sentence =
                    "No set of victims frees more of a resource than most_freed() says, for each limit on "
                    "the victims and the violations, when each pod is under one budget at most.",
                .formal = "|S| <= k and excess(S) <= v implies sum of weight(p) over S <= most_freed(k, v)",
                .about = "engine/exact/bounds.h: most_freed",
                .quick = {.pods = 4, .budgets = 1},
                .usual = {.pods = 4, .budgets = 2},
                .nightly = {.pods = 5, .budgets = 2},
                .contrast = "a budget's last free pod is counted among those that violate",
                .explored = true,
                .body = most_freed_body});
  to.push_back(
      {.name = "exact-bound-sum-of-rows",
       .sentence = "Victims that meet two rows and whose costs are limited meet each sum of the rows, "
                   "less a fine for the costs (multipliers from 0 to 2).",
       .formal = "W1 x >= n1, W2 x >= n2, c x <= C implies (a W1 + b W2 - f c) x >= a n1 + b n2 - f C",
       .about = "engine/exact/multipliers.h: SummedRow (the rule)",
       .quick = {.pods = 3, .resources = 2},
       .usual = {.pods = 4, .resources = 2},
       .nightly = {.pods = 5, .resources = 2},
       .contrast = "the costs are not limited",
       .body = sum_of_rows_body});
  to.push_back({.name = "sampling-of-all-nodes-ignores-the-offset",
                .sentence =
                    "A sample that wants as many candidates as there are nodes finds the best of them, "
                    "from every offset (the bound counts nodes).",
                .formal = "wanted = nodes implies forall offset: best(sample) = best(candidates)",
                .about = "engine/sampling.h: Sample",
                .quick = {.pods = 4},
                .usual = {.pods = 5},
                .nightly = {.pods = 6},
                .contrast = "a sample that wants one less",
                .body = [](World& world, const Bounds& bounds, bool contrast) {
                  sampling_body(world, bounds, !contrast);
                }});
  to.push_back({.name = "sampling-finds-the-best",
                .sentence =
                    "A sample that wants one candidate less than there are nodes finds the best of all "
                    "(the bound counts nodes).",
                .formal = "wanted = nodes - 1 implies forall offset: best(sample) = best(candidates)",
                .about = "engine/sampling.h: Sample",
                .quick = {.pods = 4},
                .usual = {.pods = 4},
                .nightly = {.pods = 4},
                .holds = false,
                .contrast = "one that wants as many as there are nodes",
                .body = [](World& world, const Bounds& bounds, bool contrast) {
                  sampling_body(world, bounds, contrast);
                }});
}

}  // namespace reprieve::smt
