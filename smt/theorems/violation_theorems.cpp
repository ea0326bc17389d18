// What the reported number of violations means, and whether it is the fewest possible: about the
// rules, in the direct encoding.
//
// Meanings of "really violated", for the victims that go: *everyBudget*, victims that take a budget
// below zero when the victims alone are charged to every budget; *untilViolated*, the same by the rule
// of 1.37; *excess*, over all budgets together, by how much the victims exceed what is allowed;
// *leave-out*, how many victims would have to stay so that nothing is violated.
#include <fmt/format.h>

#include "reprieve/smt/theorems/by_budget.h"
#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

Charging charging_of(Release release) {
  return release == Release::k1_36 ? Charging::kEveryBudget : Charging::kUntilViolated;
}

Int actual(direct::Budgets budgets, const Bools& victims, Charging meaning) {
  budgets.charging = meaning;
  return how_many(direct::violating_among(budgets, victims));
}

Int excess(const direct::Budgets& budgets, const Bools& victims) {
  std::vector<Int> parts;
  for (std::size_t b = 0; b < budgets.allowed.size(); ++b) {
    Bools charged;
    for (std::size_t p = 0; p < victims.size(); ++p)
      charged.push_back(all_of(victims[p], budgets.selects[p][b]));
    parts.push_back(greatest(Int(0), minus(how_many(charged), budgets.allowed[b])));
  }
  return total(parts);
}

// Any set of victims whatever, of pods that are charged by the rule: no filter, no reprieve. What holds
// here holds for the victims of every selection, and of extenders.
struct AnyVictims {
  Question question;
  Bools victims, violating;
  Int reported;
};
AnyVictims any_victims(World& world, const Bounds& bounds, Release release) {
  AnyVictims any{.question = ask(world, bounds, charging_of(release))};
  any.victims = some_pods(world, "victim", bounds.pods);
  any.violating = direct::violating(any.question.budgets);
  any.reported = direct::both(any.violating, any.victims);
  return any;
}

// A node that is tried, and its answer; counterexamples are made small.
struct Answered {
  Question question;
  DirectAnswer answer;
};
Answered candidate_node(World& world, const Bounds& bounds, Release release) {
  Answered result{.question = ask(world, bounds, charging_of(release))};
  assume_candidate(world, result.question);
  prefer_small(world, result.question);
  result.answer = answer(result.question);
  return result;
}

Bool all_implied(const Bools& some, const Bools& others) {
  Bools each;
  for (std::size_t p = 0; p < some.size(); ++p) each.push_back(implies(some[p], others[p]));
  return all(each);
}

// Another set of pods with which the preemptor fits as well.
Bools another_choice(World& world, const Question& question) {
  const Bools victims = some_pods(world, "instead", static_cast<int>(question.pods()));
  Bools kept;
  for (const Bool& victim : victims) kept.push_back(no(victim));
  world.assume(direct::fits(question.resources, kept));
  return victims;
}

