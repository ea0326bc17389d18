// What is monotone and what is not: more allowed, more room, fewer budgets, a higher priority.
#include <fmt/format.h>

#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

Charging charging_of(Release release) {
  return release == Release::k1_36 ? Charging::kEveryBudget : Charging::kUntilViolated;
}

Bool none_but(const Bools& a, const Bools& b) {
  Bools each;
  for (std::size_t i = 0; i < a.size(); ++i) each.push_back(implies(a[i], b[i]));
  return all(each);
}

}  // namespace

void add_monotonicity_theorems(std::vector<Theorem>& to) {
  const std::string about = "docs/SEMANTICS.md, direct encoding";
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    const std::string version(reprieve::to_string(release));
    to.push_back(
        {.name = fmt::format("allowing-more-classes-fewer-{}", version),
         .sentence =
             fmt::format("In {} a pod that is not violating stays so when a budget allows more{}.", version,
                         release == Release::k1_36 ? "" : ", if no pod is under two budgets"),
         .formal = "allowed <= allowed' implies violating(allowed') is a subset of violating(allowed)",
         .about = about,
         .quick = {.pods = 8, .budgets = 2},
         .usual = {.pods = 8, .budgets = 2},
         .nightly = {.pods = 10, .budgets = 3},
         .contrast = release == Release::k1_36 ? "when it allows less" : "whatever budgets a pod is under",
         .release = release,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Question question = ask(world, bounds, charging_of(release));
           Question more = question;
           for (std::size_t b = 0; b < more.budgets.allowed.size(); ++b) {
             more.budgets.allowed[b] =
                 world.integer(fmt::format("budget{}.allowed.then", b + 1), 0, kMostInt32);
             const bool less = contrast && release == Release::k1_36;
             world.assume(less ? more.budgets.allowed[b] <= question.budgets.allowed[b]
                               : more.budgets.allowed[b] >= question.budgets.allowed[b]);
           }
           if (release == Release::k1_37 && !contrast) assume_one_budget_each(world, question);
           world.claim("no pod more",
                       none_but(direct::violating(more.budgets), direct::violating(question.budgets)));
         }});
    to.push_back({.name = fmt::format("allowing-more-reports-no-more-{}", version),
                  .sentence = fmt::format(
                      "In {} raising what a budget allows never raises the violations reported.", version),
                  .formal = "allowed <= allowed' implies violations(answer') <= violations(answer)",
                  .about = about,
                  .quick = {.pods = 4, .resources = 1, .budgets = 1},
                  .usual = {.pods = 5, .resources = 1, .budgets = 2},
                  .nightly = {.pods = 6, .resources = 2, .budgets = 2},
                  .holds = false,
                  .contrast = "the same with a single budget, when all pods hold the same",
                  .release = release,
                  .shows = Shows::kNode,
                  .body = [=](World& world, const Bounds& bounds, bool contrast) {
                    const Question question = ask(world, bounds, charging_of(release));
                    assume_candidate(world, question);
                    prefer_small(world, question);
                    Question more = question;
                    for (std::size_t b = 0; b < more.budgets.allowed.size(); ++b) {
                      more.budgets.allowed[b] =
                          world.integer(fmt::format("budget{}.allowed.then", b + 1), 0, kMostInt32);
                      world.minimise(more.budgets.allowed[b]);
                      world.assume(more.budgets.allowed[b] >= question.budgets.allowed[b]);
                    }
                    if (contrast) {
                      assume_equal_sizes(world, question);
                      for (std::size_t p = 0; p < question.pods(); ++p) {
                        for (std::size_t b = 1; b < question.budgets.allowed.size(); ++b)
                          world.assume(no(question.budgets.selects[p][b]));
                      }
                    }
                    world.claim("no more", answer(more).violations <= answer(question).violations);
                  }});
    to.push_back(
        {.name = fmt::format("removing-a-budget-classes-no-more-{}", version),
         .sentence = fmt::format("In {} no pod becomes violating when a budget is taken away.", version),
         .formal = "violating(budgets without one) is a subset of violating(budgets)",
         .about = about,
         .quick = {.pods = release == Release::k1_36 ? 8 : 4, .budgets = 2},
         .usual = {.pods = release == Release::k1_36 ? 8 : 4, .budgets = 2},
         .nightly = {.pods = release == Release::k1_36 ? 10 : 6, .budgets = 3},
         .holds = release == Release::k1_36,
         .contrast = release == Release::k1_36 ? "the same pods are violating"
                                               : "the same, if no pod is under two budgets",
         .release = release,
         .shows = release == Release::k1_36 ? Shows::kNothing : Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Question question = ask(world, bounds, charging_of(release));
           prefer_small(world, question);
           const Question less = without_first_budget(question);
           const Bools before = direct::violating(question.budgets), after = direct::violating(less.budgets);
           if (contrast && release == Release::k1_37) assume_one_budget_each(world, question);
           world.claim("no pod more", none_but(after, before));
           if (contrast && release == Release::k1_36) world.claim("nor less", none_but(before, after));
         }});
    to.push_back(
        {.name = fmt::format("removing-a-budget-reports-no-more-{}", version),
         .sentence = fmt::format("In {} taking a budget away never raises the violations reported.", version),
         .formal = "violations(answer without budget 1) <= violations(answer)",
         .about = about,
         .quick = {.pods = 4, .resources = 1, .budgets = 2},
         .usual = {.pods = 4, .resources = 1, .budgets = 2},
         .nightly = {.pods = 6, .resources = 2, .budgets = 2},
         .holds = false,
         .contrast = "the same, when it selects all pods and there is no other",
         .release = release,
         .shows = Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const Question question = ask(world, bounds, charging_of(release));
           assume_candidate(world, question);
           prefer_small(world, question);
           const Question less = without_first_budget(question);
           for (const Bools& selects : question.budgets.selects) {
             if (contrast) world.assume(all_of(selects[0], no(selects[1])));
           }
           world.claim("no more", answer(less).violations <= answer(question).violations);
         }});
    // Pod 1 is as important as the preemptor at first, so it holds its place and is charged to nobody.
    const auto raised = [=](World& world, const Bounds& bounds) {
      Question after = ask(world, bounds, charging_of(release));
      Question before = after;
      before.budgets.selects.erase(before.budgets.selects.begin());
      before.budgets.disrupted.erase(before.budgets.disrupted.begin());
      before.resources.held.erase(before.resources.held.begin());
      for (std::size_t r = 0; r < after.resources.asked.size(); ++r)
        before.resources.others[r] = plus(before.resources.others[r], after.resources.held[0][r]);
      prefer_small(world, after);
      return std::pair(before, after);
    };
    to.push_back(
        {.name = fmt::format("raising-the-priority-keeps-classes-{}", version),
         .sentence =
             fmt::format("In {} a pod that is violating stays so when the preemptor's priority is raised "
                         "above that of one pod more.",
                         version),
         .formal = "violating(pods) is a subset of violating({p} + pods), where p is more important than all",
         .about = about,
         .quick = {.pods = release == Release::k1_36 ? 7 : 4, .budgets = 2},
         .usual = {.pods = release == Release::k1_36 ? 8 : 4, .budgets = 2},
         .nightly = {.pods = release == Release::k1_36 ? 10 : 6, .budgets = 3},
         .holds = release == Release::k1_36,
         .contrast = release == Release::k1_36 ? "no other pod becomes violating"
                                               : "the same, if no pod is under two budgets",
         .release = release,
         .shows = release == Release::k1_36 ? Shows::kNothing : Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const auto [before, after] = raised(world, bounds);
           Bools then = direct::violating(after.budgets);
           then.erase(then.begin());
           const Bools now = direct::violating(before.budgets);
           if (contrast && release == Release::k1_37) assume_one_budget_each(world, after);
           const bool reversed = contrast && release == Release::k1_36;
           world.claim("stays so", reversed ? none_but(then, now) : none_but(now, then));
         }});
    to.push_back(
        {.name = fmt::format("raising-the-priority-reports-no-more-{}", version),
         .sentence = fmt::format("In {} a node on which the preemptor may evict one pod more, by a raised "
                                 "priority, reports no more violations.",
                                 version),
         .formal = "violations(answer({p} + pods)) <= violations(answer(pods)), where p holds its place "
                   "in the latter",
         .about = about,
         .quick = {.pods = 3, .resources = 1, .budgets = 1},
         .usual = {.pods = 4, .resources = 1, .budgets = 1},
         .nightly = {.pods = 6, .resources = 2, .budgets = 2},
         .holds = false,
         .contrast = "the same, when no budget selects that pod and all pods hold the same",
         .release = release,
         .shows = Shows::kNode,
         .body = [=](World& world, const Bounds& bounds, bool contrast) {
           const auto [before, after] = raised(world, bounds);
           assume_candidate(world, before);
           assume_candidate(world, after);
           if (contrast) world.assume(no(any(after.budgets.selects[0])));
           if (contrast) assume_equal_sizes(world, after);
           world.claim("no more", answer(after).violations <= answer(before).violations);
         }});
    const auto room = [&](std::string name, std::string sentence, std::string contrast_text, auto claim) {
      to.push_back({.name = fmt::format("{}-{}", name, version),
                    .sentence = std::move(sentence),
                    .formal = "allocatable <= allocatable' implies the same of the answers",
                    .about = about,
                    .quick = {.pods = 4, .resources = 1, .budgets = 1},
                    .usual = {.pods = 4, .resources = 1, .budgets = 2},
                    .nightly = {.pods = 6, .resources = 2, .budgets = 2},
                    .holds = false,
                    .contrast = std::move(contrast_text),
                    .release = release,
                    .shows = Shows::kNode,
                    .body = [=](World& world, const Bounds& bounds, bool contrast) {
                      const Question question = ask(world, bounds, charging_of(release));
                      assume_candidate(world, question);
                      prefer_small(world, question);
                      Question more = question;
                      for (std::size_t r = 0; r < more.resources.asked.size(); ++r) {
                        more.resources.allocatable[r] =
                            world.integer(fmt::format("node.{}.then", resource_name(r)), 0, kMostOfAResource);
                        world.minimise(more.resources.allocatable[r]);
                        world.assume(more.resources.allocatable[r] >= question.resources.allocatable[r]);
                      }
                      if (contrast) assume_equal_sizes(world, question);
                      world.claim("no more", claim(answer(question), answer(more)));
                    }});
    };
    room("more-room-evicts-no-more", fmt::format("In {} a node with more room evicts no more pods.", version),
         "the same, when all pods hold the same", [](const DirectAnswer& before, const DirectAnswer& after) {
           return how_many(after.evicted) <= how_many(before.evicted);
         });
    room("more-room-reports-no-more",
         fmt::format("In {} a node with more room reports no more violations.", version),
         "the same, when all pods hold the same", [](const DirectAnswer& before, const DirectAnswer& after) {
           return after.violations <= before.violations;
         });
  }
}

}  // namespace reprieve::smt
