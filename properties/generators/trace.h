// A production GPU cluster (Alibaba's cluster-trace-gpu-v2023, "Beware of Fragmentation", USENIX ATC
// 2023) as a Cluster: real machine sizes, real request shapes, real quality-of-service classes.
//
// Input is the trace's two CSV files, openb_node_list_all_node.csv and openb_pod_list_default.csv;
// CPU in millicores, memory in MiB, GPU in thousandths of one device, times in seconds.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/cluster.h"

namespace reprieve::generators {

/// The extended resource that holds gpu_milli x num_gpu. Without it almost nothing needs preemption.
inline constexpr const char* kTraceGpuResource = "alibabacloud.com/gpu-milli";

struct Trace {
  std::vector<Node> nodes;
  std::vector<Pod> pods;  // in order of arrival; pending, with requests, priority and labels
};

/// Reads the two files in `folder`. The error names file and line.
std::expected<Trace, std::string> read_trace(const std::string& folder);

/// Places the trace's pods in order of arrival, each on the first node where it fits (CPU, memory,
/// GPU, pod count, GPU model); what fits nowhere is left out. Each group (same requests and class)
/// gets a budget that allows a tenth of its placed pods to go, rounded down.
Cluster fill(const Trace& trace);

/// Copies of the trace's pods, `count` of them, as pending preemptors named "trace/preemptor-K"; drawn
/// by `seed` from those of a class that has another below it.
std::vector<Pod> draw_preemptors(const Trace& trace, std::uint64_t seed, std::size_t count);

}  // namespace reprieve::generators
