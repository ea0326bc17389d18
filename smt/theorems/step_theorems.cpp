// Theorems for every number of pods. The shipped step (charge one pod, reprieve one pod, add one
// victim) is run once from any state that satisfies an invariant, and must leave a state that
// satisfies it; with the first state that is an induction over the walk. A *ghost* stands for
// whichever budget, victim or set of pods the statement is about.
//
// A set of pods that is kept is known only by what "fits" says of it: F.K is "the preemptor fits with
// K kept", F.K.p the same with pod p beside, and so on. That fewer pods never hurt ("fits" is
// downward closed) is assumed for the pairs of sets that a step meets, and nothing else is.
#include <fmt/format.h>

#include <array>

#include "reprieve/engine/selection.h"
#include "reprieve/reference/selection.h"
#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {
namespace {

constexpr int kBudgetsOfAPod = 3;

// --- Charging one pod -----------------------------------------------------------------------------

struct ChargedOnce {
  bool violating;
  std::vector<Int> left;
};
using ChargeStep = ChargedOnce (*)(const direct::Budgets&);

ChargedOnce engine_charge(const direct::Budgets& budgets) {
  ChargedOnce result{.violating = false, .left = budgets.allowed};
  std::vector<engine::Membership> memberships;
  for (std::uint32_t budget = 0; budget < budgets.allowed.size(); ++budget) {
    if (budgets.selects[0][budget])
      memberships.push_back({budget, static_cast<bool>(budgets.disrupted[0][budget])});
  }
  result.violating =
      engine::charge<Int>(memberships, result.left, budgets.charging, [](const engine::Membership&) {});
  return result;
}

ChargedOnce reference_charge(const direct::Budgets& budgets) {
  const auto pods = reference::charge_budgets(reference::Selectable<Int, Bool>{.selects = budgets.selects,
                                                                               .disrupted = budgets.disrupted,
                                                                               .allowed = budgets.allowed,
                                                                               .charging = budgets.charging});
  // The account after the step is told with each charge.
  ChargedOnce result{.violating = pods[0].violating, .left = budgets.allowed};
  for (const auto& charge : pods[0].charges) result.left[charge.budget] = charge.left;
  return result;
}

// The invariant: what is left of a budget is what it allows, less the pods that were charged to it.
// `charged` is how many those are: any number, so the walk may be of any length.
auto charge_step(Release release, ChargeStep step) {
  return [=](World& world, const Bounds&, bool contrast) {
    direct::Budgets state{.selects = {{}}, .disrupted = {{}}, .allowed = {}};
    state.charging = release == Release::k1_36 ? Charging::kEveryBudget : Charging::kUntilViolated;
    std::vector<Int> allowed, charged;
    for (int budget = 1; budget <= kBudgetsOfAPod; ++budget) {
      allowed.push_back(world.integer(fmt::format("budget{}.allowed", budget), kLeastInt32, kMostInt32));
      charged.push_back(world.integer(fmt::format("budget{}.charged", budget), 0, kMostInt32));
      state.selects[0].push_back(world.boolean(fmt::format("selects{}", budget)));
      state.disrupted[0].push_back(world.boolean(fmt::format("disrupted{}", budget)));
      state.allowed.push_back(minus(allowed.back(), charged.back()));
    }
    const ChargedOnce after = step(state);
    direct::Bools exceeded;
    for (std::size_t b = 0; b < allowed.size(); ++b) {
      Bool here = all_of(state.selects[0][b], contrast ? Bool(true) : no(state.disrupted[0][b]));
      if (state.charging == Charging::kUntilViolated) here = all_of(here, no(any(exceeded)));
      const Int now = plus(charged[b], count(here));
      world.claim("the account is kept", after.left[b] == minus(allowed[b], now));
      exceeded.push_back(all_of(here, now > allowed[b]));
    }
    world.claim("violating when an account goes below zero", same(Bool(after.violating), any(exceeded)));
  };
}

// --- Reprieving one pod ---------------------------------------------------------------------------

// A node on which only the one question of this step can be asked: does p fit beside what is kept?
struct OneQuestion {
  Bool answer;
  void restore(std::size_t) {}
  void put_back(std::size_t) {}
  void evict(std::size_t) {}
  void take_off(std::size_t) {}
  Bool fits() const { return answer; }
};

using ReprieveStep = bool (*)(Bool fits_beside, bool violating);  // whether the pod is evicted

bool engine_step(Bool fits_beside, bool violating) {
  OneQuestion node{fits_beside};
  const std::array classes = {static_cast<std::uint8_t>(violating ? 1 : 0)};
  bool evicted = false;
  engine::reprieve(std::span<const std::uint8_t>(classes), node, [&](std::size_t) { return evicted = true; });
  return evicted;
}

bool reference_step(Bool fits_beside, bool violating) {
  OneQuestion node{fits_beside};
  std::vector<reference::ChargedPod<Int>> pods(1);
  pods[0].violating = violating;
  return reference::reprieve(pods, node)[0];
}

auto irreducible(ReprieveStep step) {
  return [=](World& world, const Bounds&, bool contrast) {
    const Bool k = world.boolean("F.K"), kp = world.boolean("F.K.p"), kv = world.boolean("F.K.v"),
               kpv = world.boolean("F.K.p.v");
    if (!contrast) world.assume(all_of(implies(kpv, kp), implies(kpv, kv), implies(kp, k), implies(kv, k)));
    world.assume(no(kv));  // the invariant, for the ghost victim v that went before
    const bool evicted = step(kp, static_cast<bool>(world.boolean("violating")));
    world.claim("an earlier victim still cannot be spared", no(evicted ? kv : kpv));
    world.claim("nor can this one", implies(Bool(evicted), no(kp)));
  };
}

auto keeps_fitting(ReprieveStep step) {
  return [=](World& world, const Bounds&, bool contrast) {
    const Bool k = world.boolean("F.K"), kp = world.boolean("F.K.p");
    if (!contrast) world.assume(k);
    const bool evicted = step(kp, static_cast<bool>(world.boolean("violating")));
    world.claim("the preemptor fits with what is kept", evicted ? k : kp);
  };
}

// S is the ghost: any set of pods with which the preemptor fits. "level" says that up to here exactly
// the pods of S were kept; while it holds, K is a part of S.
auto greatest_set(ReprieveStep step) {
  return [=](World& world, const Bounds&, bool contrast) {
    const Bool level = world.boolean("level"), in_s = world.boolean("p.in.S"), s = world.boolean("F.S"),
               kp = world.boolean("F.K.p");
    if (!contrast) world.assume(s);
    world.assume(implies(all_of(level, in_s, s), kp));  // K and p are a part of S
    const bool evicted = step(kp, static_cast<bool>(world.boolean("violating")));
    world.claim("the first pod in which they differ is kept, not in S",
                implies(all_of(level, Bool(evicted)), no(in_s)));
  };
}

// S is the ghost: a set with which the preemptor fits, and which spares every violating pod. Those come
// first, so that K, all violating, is a part of S as long as none was evicted.
auto zero_is_found(ReprieveStep step) {
  return [=](World& world, const Bounds&, bool contrast) {
    const bool violating = static_cast<bool>(world.boolean("violating"));
    const Bool others_kept = world.boolean("others.kept"), s = world.boolean("F.S"),
               kp = world.boolean("F.K.p");
    world.assume(s);
    // With the groups the other way round, K may hold what S does not.
    if (!contrast) world.assume(no(others_kept));
    world.assume(implies(all_of(no(others_kept), Bool(violating), s), kp));
    const bool evicted = step(kp, violating);
    if (violating) world.claim("no violating pod is evicted", Bool(!evicted));
  };
}

// What makes an induction of the steps: a walk over n pods is n walks over one, the violating first.
// "Fits" answers anything at all, anew each time.
auto walk_is_steps(World& world, const Bounds& bounds, bool contrast) {
  std::vector<std::uint8_t> classes;
  std::vector<Bool> answers;
  for (int pod = 1; pod <= bounds.pods; ++pod) {
    classes.push_back(world.boolean(fmt::format("violating{}", pod)) ? 1 : 0);
    answers.push_back(world.boolean(fmt::format("fits.at.question{}", pod)));
  }
  struct Asked {
    const std::vector<Bool>& answers;
    std::vector<std::size_t> order;

    void restore(std::size_t pod) { order.push_back(pod); }
    void put_back(std::size_t pod) { order.push_back(pod); }
    void evict(std::size_t) {}
    void take_off(std::size_t) {}
    Bool fits() const { return answers[order.size() - 1]; }
  };
  Asked engine_node{answers, {}}, reference_node{answers, {}};
  std::vector<bool> evicted(classes.size(), false);
  engine::reprieve(std::span<const std::uint8_t>(classes), engine_node, [&](std::size_t pod) {
    evicted[pod] = true;
    return true;
  });
  std::vector<reference::ChargedPod<Int>> pods(classes.size());
  for (std::size_t pod = 0; pod < pods.size(); ++pod) pods[pod].violating = classes[pod] != 0;
  const std::vector<bool> by_reference = reference::reprieve(pods, reference_node);

  std::vector<std::size_t> order;
  for (const std::uint8_t group : {std::uint8_t{1}, std::uint8_t{0}}) {
    for (std::size_t pod = 0; pod < classes.size(); ++pod) {
      if ((classes[pod] == group) != contrast) order.push_back(pod);
    }
  }
  world.claim("the engine asks about each pod once, in order", Bool(engine_node.order == order));
  world.claim("the reference asks about each pod once, in order", Bool(reference_node.order == order));
  for (std::size_t at = 0; at < order.size(); ++at) {
    world.claim("evicted as its step says", same(Bool(evicted[order[at]]), no(answers[at])));
    world.claim("and so by the reference", same(Bool(by_reference[order[at]]), no(answers[at])));
  }
}

// --- Ranges ---------------------------------------------------------------------------------------

// Up to how many victims the sums of a key fit into int64. The obligation at each addition inside
// Key::add is proved with the invariant; the contrast allows more.
auto key_fits(World& world, const Bounds&, bool contrast) {
  const std::int64_t most_victims = contrast ? kMostInt32 + 2 : kMostInt32;
  engine::Key<Int> key;
  key.empty = false;
  key.victim_count = world.integer("victims", 1, most_victims - 1);
  key.violations = world.integer("violations", 0, most_victims - 1);
  key.priority_sum = world.integer("sum");
  key.highest_priority = world.integer("highest", kLeastInt32, kMostInt32);
  const Int most_each(kMostInt32 - kLeastInt32);
  world.assume(
      all_of(key.priority_sum >= 0, key.priority_sum <= times(kMostInt32 - kLeastInt32, key.victim_count)));
  const Int priority = world.integer("priority", kLeastInt32, kMostInt32);
  const Int before = key.priority_sum;
  key.add(priority, {.given = true, .time = world.integer("start")}, count(world.boolean("violating")));
  world.claim("the sum is never negative", key.priority_sum >= before);
  world.claim(
      "nor too large",
      key.priority_sum <= plus(times(kMostInt32 - kLeastInt32, minus(key.victim_count, Int(1))), most_each));
}

}  // namespace

