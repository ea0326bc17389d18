// The benchmarks, as Google Benchmark runs them, and what is run: which operations, on what, at which sizes.
#pragma once

#include <string>
#include <vector>

#include "reprieve/bench/results.h"
#include "reprieve/bench/scene.h"

namespace reprieve::bench {

/// What a run covers.
struct Plan {
  std::vector<int> named_pods = {30, 110};             // pods on each node, for the table of workloads
  std::vector<int> swept_pods = {30, 110};             // and of preemptors' sizes
  int nodes = 5000;                                    // of these
  std::vector<int> growth = {100, 1000, 5000, 50000};  // nodes, at 30 pods each
  bool bursts = true;
  double seconds = 0.02;  // of each repetition, at least
  int repetitions = 9;
};

/// Registers the plan's benchmarks.
void register_benchmarks(const Plan& plan);

/// Runs what is registered and adds it to `results`, with progress on standard error. The error says why
/// a benchmark gave up; empty: none did.
std::string run_benchmarks(Results& results);

}  // namespace reprieve::bench