// The steps to "no choice violates fewer", where no pod is under two budgets. Where only pods that are not
// classed violating go, nothing is violated. Else all of these go, so that each budget has lost what it
// allows or all of its pods, and every further pod violates one; and any choice of so many has as many
// beyond.
struct Choices {
  Bools violating, victims, instead;
};
void count_choices(World& world, direct::Budgets budgets, const Choices& choices, Int room) {
  const std::size_t pods = choices.victims.size();
  const Bools everybody(pods, Bool(true));
  Bools harmless, violating_victims;
  for (std::size_t p = 0; p < pods; ++p) {
    harmless.push_back(no(choices.violating[p]));
    violating_victims.push_back(all_of(choices.violating[p], choices.victims[p]));
  }
  const Bool all_harmless_go = all_implied(harmless, choices.victims);
  world.step("only so many are kept as there is room for",
             plus(how_many(choices.victims), room) == Int(static_cast<std::int64_t>(pods)));
  for (std::size_t p = 0; p < pods; ++p)
    world.step("a violating pod goes only if all others do", implies(violating_victims[p], all_harmless_go));

  const CountedByBudget all = count_by_budget(world, budgets, everybody);
  budgets.charging = Charging::kEveryBudget;
  const CountedByBudget rest = count_by_budget(world, budgets, harmless);
  const CountedByBudget going = count_by_budget(world, budgets, choices.victims);
  const CountedByBudget instead = count_by_budget(world, budgets, choices.instead);
  show_counts_grow(world, budgets, choices.instead, everybody);
  show_counts_grow(world, budgets, choices.victims, everybody);
  world.step("uncharged pods are not classed violating", rest.uncharged == all.uncharged);
  const Bool only_harmless_go = all_implied(choices.victims, harmless);
  world.step("one or the other", any_of(all_harmless_go, only_harmless_go));
  world.step("all others go, all that are uncharged with them",
             implies(all_harmless_go, rest.uncharged <= going.uncharged));
  for (std::size_t b = 0; b < budgets.allowed.size(); ++b) {
    world.step("a budget's pods are classed violating or not",
               plus(rest.charged[b], all.violating[b]) == all.charged[b]);
    world.step("those that are not violate nothing", rest.violating[b] == Int(0));
    world.step("all others go, of each budget too",
               implies(all_harmless_go, rest.charged[b] <= going.charged[b]));
    world.step("only others go, of each budget too",
               implies(only_harmless_go, going.charged[b] <= rest.charged[b]));
    world.step("only others go, and violate nothing",
               implies(only_harmless_go, going.violating[b] == Int(0)));
    world.step("all others go, and whoever goes too violates",
               implies(all_harmless_go, going.violating[b] == minus(going.charged[b], rest.charged[b])));
    world.step("of any choice, at least so many violate",
               instead.violating[b] >= minus(instead.charged[b], rest.charged[b]));
  }
  const Int not_violating = plus(all.uncharged, total(rest.charged));
  world.step("of any choice, at least so many violate in all",
             total(instead.violating) >= minus(how_many(choices.instead), not_violating));
  world.step("of the victims, no more",
             any_of(total(going.violating) == Int(0),
                    total(going.violating) == minus(how_many(choices.victims), not_violating)));
}

}  // namespace

