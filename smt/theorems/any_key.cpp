#include "reprieve/smt/theorems/any_key.h"

#include "reprieve/engine/exact/problem.h"

namespace reprieve::smt {

AnyKey with_engine_key(const direct::Levels& levels) {
  return {.levels = levels,
          .key = {.violations = levels.violations,
                  .highest_priority = levels.highest_priority,
                  .priority_sum = levels.priority_sum,
                  .victim_count = levels.victim_count,
                  .earliest_start = {.given = static_cast<bool>(levels.start_given),
                                     .time = levels.earliest_start},
                  .empty = false}};
}

Int any_start(World& world, const std::string& name) {
  return world.integer(name, kFirstStart, engine::exact::kNow);
}

AnyKey any_best(World& world, const MostOfAKey& most) {
  return with_engine_key({.violations = world.integer("best.violations", 0, most.violations),
                          .highest_priority = world.integer("best.highest", kLeastInt32, kMostInt32),
                          .priority_sum = world.integer("best.sum", 0, most.priority_sum),
                          .victim_count = world.integer("best.victims", 1, most.victim_count),
                          .start_given = Bool(true),
                          .earliest_start = any_start(world, "best.start")});
}

}  // namespace reprieve::smt
