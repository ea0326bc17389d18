#include "reprieve/smt/theorems/by_budget.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

Bool charged_to(const direct::Budgets& budgets, const Bools& who, std::size_t pod, std::size_t budget) {
  return all_of(who[pod], budgets.selects[pod][budget], no(budgets.disrupted[pod][budget]));
}

Bool is_uncharged(const direct::Budgets& budgets, const Bools& who, std::size_t pod) {
  Bools nowhere = {who[pod]};
  for (std::size_t b = 0; b < budgets.allowed.size(); ++b)
    nowhere.push_back(no(charged_to(budgets, who, pod, b)));
  return all(nowhere);
}

Bools uncharged(const direct::Budgets& budgets, const Bools& who) {
  Bools result;
  for (std::size_t pod = 0; pod < who.size(); ++pod) result.push_back(is_uncharged(budgets, who, pod));
  return result;
}

Bools charged(const direct::Budgets& budgets, const Bools& who, std::size_t budget) {
  Bools result;
  for (std::size_t pod = 0; pod < who.size(); ++pod) result.push_back(charged_to(budgets, who, pod, budget));
  return result;
}

}  // namespace

CountedByBudget count_by_budget(World& world, const direct::Budgets& budgets, const Bools& who) {
  const std::size_t pods = who.size();
  const Bools violating = direct::violating_among(budgets, who);
  CountedByBudget result{.uncharged = how_many(uncharged(budgets, who))};
  for (std::size_t b = 0; b < budgets.allowed.size(); ++b) {
    const Int allowed = greatest(Int(0), budgets.allowed[b]);
    Bools so_far, beyond;
    for (std::size_t pod = 0; pod < pods; ++pod) {
      so_far.push_back(charged_to(budgets, who, pod, b));
      beyond.push_back(all_of(violating[pod], so_far.back()));
      world.step("of the first pods as many violate a budget as are charged beyond what it allows",
                 how_many(beyond) == greatest(Int(0), minus(how_many(so_far), allowed)));
    }
    result.charged.push_back(how_many(so_far));
    result.violating.push_back(how_many(beyond));
  }
  for (std::size_t pod = 0; pod < pods; ++pod) {
    direct::Ints places = {count(is_uncharged(budgets, who, pod))}, beyond;
    for (std::size_t b = 0; b < budgets.allowed.size(); ++b) {
      const Bool here = charged_to(budgets, who, pod, b);
      places.push_back(count(here));
      beyond.push_back(count(all_of(violating[pod], here)));
    }
    world.step("a pod is charged to one budget or uncharged", count(who[pod]) == total(places));
    world.step("a pod violates one budget or none", count(violating[pod]) == total(beyond));
  }
  world.step("so all pods", how_many(who) == plus(result.uncharged, total(result.charged)));
  world.step("so all violations", how_many(violating) == total(result.violating));
  return result;
}

void show_counts_grow(World& world, const direct::Budgets& budgets, const Bools& some, const Bools& more) {
  world.step("fewer are uncharged", how_many(uncharged(budgets, some)) <= how_many(uncharged(budgets, more)));
  for (std::size_t b = 0; b < budgets.allowed.size(); ++b)
    world.step("fewer are charged",
               how_many(charged(budgets, some, b)) <= how_many(charged(budgets, more, b)));
}

}  // namespace reprieve::smt
