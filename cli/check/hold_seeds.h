// Cases that are drawn from seeds: the subject against the one that is held to be right, and against every
// law of one decision.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/law_tally.h"
#include "reprieve/cli/check/stage.h"

namespace reprieve::cli {

/// What a stage draws, and how a reader draws it again. Called from several threads.
struct DrawnCases {
  std::string_view stage;
  Seeds seeds;
  std::function<Case(std::uint64_t seed)> draw;
  std::function<std::string(std::uint64_t seed)> repeat;  // the command, of a difference
  std::function<std::string(const laws::Law& law, std::uint64_t seed)> repeat_law;
};

/// How far it came: up to the first case on which the two differ, or the deadline.
struct HeldSeeds {
  StageReport report;  // all but `what` and `laws`
  std::uint64_t done = 0;
  LawTally tally;
};
HeldSeeds hold_seeds(Pair& pair, const CheckOptions& options, const DrawnCases& cases);

}  // namespace reprieve::cli
