// What is measured: a workload of a size, as a cluster, its snapshot and the pods that ask.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/engine/snapshot.h"
#include "reprieve/model/cluster.h"
#include "reprieve/model/policy.h"
#include "reprieve/properties/generators/workloads.h"

namespace reprieve::bench {

/// How many pods ask in turn: each has a size of its own, near to the others', so that a decision is not
/// the one that was just made.
inline constexpr int kAskers = 32;

/// A cluster to measure on, and how much of a node asks: one row of a table for each entry of `percents`.
struct Setup {
  std::string name;  // "uniform", "uniform, 20 budgets"
  generators::WorkloadSettings settings;
  std::vector<int> percents;  // kAskers preemptors each, of so much of a node, give or take one percent
  bool trace = false;         // the GPU cluster of REPRIEVE_TRACE instead; `settings` is not looked at
};

/// A workload at a size, without pending pods of its own.
Setup setup_of(generators::Workload workload, int nodes, int pods_per_node, int budgets,
               std::vector<int> percents);

/// The rows that every table has, at one size: the named workloads, asked for the usual part of a node.
std::vector<Setup> named_setups(int nodes, int pods_per_node);

/// The preemptor's size from 5 to 90 % of a node, over each workload on which that matters.
std::vector<Setup> swept_setups(int nodes, int pods_per_node);

/// The workloads whose growth with the number of nodes is looked at; the last one has budgets that bind.
std::vector<Setup> growing_setups(int nodes);

/// The GPU cluster of the trace.
Setup trace_setup();

/// A cluster that has been built, with the pods that ask, which are pending pods of it.
struct Scene {
  Setup setup;
  Cluster cluster;
  std::vector<std::vector<std::string>> askers;  // by entry of setup.percents
  Policy policy;
};

/// The error names what cannot be read of the trace; other setups always succeed.
std::expected<Scene, std::string> make_scene(const Setup& setup, Release release = Release::k1_37);

/// Folder of REPRIEVE_TRACE; empty: there is none.
std::string trace_folder();

}  // namespace reprieve::bench
