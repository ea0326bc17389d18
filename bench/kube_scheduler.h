// The real kube-scheduler on the same nodes in the same run: its own dry run and choice, timed inside the
// process that has them (subjects/kube-scheduler/README.md, "timing").
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::bench {

struct KubeSchedulerTiming {
  std::int64_t potential_nodes = 0;
  std::int64_t candidates = 0;
  std::vector<std::int64_t> one_worker_ns;       // DryRunPreemption and SelectCandidate, each repetition
  std::vector<std::int64_t> sixteen_workers_ns;  // kube-scheduler's default, on all processors
  Decision decision;
};

/// Path of the program kube-scheduler-1.37; empty when it is not built. REPRIEVE_KUBE_SCHEDULER_DIR comes
/// first, then build/kube-scheduler.
std::string kube_scheduler_program();

/// Asks `program` to decide and to repeat the dry run. The request, one line of up to hundreds of
/// megabytes, goes through a file in `folder`, which is removed again.
std::expected<KubeSchedulerTiming, std::string> time_kube_scheduler(const std::string& program,
                                                                    const Case& question, int repetitions,
                                                                    const std::string& folder);

}  // namespace reprieve::bench
