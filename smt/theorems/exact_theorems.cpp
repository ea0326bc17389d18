// The exact search: the code of engine/exact that ships, run on symbolic integers, gives the optimum of
// the direct encoding, which looks at every set of victims.
#include <fmt/format.h>

#include <limits>

#include "reprieve/engine/exact/solver_levels.h"
#include "reprieve/engine/selection.h"
#include "reprieve/smt/theorems/any_key.h"

namespace reprieve::smt {
namespace {

using direct::Bools;
namespace exact = engine::exact;
using Problem = exact::BasicProblem<Int>;

// How a missing start is told: apart, as in the cluster, or as the latest of all numbers, which takes
// fewer paths. To the levels both are the same.
enum class Missing { kApart, kLatest };

// A node's potential victims in order of importance, with the budgets that select each decided.
struct Node {
  Question question;
  std::vector<direct::Pod> pods;
};

Node any_node(World& world, const Bounds& bounds, Charging charging, Missing missing) {
  Node node{.question = ask(world, bounds, charging), .pods = {}};
  assume_tried(world, node.question);
  world.divide_up_to(bounds.pods - 1);
  for (int i = 1; i <= bounds.pods; ++i) {
    const std::string name = fmt::format("pod{}", i);
    node.pods.push_back(
        {.priority = world.integer(name + ".priority", kLeastInt32, kMostInt32),
         .start_given = missing == Missing::kLatest ? Bool(true) : world.boolean(name + ".start.given"),
         .start = world.integer(name + ".start", kFirstStart,
                                missing == Missing::kLatest ? exact::kNow : kLastStart)});
    if (i == 1) continue;
    world.assume(in_order(node.pods[node.pods.size() - 2], node.pods.back()));
  }
  for (Bools& selects : node.question.budgets.selects) {
    for (Bool& each : selects) each = Bool(static_cast<bool>(each));
  }
  return node;
}

// As ProblemReader fills it, in units of one.
Problem problem_of(const Node& node) {
  const direct::Resources& resources = node.question.resources;
  Problem problem;
  problem.size = node.pods.size();
  problem.charging = node.question.budgets.charging;
  for (const direct::Pod& pod : node.pods) {
    problem.priority.push_back(pod.priority);
    problem.start_us.push_back(choose(pod.start_given, pod.start, Int(exact::kNow)));
  }
  for (std::size_t r = 0; r < resources.asked.size(); ++r) {
    const Int need = lacking(node.question, r);
    if (!static_cast<bool>(all_of(resources.asked[r] > Int(0), need > Int(0)))) continue;
    problem.need.push_back(need);
    for (const direct::Ints& held : resources.held) problem.weight.push_back(held[r]);
  }
  problem.rows = problem.need.size();
  problem.allowed = node.question.budgets.allowed;
  problem.begin_budgets();
  for (std::size_t i = 0; i < problem.size; ++i) {
    for (std::uint32_t b = 0; b < problem.allowed.size(); ++b) {
      if (node.question.budgets.selects[i][b]) problem.charge_to(i, b);
    }
    problem.end_budgets_of(i);
  }
  return problem;
}

// Counts what victims come to, as DryRun::choose does with a Ledger.
class Counter {
 public:
  Counter(const Node& node, const Problem& problem, bool guaranteed)
      : node_(node), problem_(problem), guaranteed_(guaranteed) {}
  bool guaranteed() const { return guaranteed_; }
  const engine::Key<Int>& key() const { return key_; }
  const std::vector<bool>& evicted() const { return evicted_; }

  void choose(std::span<const std::uint8_t> evicted) {
    evicted_.assign(evicted.begin(), evicted.end());
    key_ = {};
    std::vector<Int> left = problem_.allowed;
    Int violations(0);
    for (std::size_t i = 0; i < evicted.size(); ++i) {
      if (evicted[i] == 0) continue;
      const bool given = static_cast<bool>(node_.pods[i].start_given);
      key_.add(node_.pods[i].priority, {given, node_.pods[i].start}, Int(0));
      if (engine::charge<Int>(problem_.budgets_of(i), std::span<Int>(left), problem_.charging,
                              [](const engine::Membership&) {})) {
        violations += 1;
      }
    }
    key_.violations = violations;
  }

