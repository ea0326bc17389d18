// The table that `./dev bench` prints: ratios within the run, growth, and counts.
#pragma once

#include <string>

#include "reprieve/bench/benchmarks.h"
#include "reprieve/bench/results.h"

namespace reprieve::bench {

/// Sections for what was measured; what was not is left out. Times are the least of the repetitions.
std::string to_table(const Plan& plan, const Results& results);

/// Of a decision that looks at all nodes, by the name of its workload: at most so many floors, or 0 for none
/// stated.
double most_floors(std::string_view row, int pods_per_node, bool swept);

}  // namespace reprieve::bench
