#include "reprieve/smt/theorems/question.h"

#include <fmt/format.h>

namespace reprieve::smt {

std::string resource_name(std::size_t resource) {
  return resource == 0 ? "cpu" : resource == 1 ? "memory" : fmt::format("gpu{}", resource - 1);
}

std::int64_t some(World& world, const std::string& name, std::int64_t most) {
  // A variable of a name has one range.
  const Int number = world.integer(fmt::format("{}.up.to{}", name, most), 0, most);
  std::int64_t value = 0;
  while (value < most && !static_cast<bool>(number == Int(value))) ++value;
  return value;
}

direct::Bools some_pods(World& world, const std::string& name, int pods) {
  direct::Bools set;
  for (int pod = 1; pod <= pods; ++pod) set.push_back(world.boolean(fmt::format("{}{}", name, pod)));
  return set;
}

Int total_of(std::span<const Bool> set, std::span<const Int> values) {
  direct::Ints parts;
  for (std::size_t i = 0; i < set.size(); ++i) parts.push_back(choose(set[i], values[i], Int(0)));
  return total(parts);
}

Bool in_order(const direct::Pod& before, const direct::Pod& pod) {
  const Bool not_later = any_of(no(pod.start_given), all_of(before.start_given, before.start <= pod.start));
  return any_of(before.priority > pod.priority, all_of(before.priority == pod.priority, not_later));
}

Question ask(World& world, const Bounds& bounds, Charging charging, const QuestionOptions& options,
             const std::string& prefix) {
  Question question;
  question.budgets.charging = charging;
  const auto amount = [&](const std::string& name) { return world.integer(name, 0, kMostOfAResource); };
  for (int pod = 1; pod <= bounds.pods; ++pod) {
    direct::Bools selects, disrupted;
    for (int budget = 1; budget <= bounds.budgets; ++budget) {
      selects.push_back(world.boolean(fmt::format("{}pod{}.in.budget{}", prefix, pod, budget)));
      disrupted.push_back(options.disrupted
                              ? world.boolean(fmt::format("{}pod{}.disrupted.budget{}", prefix, pod, budget))
                              : Bool(false));
    }
    question.budgets.selects.push_back(selects);
    question.budgets.disrupted.push_back(disrupted);
    direct::Ints held;
    for (int resource = 0; resource < bounds.resources; ++resource)
      held.push_back(amount(fmt::format("{}pod{}.{}", prefix, pod, resource_name(resource))));
    question.resources.held.push_back(held);
  }
  // The allowance of a budget is shared by all nodes.
  for (int budget = 1; budget <= bounds.budgets; ++budget)
    question.budgets.allowed.push_back(world.integer(fmt::format("budget{}.allowed", budget), 0, kMostInt32));
  for (int resource = 0; resource < bounds.resources; ++resource) {
    const std::string name = resource_name(resource);
    question.resources.asked.push_back(amount("preemptor." + name));
    question.resources.allocatable.push_back(amount(prefix + "node." + name));
    question.resources.others.push_back(options.nominated ? amount(prefix + "others." + name) : Int(0));
    question.resources.nominated.push_back(options.nominated ? amount(prefix + "nominated." + name) : Int(0));
  }
  return question;
}

void assume_tried(World& world, const Question& question) {
  world.assume(no(direct::fits(question.resources, direct::Bools(question.pods(), Bool(true)))));
  // Above allocatable the node is unresolvable.
  for (std::size_t resource = 0; resource < question.resources.asked.size(); ++resource)
    world.assume(question.resources.asked[resource] <= question.resources.allocatable[resource]);
}

void assume_candidate(World& world, const Question& question) {
  assume_tried(world, question);
  world.assume(direct::fits(question.resources, direct::Bools(question.pods(), Bool(false))));
}

void assume_one_budget_each(World& world, const Question& question) {
  for (const direct::Bools& selects : question.budgets.selects) world.assume(how_many(selects) <= 1);
}

void assume_equal_sizes(World& world, const Question& question) {
  for (const direct::Ints& held : question.resources.held) {
    for (std::size_t r = 0; r < held.size(); ++r) world.assume(held[r] == question.resources.held[0][r]);
  }
}

Int lacking(const Question& question, std::size_t resource) {
  direct::Ints used = {question.resources.asked[resource], question.resources.others[resource]};
  for (const direct::Ints& held : question.resources.held) used.push_back(held[resource]);
  return minus(total(used), question.resources.allocatable[resource]);
}

Question without_first_budget(Question question) {
  for (direct::Bools& selects : question.budgets.selects) selects.front() = Bool(false);
  return question;
}

void prefer_small(World& world, const Question& question) {
  for (std::size_t pod = 0; pod < question.pods(); ++pod) {
    for (const Bool& selects : question.budgets.selects[pod]) world.minimise(count(selects));
    for (const Int& held : question.resources.held[pod]) world.minimise(held);
  }
  for (const Int& allowed : question.budgets.allowed) world.minimise(allowed);
  for (const direct::Ints* list : {&question.resources.asked, &question.resources.allocatable,
                                   &question.resources.others, &question.resources.nominated}) {
    for (const Int& each : *list) world.minimise(each);
  }
}

DirectAnswer answer(const Question& question) {
  DirectAnswer result;
  result.violating = direct::violating(question.budgets);
  result.evicted = direct::evicted(result.violating, question.fits());
  result.violations = direct::both(result.violating, result.evicted);
  return result;
}

}  // namespace reprieve::smt