 private:
  const Node& node_;
  const Problem& problem_;
  bool guaranteed_;
  std::vector<bool> evicted_;
  engine::Key<Int> key_;
};

// Stands for multipliers where a search is too short for any to be looked for.
struct NoMultipliers {
  static constexpr std::uint64_t kShortSearch = 100;
  static constexpr std::array<double, 0> kLeanings{};
  bool find(const Problem&, const exact::BasicMultiplierLimits<Int>&, exact::BasicSummedRow<Int>&) {
    return false;
  }
  bool lean(const Problem&, const exact::BasicMultiplierLimits<Int>&, std::size_t, double,
            exact::BasicSummedRow<Int>&) {
    return false;
  }
};

/// Every set of victims, those that spare the most important pods first.
std::vector<Bools> all_sets(std::size_t size) {
  std::vector<Bools> sets;
  for (std::size_t code = 1; code < std::size_t{1} << size; ++code) {
    Bools set;
    for (std::size_t i = 0; i < size; ++i) set.push_back(Bool(((code >> (size - 1 - i)) & 1U) != 0));
    sets.push_back(set);
  }
  return sets;
}

struct Ruled {
  Bool makes_room, admissible;
  direct::Levels levels;
};
Ruled rule(const Node& node, const Bools& victims, bool guaranteed) {
  Bools kept;
  for (const Bool& victim : victims) kept.push_back(no(victim));
  const Bool makes_room = direct::fits(node.question.resources, kept);
  const Int violations = how_many(direct::violating_among(node.question.budgets, victims));
  return {makes_room, all_of(makes_room, guaranteed ? violations == Int(0) : Bool(true)),
          direct::levels(node.pods, victims, violations)};
}

struct Setting {
  Charging charging = Charging::kEveryBudget;
  Missing missing = Missing::kLatest;
  bool guaranteed = false;    // no budget may be violated
  bool against_best = false;  // another node's key, whatever it is, is to be met
};

// Of a node with few pods.
constexpr MostOfAKey kMostOfBest{.violations = 3, .priority_sum = std::int64_t{1} << 40, .victim_count = 200};

auto optimum_body(Setting setting) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Node node = any_node(world, bounds, setting.charging, setting.missing);
    prefer_small(world, node.question);
    const Problem problem = problem_of(node);
    Policy policy;
    policy.victims = VictimSearch::kExact;
    policy.violations = ViolationCount::kActual;
    policy.charging = setting.charging;
    // The changed statement looks at priorities before violations; of the guarantee, it forgets that.
    std::vector<NodeCriterion> order = policy.node_order;
    if (contrast && !setting.guaranteed) std::swap(order[0], order[1]);
    const AnyKey best = any_best(world, kMostOfBest);

    exact::BasicSolver<Int, Counter, NoMultipliers> solver;
    solver.begin(policy);
    Counter counter(node, problem, setting.guaranteed);
    engine::Effort effort{1'000'000};
    const engine::DryRunResult result =
        solver.solve(counter, problem, nullptr, setting.against_best ? &best.key : nullptr, effort);
    world.claim("searched to the end", Bool(solver.proved()));

    // Which sets are admissible: those that make room, and keep the guarantee.
    const std::vector<Bools> sets = all_sets(node.pods.size());
    std::vector<Ruled> ruled;
    for (const Bools& set : sets) ruled.push_back(rule(node, set, setting.guaranteed && !contrast));
    if (result != engine::DryRunResult::kCandidate) {
      Bools makes_room;
      for (const Ruled& each : ruled) {
        const Bool beaten = Bool(result == engine::DryRunResult::kBeaten);
        world.claim(
            "no victims are admissible, or all are worse than the best",
            implies(each.admissible, all_of(beaten, direct::better(best.levels, each.levels, order))));
        makes_room.push_back(each.makes_room);
      }
      if (result == engine::DryRunResult::kDoesNotFit) {
        world.claim("none make room", no(any(makes_room)));
      } else if (result == engine::DryRunResult::kGuaranteed) {
        world.claim("some make room", any(makes_room));
      } else {
        world.claim("worse than the best", Bool(result == engine::DryRunResult::kBeaten));
      }
      return;
    }
    std::size_t chosen = sets.size();
    for (std::size_t s = 0; s < sets.size(); ++s) {
      bool is_chosen = true;
      for (std::size_t i = 0; i < sets[s].size(); ++i)
        is_chosen = is_chosen && sets[s][i].term() == Bool(counter.evicted()[i]).term();
      if (is_chosen) chosen = s;
    }
    world.claim("some victims", Bool(chosen < sets.size()));
    if (chosen == sets.size()) return;
    world.claim("the victims are admissible", ruled[chosen].admissible);
    if (setting.against_best) {
      world.claim("as good as the best", no(direct::better(best.levels, ruled[chosen].levels, order)));
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (s == chosen) continue;
      // Of sets before it, which spare more important pods, those as good are too good as well.
      const Bool wins = s < chosen ? no(direct::better(ruled[chosen].levels, ruled[s].levels, order))
                                   : direct::better(ruled[s].levels, ruled[chosen].levels, order);
      world.claim("no other victims are better, or as good and spare more important pods",
                  no(all_of(ruled[s].admissible, wins)));
    }
  };
}

}  // namespace