void add_violation_theorems(std::vector<Theorem>& to) {
  const std::string about = "docs/SEMANTICS.md, direct encoding";
  to.push_back({.name = "equal-sizes-fit-by-number",
                .sentence =
                    "When all pods hold the same, whether the preemptor fits is a matter of how many are "
                    "kept: where it fits with some, it fits with any others of no greater number.",
                .formal = "equal sizes, fits(K), |K'| <= |K|: fits(K')",
                .about = about,
                .quick = {.pods = 8, .resources = 2},
                .usual = {.pods = 8, .resources = 2},
                .nightly = {.pods = 10, .resources = 3},
                .contrast = "whatever the pods hold",
                .body = [](World& world, const Bounds& bounds, bool contrast) {
                  const Question question = ask(world, bounds, Charging::kEveryBudget, {.nominated = true});
                  if (!contrast) assume_equal_sizes(world, question);
                  const Bools kept = some_pods(world, "kept", bounds.pods),
                              others = some_pods(world, "instead", bounds.pods);
                  world.assume(direct::fits(question.resources, kept));
                  world.assume(how_many(others) <= how_many(kept));
                  world.claim("it fits with the others", direct::fits(question.resources, others));
                }});
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    const std::string version(reprieve::to_string(release));
    const auto named = [&](std::string_view name) { return fmt::format("{}-{}", name, version); };

    // 1.36 never reports too few; 1.37 does.
    if (release == Release::k1_36) {
      to.push_back({.name = named("reported-not-below-real"),
                    .sentence =
                        "1.36 never reports fewer violations than the victims really cause (each charged to "
                        "every budget), for any set of victims.",
                    .formal = "forall victims: |violating and victims| >= actual(victims, everyBudget)",
                    .about = about,
                    .quick = {.pods = 8, .budgets = 2},
                    .usual = {.pods = 8, .budgets = 2},
                    .nightly = {.pods = 10, .budgets = 3},
                    .contrast = "it reports exactly as many",
                    .release = release,
                    .body = [=](World& world, const Bounds& bounds, bool contrast) {
                      const AnyVictims any = any_victims(world, bounds, release);
                      const Int real = actual(any.question.budgets, any.victims, Charging::kEveryBudget);
                      world.claim("reported >= real", contrast ? any.reported == real : any.reported >= real);
                    }});
    } else {
      to.push_back({.name = named("reported-not-below-real"),
                    .sentence =
                        "1.37 never reports fewer violations than the victims really cause, each charged to "
                        "every budget.",
                    .formal = "violations(answer) >= actual(victims(answer), everyBudget)",
                    .about = about,
                    .quick = {.pods = 4, .resources = 1, .budgets = 2},
                    .usual = {.pods = 5, .resources = 1, .budgets = 2},
                    .nightly = {.pods = 6, .resources = 2, .budgets = 3},
                    .holds = false,
                    .contrast = "the same, when no pod is under two budgets",
                    .release = release,
                    .shows = Shows::kNode,
                    .body = [=](World& world, const Bounds& bounds, bool contrast) {
                      const Answered node = candidate_node(world, bounds, release);
                      if (contrast) assume_one_budget_each(world, node.question);
                      world.claim("reported >= real",
                                  node.answer.violations >= actual(node.question.budgets, node.answer.evicted,
                                                                   Charging::kEveryBudget));
                    }});
    }
    to.push_back(
        {.name = named("reported-is-real"),
         .sentence = fmt::format("{} reports exactly the violations that the victims really cause, each "
                                 "charged by its own rule.",
                                 version),
         .formal = "violations(answer) = actual(victims(answer), own rule)",
         .about = about,
         .quick = {.pods = 3, .resources = 1, .budgets = 1},
         .usual = {.pods = 4, .resources = 1, .budgets = 2},
         .nightly = {.pods = 6, .resources = 2, .budgets = 2},
         .holds = false,
         .contrast = "the same, when every pod classed violating or none is evicted, and so is every other",
         .release = release,
         .shows = Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Answered node = candidate_node(world, bounds, release);
           if (contrast) world.assume(all(node.answer.evicted));
           world.claim("reported = real",
                       node.answer.violations ==
                           actual(node.question.budgets, node.answer.evicted, charging_of(release)));
         }});
    to.push_back({.name = named("zero-means-zero"),
                  .sentence = fmt::format(
                      "When {} reports no violation there is none, in any meaning: no victim takes "
                      "a budget below zero by either rule, and no budget is exceeded.",
                      version),
                  .formal = "forall victims: |violating and victims| = 0 implies actual = 0, excess = 0",
                  .about = about,
                  .quick = {.pods = 8, .budgets = 2},
                  .usual = {.pods = 8, .budgets = 2},
                  .nightly = {.pods = 10, .budgets = 3},
                  .contrast = "the same of one reported violation and one real one at most",
                  .release = release,
                  .body = [=](World& world, const Bounds& bounds, bool contrast) {
                    const AnyVictims any = any_victims(world, bounds, release);
                    const Int most = contrast ? Int(1) : Int(0);
                    const auto none = [&](Int real) { return implies(any.reported <= most, real <= most); };
                    world.claim("by every budget",
                                none(actual(any.question.budgets, any.victims, Charging::kEveryBudget)));
                    world.claim("until violated",
                                none(actual(any.question.budgets, any.victims, Charging::kUntilViolated)));
                    world.claim("no excess", none(excess(any.question.budgets, any.victims)));
                  }});
    to.push_back(
        {.name = named("leave-out-at-most-reported"),
         .sentence = fmt::format("Leaving out the victims that {} reports as violating leaves nothing "
                                 "violated: the fewest that must stay are at most those reported.",
                                 version),
         .formal = "forall victims: actual(victims without violating, everyBudget) = 0 and excess = 0",
         .about = about,
         .quick = {.pods = 8, .budgets = 2},
         .usual = {.pods = 8, .budgets = 2},
         .nightly = {.pods = 10, .budgets = 3},
         .contrast = "leaving out the others does",
         .release = release,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const AnyVictims any = any_victims(world, bounds, release);
           Bools rest;
           for (std::size_t p = 0; p < any.victims.size(); ++p)
             rest.push_back(all_of(any.victims[p], contrast ? any.violating[p] : no(any.violating[p])));
           world.claim("nothing is violated",
                       actual(any.question.budgets, rest, Charging::kEveryBudget) == 0);
           world.claim("no budget is exceeded", excess(any.question.budgets, rest) == 0);
         }});
    to.push_back({.name = named("reported-not-below-excess"),
                  .sentence = fmt::format(
                      "{} never reports less than the excess of the victims over all budgets.", version),
                  .formal = "violations(answer) >= excess(victims(answer))",
                  .about = about,
                  .quick = {.pods = 3, .resources = 1, .budgets = 2},
                  .usual = {.pods = 4, .resources = 1, .budgets = 2},
                  .nightly = {.pods = 6, .resources = 2, .budgets = 3},
                  .holds = false,
                  .contrast = "the same, when no pod is under two budgets",
                  .release = release,
                  .shows = Shows::kNode,
                  .body = [=](World& world, const Bounds& bounds, bool contrast) {
                    const Answered node = candidate_node(world, bounds, release);
                    if (contrast) assume_one_budget_each(world, node.question);
                    world.claim("reported >= excess",
                                node.answer.violations >= excess(node.question.budgets, node.answer.evicted));
                  }});

    // Is it the fewest?
    to.push_back(
        {.name = named("fewest-violations"),
         .sentence = fmt::format("{} reports the fewest violations that any choice of victims on the node "
                                 "would have been reported with.",
                                 version),
         .formal = "forall victims' that make room: violations(answer) <= |violating and victims'|",
         .about = about,
         .quick = {.pods = 4, .resources = 1, .budgets = 1},
         .usual = {.pods = 5, .resources = 1, .budgets = 2},
         .nightly = {.pods = 6, .resources = 2, .budgets = 2},
         .holds = false,
         .contrast = "the same, when all pods hold the same",
         .release = release,
         .shows = Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Answered node = candidate_node(world, bounds, release);
           if (contrast) assume_equal_sizes(world, node.question);
           const Bools instead = another_choice(world, node.question);
           world.claim("no choice reports fewer",
                       node.answer.violations <= direct::both(node.answer.violating, instead));
         }});
    to.push_back(
        {.name = named("fewest-real-violations"),
         .sentence =
             fmt::format("When all pods hold the same, {} really violates the fewest budgets: no other "
                         "choice of victims causes fewer violations, each charged to every budget.",
                         version),
         .formal = "equal sizes: forall victims' that make room: actual(victims) <= actual(victims')",
         .about = about,
         .quick = {.pods = 4, .resources = 1, .budgets = 2},
         .usual = {.pods = 4, .resources = 1, .budgets = 2},
         .nightly = {.pods = 6, .resources = 2, .budgets = 2},
         .holds = false,
         .contrast = "the same, when no pod is under two budgets",
         .release = release,
         .shows = Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Answered node = candidate_node(world, bounds, release);
           assume_equal_sizes(world, node.question);
           if (contrast) assume_one_budget_each(world, node.question);
           const Bools instead = another_choice(world, node.question);
           world.claim("no choice violates fewer",
                       actual(node.question.budgets, node.answer.evicted, Charging::kEveryBudget) <=
                           actual(node.question.budgets, instead, Charging::kEveryBudget));
         }});
    to.push_back(
        {.name = named("importance-is-kept"),
         .sentence = fmt::format("{} never evicts a pod while sparing a less important one that holds the "
                                 "same, unless evicting that one instead would really violate a budget.",
                                 version),
         .formal = "p before q, evicted(p), not evicted(q), size(p) = size(q): "
                   "actual(victims - p + q) > 0",
         .about = about,
         .quick = {.pods = 3, .resources = 1, .budgets = 1},
         .usual = {.pods = 4, .resources = 1, .budgets = 2},
         .nightly = {.pods = 6, .resources = 2, .budgets = 2},
         .holds = false,
         .contrast = "the same, when no pod is classed violating",
         .release = release,
         .shows = Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Answered node = candidate_node(world, bounds, release);
           if (contrast) world.assume(no(any(node.answer.violating)));
           for (std::size_t p = 0; p < node.question.pods(); ++p) {
             for (std::size_t q = p + 1; q < node.question.pods(); ++q) {
               Bools instead = node.answer.evicted;
               instead[p] = Bool(false);
               instead[q] = Bool(true);
               Bools swapped = {node.answer.evicted[p], no(node.answer.evicted[q])};
               for (std::size_t r = 0; r < node.question.resources.asked.size(); ++r)
                 swapped.push_back(node.question.resources.held[p][r] == node.question.resources.held[q][r]);
               world.claim(
                   "the less important pod is protected",
                   implies(all(swapped), actual(node.question.budgets, instead, Charging::kEveryBudget) > 0));
             }
           }
         }});
    // The conditions under which it is the fewest.
    const auto equal_sizes = [&](std::string name, std::string sentence, std::string formal, Bounds quick,
                                 Bounds usual, Bounds nightly, std::string contrast_text, auto statement) {
      to.push_back({.name = named(name),
                    .sentence = std::move(sentence),
                    .formal = std::move(formal),
                    .about = about,
                    .quick = quick,
                    .usual = usual,
                    .nightly = nightly,
                    .contrast = std::move(contrast_text),
                    .release = release,
                    .body = [=](World& world, const Bounds& bounds, bool contrast) {
                      const Answered node = candidate_node(world, bounds, release);
                      statement(world, node, another_choice(world, node.question), contrast);
                    }});
    };
    equal_sizes(
        "equal-sizes-fewest-violations",
        fmt::format(
            "When all pods hold the same, {} reports the fewest violations that any choice of victims on "
            "the node would have been reported with, whatever budgets overlap.",
            version),
        "equal sizes: forall victims' that make room: violations(answer) <= |violating and victims'|",
        {.pods = 8, .resources = 2, .budgets = 2}, {.pods = 8, .resources = 2, .budgets = 2},
        {.pods = 10, .resources = 3, .budgets = 3}, "whatever the pods hold",
        [](World& world, const Answered& node, const Bools& instead, bool contrast) {
          if (!contrast) assume_equal_sizes(world, node.question);
          world.claim("no choice reports fewer",
                      node.answer.violations <= direct::both(node.answer.violating, instead));
        });
    to.push_back(
        {.name = named("equal-sizes-fewest-real-violations"),
         .sentence =
             fmt::format("When all pods hold the same and none is under two budgets, no choice of victims "
                         "really violates fewer times than that of {}; so it is under any filter that looks "
                         "at the number of pods alone (equal-sizes-fit-by-number).",
                         version),
         .formal = "fits(K) = (|K| <= room), |budgets(p)| <= 1: forall victims' that make room: "
                   "actual(victims) <= actual(victims')",
         .about = about,
         .quick = {.pods = 8, .budgets = 2},
         .usual = {.pods = 8, .budgets = 2},
         .nightly = {.pods = 10, .budgets = 3},
         .contrast = "when budgets overlap",
         .release = release,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Question question = ask(world, bounds, charging_of(release));
           const direct::Budgets& budgets = question.budgets;
           if (!contrast) assume_one_budget_each(world, question);
           const Int room = world.integer("room", 0, kMostInt32);
           world.assume(room < Int(bounds.pods));  // else there is nothing to do
           const Bools violating = direct::violating(budgets);
           const Bools victims =
               direct::evicted(violating, [&](const Bools& kept) { return how_many(kept) <= room; });
           const Bools instead = some_pods(world, "instead", bounds.pods);
           world.assume(plus(how_many(instead), room) >= Int(bounds.pods));
           if (!contrast)
             count_choices(world, budgets, {.violating = violating, .victims = victims, .instead = instead},
                           room);
           world.claim("no choice violates fewer", actual(budgets, victims, Charging::kEveryBudget) <=
                                                       actual(budgets, instead, Charging::kEveryBudget));
         }});
  }
}

}  // namespace reprieve::smt
