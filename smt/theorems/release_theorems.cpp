// 1.36 against 1.37: what charging until violated changes, and the order of budgets.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

Question with(Question question, Charging charging) {
  question.budgets.charging = charging;
  return question;
}

// The same budgets in the opposite order.
Question reversed(Question question) {
  for (Bools& selects : question.budgets.selects) std::ranges::reverse(selects);
  for (Bools& disrupted : question.budgets.disrupted) std::ranges::reverse(disrupted);
  std::ranges::reverse(question.budgets.allowed);
  return question;
}

Bool equal(const Bools& a, const Bools& b) {
  Bools each;
  for (std::size_t i = 0; i < a.size(); ++i) each.push_back(same(a[i], b[i]));
  return all(each);
}

}  // namespace

void add_release_theorems(std::vector<Theorem>& to) {
  const std::string about = "docs/SEMANTICS.md, direct encoding";
  const Bounds classes{.pods = 8, .budgets = 2}, more_classes{.pods = 8, .budgets = 2},
      most_classes{.pods = 10, .budgets = 3};
  to.push_back({.name = "classed-in-1.37-are-classed-in-1.36",
                .sentence = "Every pod that 1.37 classes as violating is so classed by 1.36.",
                .formal = "violating(untilViolated) is a subset of violating(everyBudget)",
                .about = about,
                .quick = classes,
                .usual = more_classes,
                .nightly = most_classes,
                .contrast = "and the other way round",
                .body = [](World& world, const Bounds& bounds, bool contrast) {
                  const Question question = ask(world, bounds, Charging::kEveryBudget);
                  const Bools every = direct::violating(question.budgets);
                  const Bools until = direct::violating(with(question, Charging::kUntilViolated).budgets);
                  for (std::size_t p = 0; p < every.size(); ++p)
                    world.claim("a subset",
                                contrast ? implies(every[p], until[p]) : implies(until[p], every[p]));
                }});
  to.push_back(
      {.name = "releases-agree-on-disjoint-budgets",
       .sentence = "When no pod is under two budgets, 1.36 and 1.37 class the same pods as violating (and so "
                   "select the same victims).",
       .formal = "forall p: |budgets(p)| <= 1 implies violating(untilViolated) = violating(everyBudget)",
       .about = about,
       .quick = classes,
       .usual = more_classes,
       .nightly = most_classes,
       .contrast = "whatever budgets a pod is under",
       .body = [](World& world, const Bounds& bounds, bool contrast) {
         const Question question = ask(world, bounds, Charging::kEveryBudget);
         if (!contrast) assume_one_budget_each(world, question);
         world.claim("the same classes",
                     equal(direct::violating(question.budgets),
                           direct::violating(with(question, Charging::kUntilViolated).budgets)));
       }});
  to.push_back({.name = "1.37-never-reports-more-than-1.36",
                .sentence = "On the same node 1.37 never reports more violations than 1.36.",
                .formal = "violations(answer by untilViolated) <= violations(answer by everyBudget)",
                .about = about,
                .quick = {.pods = 5, .resources = 1, .budgets = 2},
                .usual = {.pods = 5, .resources = 1, .budgets = 2},
                .nightly = {.pods = 6, .resources = 2, .budgets = 2},
                .holds = false,
                .contrast = "the same, when all pods hold the same",
                .shows = Shows::kNode,
                .body = [](World& world, const Bounds& bounds, bool contrast) {
                  const Question question = ask(world, bounds, Charging::kEveryBudget);
                  assume_candidate(world, question);
                  prefer_small(world, question);
                  if (contrast) {
                    for (const direct::Ints& held : question.resources.held) {
                      for (std::size_t r = 0; r < held.size(); ++r)
                        world.assume(held[r] == question.resources.held[0][r]);
                    }
                  }
                  world.claim("no more", answer(with(question, Charging::kUntilViolated)).violations <=
                                             answer(question).violations);
                }});
  to.push_back({.name = "budget-order-does-not-matter-1.36",
                .sentence = "In 1.36 the order of the budgets changes nothing.",
                .formal = "violating(budgets) = violating(budgets reversed), everyBudget",
                .about = about,
                .quick = classes,
                .usual = more_classes,
                .nightly = most_classes,
                .contrast = "nor does the order of the pods",
                .release = Release::k1_36,
                .body = [](World& world, const Bounds& bounds, bool contrast) {
                  const Question question = ask(world, bounds, Charging::kEveryBudget);
                  Question other = reversed(question);
                  if (contrast) std::ranges::reverse(other.budgets.selects);
                  Bools classes_of_other = direct::violating(other.budgets);
                  if (contrast) std::ranges::reverse(classes_of_other);
                  world.claim("the same classes",
                              equal(direct::violating(question.budgets), classes_of_other));
                }});
  to.push_back(
      {.name = "budget-order-does-not-matter-1.37",
       .sentence =
           "In 1.37 the order of the budgets changes neither the victims nor the number of violations "
           "reported.",
       .formal = "answer(budgets) = answer(budgets reversed), untilViolated",
       .about = about,
       .quick = {.pods = 4, .resources = 1, .budgets = 2},
       .usual = {.pods = 4, .resources = 1, .budgets = 2},
       .nightly = {.pods = 6, .resources = 2, .budgets = 3},
       .holds = false,
       .contrast = "the same, when no pod is under two budgets",
       .shows = Shows::kNode,
       .body = [](World& world, const Bounds& bounds, bool contrast) {
         const Question question = ask(world, bounds, Charging::kUntilViolated);
         assume_candidate(world, question);
         prefer_small(world, question);
         if (contrast) assume_one_budget_each(world, question);
         const DirectAnswer one = answer(question), other = answer(reversed(question));
         world.claim("the same violations", one.violations == other.violations);
         world.claim("the same victims", equal(one.evicted, other.evicted));
       }});
}

}  // namespace reprieve::smt
