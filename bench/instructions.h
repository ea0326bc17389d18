// Instructions of decisions, counted by callgrind: exact, and the same whatever else the machine does.
#pragma once

#include <string>

#include "reprieve/bench/benchmarks.h"
#include "reprieve/bench/results.h"

namespace reprieve::bench {

/// Runs the program `instructions` (beside this one) under valgrind and writes "instructions", and how often
/// the engine's functions were called, into the counts of the results concerned. Says on standard error when
/// it cannot.
void count_instructions(const Plan& plan, const std::string& folder, Results& results);

}  // namespace reprieve::bench
