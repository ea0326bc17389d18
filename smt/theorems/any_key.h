// Keys of a candidate for theorems about the levels: the rules' words and the engine's, side by side.
#pragma once

#include <cstdint>
#include <string>

#include "reprieve/engine/selection.h"
#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {

inline constexpr std::int64_t kFirstStart = -(std::int64_t{1} << 62), kLastStart = std::int64_t{1} << 62;

struct AnyKey {
  direct::Levels levels;
  engine::Key<Int> key;
};

/// With the same key as the engine tells it; asks whether there is a start.
AnyKey with_engine_key(const direct::Levels& levels);

/// A start time, or the latest of all numbers for a missing one.
Int any_start(World& world, const std::string& name);

/// The key of the best node so far, whatever it is: "best.violations", ... up to these.
struct MostOfAKey {
  std::int64_t violations, priority_sum, victim_count;
};
AnyKey any_best(World& world, const MostOfAKey& most);

}  // namespace reprieve::smt
