// Big clusters that are hard in a chosen way, for measuring how long a decision takes and how far a search
// for the best victims gets: nearly full nodes of one capacity, one running pod after the other drawn
// alike, pending pods above them all. Realistic clusters come from big.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reprieve/model/cluster.h"

namespace reprieve::generators {

enum class Workload {
  kUniform,           // sizes and ten priorities drawn evenly; half the pods under a budget, most allow some
  kHeavyTailed,       // most pods small, few very large
  kExhaustedBudgets,  // every pod under a budget that allows nothing
  kFourPriorities,    // as uniform, with four priorities
  kEqualSizes,        // pods of one size and one priority, half of them under budgets that allow nothing
  kAntiCorrelated,    // one priority; what has much CPU has little memory
  kKnapsackHard,      // a priority for each pod that grows with its size, in a narrow range of sizes
  kOverlapping,       // three budgets over most pods, that allow 0 to 3
  kOneGoodNode,       // as uniform without budgets, but one node's pods are the least important by far
  kNothingHelps,      // four fifths of each node is above the pending pods: from half a node on, no room
  kIdenticalNodes,    // all nodes alike to the byte, names aside: a total tie
  kSpreadAntiAffinity,  // as uniform in ten zones; pending pods spread over these and repel their own app
};

inline constexpr std::array kWorkloads = {
    Workload::kUniform,        Workload::kHeavyTailed,    Workload::kExhaustedBudgets,
    Workload::kFourPriorities, Workload::kEqualSizes,     Workload::kAntiCorrelated,
    Workload::kKnapsackHard,   Workload::kOverlapping,    Workload::kOneGoodNode,
    Workload::kNothingHelps,   Workload::kIdenticalNodes, Workload::kSpreadAntiAffinity};

std::string_view to_string(Workload workload);  // "uniform", "heavy-tailed", ...
std::optional<Workload> parse_workload(std::string_view name);

struct WorkloadSettings {
  Workload workload = Workload::kUniform;
  std::uint64_t seed = 1;
  std::int32_t nodes = 5000;
  std::int32_t pods_per_node = 30;
  std::int32_t budgets = 200;
  std::int32_t pending = 1000;  // "default/pending-K"
  // Their request, in percent of a node's CPU and, drawn apart, of its memory.
  std::int32_t least_percent = 10;
  std::int32_t most_percent = 60;
};

/// The same settings make the same cluster everywhere.
Cluster workload_cluster(const WorkloadSettings& settings);

/// More pods that ask, for the same cluster: as its pending ones, of other sizes if the settings say so, and
/// named "default/PREFIX-K".
std::vector<Pod> more_pending(const WorkloadSettings& settings, std::string_view prefix);

}  // namespace reprieve::generators