void add_step_theorems(std::vector<Theorem>& to) {
  struct Side {
    std::string_view name;
    ChargeStep charge;
    ReprieveStep step;
  };
  for (const Side& side :
       {Side{"engine", engine_charge, engine_step}, Side{"reference", reference_charge, reference_step}}) {
    const auto add = [&](std::string name, std::string sentence, std::string formal, std::string contrast,
                         auto body) {
      to.push_back({.name = fmt::format("{}-{}", side.name, name),
                    .sentence = std::move(sentence),
                    .formal = std::move(formal),
                    .about = fmt::format("{}/selection.h", side.name),
                    .kind = Kind::kUnbounded,
                    .contrast = std::move(contrast),
                    .explored = true,
                    .body = std::move(body)});
    };
    for (const Release release : {Release::k1_36, Release::k1_37}) {
      add(fmt::format("charge-step-{}", reprieve::to_string(release)),
          fmt::format(
              "After any number of pods, what the {} has left of a budget is what it allows less the pods "
              "charged to it, and a pod is violating when that goes below zero (a pod is under at most {} "
              "budgets).",
              side.name, kBudgetsOfAPod),
          "left(b) = allowed(b) - charged(b) is kept by charge(p); violating(p) iff exists b: charged(p,b) "
          "and "
          "left'(b) < 0",
          "a budget is charged although it counts the pod as disrupted", charge_step(release, side.charge));
    }
    add("irreducible",
        "No single victim can be spared: whatever the filters are, if fewer pods never hurt, the preemptor "
        "does not "
        "fit with any victim put back beside those that are kept.",
        "not F(K+v) is kept by reprieve(p), for every earlier victim v; not F(K+p) when p is evicted",
        "filters under which more pods can help", irreducible(side.step));
    add("keeps-fitting",
        "The preemptor always fits with what has been put back so far, whatever the filters are.",
        "F(K) is kept by reprieve(p)", "a walk that begins where the preemptor does not fit",
        keeps_fitting(side.step));
    add("greatest-set",
        "The pods kept are the lexicographically greatest set with which the preemptor fits, in the order of "
        "reprieve, if fewer pods never hurt. (So no set of victims can be spared either.)",
        "forall S with F(S): K and S agree so far, or K was the first to keep a pod; kept by reprieve(p)",
        "sets with which the preemptor does not fit", greatest_set(side.step));
    add("zero-is-found",
        "If some set of victims without any pod classed violating makes room, the selection evicts no such "
        "pod "
        "(fewer pods never hurt).",
        "exists S containing every violating pod with F(S) implies: reprieve(p) evicts no violating p",
        "pods that are not violating were put back before", zero_is_found(side.step));
  }
  to.push_back(
      {.name = "walk-is-steps",
       .sentence = "A walk is its steps: both cores ask about each pod exactly once, the violating ones "
                   "first, each group in order, and evict it exactly when the answer is no. This is what "
                   "makes inductions of the theorems about one step.",
       .formal = "reprieve(p1..pn) = reprieve(p_s(1)); ...; reprieve(p_s(n)), s by class and then by place",
       .about = "engine/selection.h, reference/selection.h",
       .quick = {.pods = 5},
       .usual = {.pods = 6},
       .nightly = {.pods = 8},
       .contrast = "the pods that are not violating come first",
       .explored = true,
       .body = walk_is_steps});
  to.push_back(
      {.name = "key-fits-int64",
       .sentence = "The sums of a key fit into int64 for up to 2^31 - 1 victims on a node, whatever their "
                   "priorities.",
       .formal = "0 <= sum <= n (2^32 - 1) is kept by Key::add, and every addition in it stays in int64, "
                 "for n < 2^31",
       .about = "engine/selection.h: Key::add",
       .kind = Kind::kUnbounded,
       .contrast = "for two victims more",
       .explored = true,
       .body = key_fits});
}

}  // namespace reprieve::smt
