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
           if (release == Release::k1_37 && !contrast) {
             for (const Bools& selects : question.budgets.selects) world.assume(how_many(selects) <= 1);
           }
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
                  .nightly = {.pods = 6, .resources = 1, .budgets = 2},
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
                      for (std::size_t p = 0; p < question.pods(); ++p) {
                        world.assume(question.resources.held[p][0] == question.resources.held[0][0]);
                        for (std::size_t b = 1; b < question.budgets.allowed.size(); ++b)
                          world.assume(no(question.budgets.selects[p][b]));
                      }
                    }
                    world.claim("no more", answer(more).violations <= answer(question).violations);
                  }});
    const auto room = [&](std::string name, std::string sentence, std::string contrast_text, auto claim) {
      to.push_back({.name = fmt::format("{}-{}", name, version),
                    .sentence = std::move(sentence),
                    .formal = "allocatable <= allocatable' implies the same of the answers",
                    .about = about,
                    .quick = {.pods = 4, .resources = 1, .budgets = 1},
                    .usual = {.pods = 4, .resources = 1, .budgets = 2},
                    .nightly = {.pods = 5, .resources = 2, .budgets = 2},
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
                      if (contrast) {
                        for (const direct::Ints& held : question.resources.held) {
                          for (std::size_t r = 0; r < held.size(); ++r)
                            world.assume(held[r] == question.resources.held[0][r]);
                        }
                      }
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
