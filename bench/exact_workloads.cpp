// How far `victims: exact` gets on large clusters: the share of decisions that are proved, the time and
// the search nodes of one, by workload.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/properties/generators/workloads.h"

namespace {

using namespace reprieve;

struct Options {
  generators::WorkloadSettings settings;
  std::string workload;  // empty: all
  std::uint64_t limit = engine::kSearchLimit;
  bool greedy = false;  // the kubernetes policy, to compare with
  bool each = false;    // print every decision
};

int usage() {
  fmt::print(
      stderr,
      "exact_workloads [--workload NAME] [--nodes N] [--pods N] [--budgets N] [--preemptors N]\n"
      "                [--least PERCENT] [--most PERCENT] [--seed N] [--limit STEPS] [--greedy] [--each]\n");
  return 2;
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--greedy" || name == "--each") {
      (name == "--each" ? options.each : options.greedy) = true;
      continue;
    }
    if (++i == argc) return false;
    const std::string_view text = argv[i];
    if (name == "--workload") {
      options.workload = text;
      if (!generators::parse_workload(text)) return false;
      continue;
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    const auto number = static_cast<std::int32_t>(value);
    generators::WorkloadSettings& settings = options.settings;
    if (name == "--nodes")
      settings.nodes = number;
    else if (name == "--pods")
      settings.pods_per_node = number;
    else if (name == "--budgets")
      settings.budgets = number;
    else if (name == "--preemptors")
      settings.pending = number;
    else if (name == "--least")
      settings.least_percent = number;
    else if (name == "--most")
      settings.most_percent = number;
    else if (name == "--seed")
      settings.seed = value;
    else if (name == "--limit")
      options.limit = value;
    else
      return false;
  }
  return true;
}

/// CPU time of this thread: what other programs do meanwhile does not count.
double now_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

template <class T>
T percentile(std::vector<T> values, double share) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

void run(generators::Workload workload, const Options& options) {
  generators::WorkloadSettings settings = options.settings;
  settings.workload = workload;
  const Cluster cluster = workload_cluster(settings);
  Policy policy;
  policy.charging = Charging::kEveryBudget;
  if (!options.greedy) {
    policy.victims = VictimSearch::kExact;
    policy.violations = ViolationCount::kActual;
  }
  const engine::Snapshot snapshot(cluster, policy.release);
  engine::Workspace workspace;
  std::vector<double> times_ms;
  std::vector<std::uint64_t> steps;
  std::size_t proved = 0, nominated = 0;
  for (int k = 0; k < settings.pending; ++k) {
    const std::string pod = fmt::format("default/pending-{}", k);
    const double start_ms = now_ms();
    const Decision decision = engine::decide(snapshot, pod, policy, {}, engine::Depth::kAnswer, workspace, {},
                                             {.limit = options.limit});
    times_ms.push_back(now_ms() - start_ms);
    steps.push_back(workspace.searched());
    proved += decision.bounded.empty() ? 1 : 0;
    nominated += decision.outcome == Outcome::kNominated ? 1 : 0;
    if (options.each) {
      fmt::print("{} {} {:.3f} ms, {} search nodes", pod, to_string(decision.outcome), times_ms.back(),
                 steps.back());
      if (!decision.nodes.empty()) {
        const CandidateKey& key = *decision.nodes.front().key;
        fmt::print(", {}: {} violations, priority {}, sum {}, {} victims", decision.nominated.front(),
                   key.violations, key.highest_priority, key.priority_sum, key.victim_count);
      }
      for (const Bound& bound : decision.bounded) fmt::print(" {}/{}", bound.found, bound.at_least);
      fmt::print("\n");
    }
  }
  fmt::print("{:<20} {:>9} {:>8.1f} % {:>9.3f} {:>9.3f} {:>9.3f} {:>12} {:>12}\n", to_string(workload),
             nominated, 100.0 * static_cast<double>(proved) / static_cast<double>(settings.pending),
             percentile(times_ms, 0.5), percentile(times_ms, 0.99), percentile(times_ms, 1),
             percentile(steps, 0.5), percentile(steps, 0.99));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options) || options.settings.pending < 1) return usage();
  fmt::print("{} nodes x {} pods, {} budgets, {} preemptors of {} to {} % of a node, seed {}, limit {}\n",
             options.settings.nodes, options.settings.pods_per_node, options.settings.budgets,
             options.settings.pending, options.settings.least_percent, options.settings.most_percent,
             options.settings.seed, options.limit);
  fmt::print("{:<20} {:>9} {:>10} {:>9} {:>9} {:>9} {:>12} {:>12}\n", "workload", "nominated", "proved",
             "p50 ms", "p99 ms", "max ms", "p50 nodes", "p99 nodes");
  for (const generators::Workload workload : generators::kWorkloads) {
    if (options.workload.empty() || to_string(workload) == options.workload) run(workload, options);
  }
}