void add_exact_theorems(std::vector<Theorem>& to) {
  const auto add = [&](std::string name, std::string sentence, Bounds quick, Bounds usual, Bounds nightly,
                       std::vector<Bounds> required, Setting setting) {
    to.push_back({.name = std::move(name),
                  .sentence = std::move(sentence),
                  .formal = "answer makes room; forall S that make room: not better(S, answer), and S is not "
                            "as good and before it; whichever budgets select whom",
                  .about =
                      "engine/exact: Solver, Branch, CoverTable, RootBounds, read_scope (no search of so "
                      "few pods is long enough for Multipliers to be asked)",
                  .quick = quick,
                  .usual = usual,
                  .nightly = nightly,
                  .required = std::move(required),
                  .contrast = setting.guaranteed ? "of all sets, those that violate a budget too"
                                                 : "priorities are looked at before violations",
                  .explored = true,
                  .release = setting.charging == Charging::kEveryBudget ? Release::k1_36 : Release::k1_37,
                  .body = optimum_body(setting)});
  };
  add("exact-is-the-optimum",
      "The exact search that ships finds, of all sets of victims that make room, the best by the five "
      "levels, "
      "with violations counted over the victims, each charged to every budget, and of equal ones the set "
      "that "
      "spares the most important pods first; or says that there is none.",
      {.pods = 2, .resources = 1, .budgets = 1}, {.pods = 2, .resources = 1, .budgets = 2},
      {.pods = 3, .resources = 1, .budgets = 2},
      {{.pods = 3, .resources = 1, .budgets = 1}, {.pods = 2, .resources = 1, .budgets = 2}}, {});
  add("exact-is-the-optimum-until-violated",
      "The same when charging stops at the first budget that is violated.",
      {.pods = 2, .resources = 1, .budgets = 1}, {.pods = 2, .resources = 1, .budgets = 2},
      {.pods = 3, .resources = 1, .budgets = 1}, {{.pods = 2, .resources = 1, .budgets = 2}},
      {.charging = Charging::kUntilViolated});
  add("exact-is-the-optimum-with-missing-starts",
      "The same where start times are missing, told apart from the latest one.",
      {.pods = 2, .resources = 1, .budgets = 1}, {.pods = 2, .resources = 1, .budgets = 2},
      {.pods = 3, .resources = 1, .budgets = 1}, {}, {.missing = Missing::kApart});
  add("exact-keeps-the-guarantee",
      "Where no budget may be violated, the exact search finds the same of the sets that violate none, and "
      "says "
      "whether there are others.",
      {.pods = 2, .resources = 1, .budgets = 1}, {.pods = 2, .resources = 1, .budgets = 2},
      {.pods = 3, .resources = 1, .budgets = 1}, {}, {.guaranteed = true});
  add("exact-against-the-best",
      "Asked against the key of another node, whatever it is, the exact search finds the same when it is as "
      "good, and says that the node is beaten exactly when every set is worse.",
      {.pods = 2, .resources = 1}, {.pods = 2, .resources = 1, .budgets = 1},
      {.pods = 2, .resources = 1, .budgets = 2}, {{.pods = 2, .resources = 1, .budgets = 1}},
      {.against_best = true});
}

}  // namespace reprieve::smt
