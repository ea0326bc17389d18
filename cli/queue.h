// Which pods a scheduler would try, and in which order.
#pragma once

#include <cstddef>
#include <vector>

#include "reprieve/model/cluster.h"

namespace reprieve::cli {

/// Indices into cluster.pods of the pending pods of the default scheduler that are neither gated
/// nor terminating: highest priority first, then oldest, then by name. Upstream breaks ties of
/// priority by the time a pod was enqueued, which no manifest holds; its creation time comes
/// nearest, and a pod without one comes last.
/// Source: pkg/scheduler/framework/plugins/queuesort/priority_sort.go, schedulinggates.
std::vector<std::size_t> scheduling_queue(const Cluster& cluster);

}  // namespace reprieve::cli
