#include "reprieve/smt/direct/selection.h"

namespace reprieve::smt::direct {
namespace {

constexpr std::int64_t kShift = std::int64_t{1} << 31;

// charged[pod][budget] and exceeded[pod][budget]: the pod is charged to the budget, and takes it below
// zero. Under untilViolated a pod that exceeded an earlier budget is charged to no later one.
struct Charges {
  std::vector<Bools> charged, exceeded;
};

Charges charge(const Budgets& budgets, const Bools& who) {
  Charges charges;
  for (std::size_t pod = 0; pod < who.size(); ++pod) {
    Bools charged, exceeded;
    for (std::size_t budget = 0; budget < budgets.allowed.size(); ++budget) {
      Bool here = all_of(who[pod], budgets.selects[pod][budget], no(budgets.disrupted[pod][budget]));
      if (budgets.charging == Charging::kUntilViolated) here = all_of(here, no(any(exceeded)));
      Bools so_far;
      for (std::size_t before = 0; before < pod; ++before) so_far.push_back(charges.charged[before][budget]);
      so_far.push_back(here);
      charged.push_back(here);
      exceeded.push_back(all_of(here, how_many(so_far) > budgets.allowed[budget]));
    }
    charges.charged.push_back(charged);
    charges.exceeded.push_back(exceeded);
  }
  return charges;
}

}  // namespace

Bools violating_among(const Budgets& budgets, const Bools& victims) {
  Bools result;
  for (const Bools& exceeded : charge(budgets, victims).exceeded) result.push_back(any(exceeded));
  return result;
}

Bools violating(const Budgets& budgets) {
  return violating_among(budgets, Bools(budgets.selects.size(), Bool(true)));
}

Bools evicted(const Bools& violating, const Fits& fits) {
  const std::size_t pods = violating.size();
  Bools kept(pods, Bool(false));
  // First who is spared if violating; then who is spared if not, beside those.
  for (const bool group : {true, false}) {
    for (std::size_t pod = 0; pod < pods; ++pod) {
      const Bool turn = group ? violating[pod] : no(violating[pod]);
      Bools with = kept;
      with[pod] = Bool(true);
      kept[pod] = choose(turn, fits(with), kept[pod]);
    }
  }
  Bools result;
  for (const Bool& each : kept) result.push_back(no(each));
  return result;
}

Int both(const Bools& a, const Bools& b) {
  Bools result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(all_of(a[i], b[i]));
  return how_many(result);
}

Bool fits(const Resources& resources, const Bools& kept) {
  Bools conditions;
  for (std::size_t resource = 0; resource < resources.asked.size(); ++resource) {
    Ints used = {resources.asked[resource], resources.others[resource]};
    for (std::size_t pod = 0; pod < kept.size(); ++pod)
      used.push_back(choose(kept[pod], resources.held[pod][resource], Int(0)));
    const Int without = total(used);
    const Int with = plus(without, resources.nominated[resource]);
    const Int room = resources.allocatable[resource];
    // A resource of which nothing is asked is not looked at.
    conditions.push_back(any_of(resources.asked[resource] <= 0, all_of(without <= room, with <= room)));
  }
  return all(conditions);
}

Levels levels(const std::vector<Pod>& pods, const Bools& victims, Int violations) {
  Levels result{.violations = violations};
  Ints shifted;
  for (std::size_t i = 0; i < pods.size(); ++i)
    shifted.push_back(choose(victims[i], plus(pods[i].priority, Int(kShift)), Int(0)));
  result.priority_sum = total(shifted);
  result.victim_count = how_many(victims);
  // The highest: the priority of a victim above whom there is none.
  const auto is_top = [&](std::size_t i) {
    Bools conditions = {victims[i]};
    for (std::size_t j = 0; j < pods.size(); ++j)
      conditions.push_back(implies(victims[j], pods[j].priority <= pods[i].priority));
    return all(conditions);
  };
  Bools given;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const Bool top = is_top(i);
    result.highest_priority = choose(top, pods[i].priority, result.highest_priority);
    given.push_back(all_of(top, pods[i].start_given));
  }
  result.start_given = any(given);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    Bools earliest = {given[i]};
    for (std::size_t j = 0; j < pods.size(); ++j)
      earliest.push_back(implies(given[j], pods[i].start <= pods[j].start));
    result.earliest_start = choose(all(earliest), pods[i].start, result.earliest_start);
  }
  return result;
}

Bool better(const Levels& a, const Levels& b, NodeCriterion criterion) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return a.violations < b.violations;
    case NodeCriterion::kHighestPriority: return a.highest_priority < b.highest_priority;
    case NodeCriterion::kPrioritySum: return a.priority_sum < b.priority_sum;
    case NodeCriterion::kVictimCount: return a.victim_count < b.victim_count;
    case NodeCriterion::kLatestStart:
      // "Now" is later than every start that is given.
      return all_of(b.start_given, any_of(no(a.start_given), a.earliest_start > b.earliest_start));
    default: return Bool(false);
  }
}

Bool better(const Levels& a, const Levels& b, const std::vector<NodeCriterion>& order) {
  Bool result(false);
  for (auto criterion = order.rbegin(); criterion != order.rend(); ++criterion) {
    result = any_of(better(a, b, *criterion), all_of(no(better(b, a, *criterion)), result));
  }
  return result;
}

}  // namespace reprieve::smt::direct
