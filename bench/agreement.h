// Before anything is timed: does the engine decide as the reference does?
#pragma once

#include <string>

#include "reprieve/bench/scene.h"

namespace reprieve::bench {

/// Decides the first `preemptors` askers of each size, on the same workload with `nodes` nodes (the reference
/// takes its time), with both, and says how they differ: the outcome, the tie, and the chosen node's victims
/// and key. Empty: they agree.
std::string disagreement(const Setup& setup, int nodes, std::size_t preemptors);

/// How two decisions differ in what depth answer tells; empty when they do not.
std::string answer_difference(const Decision& one, const Decision& other);

}  // namespace reprieve::bench
