// bench: times the engine beside the floor, the reference and the real kube-scheduler, and prints ratios.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "reprieve/bench/agreement.h"
#include "reprieve/bench/benchmarks.h"
#include "reprieve/bench/burst.h"
#include "reprieve/bench/chart.h"
#include "reprieve/bench/instructions.h"
#include "reprieve/bench/kube_scheduler.h"
#include "reprieve/bench/table.h"

namespace {

using namespace reprieve;
using namespace reprieve::bench;

constexpr int kSampledNodes = 60;  // for the reference, which is slow
constexpr std::size_t kSampledAskers = 3;

struct Options {
  bool quick = false;
  bool no_kube_scheduler = false;
  bool no_instructions = false;
  std::string filter;
  std::string folder = "build/bench";
  Plan plan;
};

/// Nothing is timed that decides otherwise than the reference, or otherwise after updates than anew.
bool decides_right(const Plan& plan) {
  std::vector<Setup> setups = named_setups(plan.nodes, 30);
  for (const std::vector<Setup>& more : {swept_setups(plan.nodes, 30), growing_setups(plan.nodes)})
    setups.insert(setups.end(), more.begin(), more.end());
  for (const Setup& setup : setups) {
    const std::string wrong = disagreement(setup, kSampledNodes, kSampledAskers);
    if (wrong.empty()) continue;
    fmt::print(stderr, "error: the engine differs from the reference: {}\n", wrong);
    return false;
  }
  for (const int budgets : {0, 20}) {
    for (const Applied applied : {Applied::kNominated, Applied::kBound}) {
      const Setup setup = setup_of(generators::Workload::kUniform, kSampledNodes, 30, budgets, {});
      const std::string wrong = burst_disagreement(setup, 50, 30, applied, 1);
      if (wrong.empty()) continue;
      fmt::print(stderr, "error: {}\n", wrong);
      return false;
    }
  }
  fmt::print(stderr, "decides as the reference does: {} clusters of {} nodes; bursts as when rebuilt\n",
             setups.size(), kSampledNodes);
  return true;
}

bool ask_kube_scheduler(const Options& options, Results& results) {
  const std::string program = kube_scheduler_program();
  if (options.no_kube_scheduler) return true;
  if (program.empty()) {
    fmt::print(stderr, "SKIPPED: the real kube-scheduler is not built (./dev kube-scheduler)\n");
    return true;
  }
  for (const Setup& setup : named_setups(options.plan.nodes, 30)) {
    const bool constrained = setup.settings.workload == generators::Workload::kSpreadAntiAffinity;
    const bool uniform = setup.settings.workload == generators::Workload::kUniform;
    if (!constrained && !uniform) continue;
    if (options.quick && setup.settings.budgets > 0) continue;
    Scene scene = *make_scene(setup);
    Case question{.name = setup.name,
                  .cluster = std::move(scene.cluster),
                  .preemptor = scene.askers.front().front(),
                  .policy = scene.policy,
                  .extenders = {}};
    // 200 budgets take half a minute a time.
    const int repetitions = setup.settings.budgets >= 200 ? 1 : setup.settings.budgets > 0 ? 3 : 5;
    const auto timing = time_kube_scheduler(program, question, repetitions, options.folder);
    if (!timing) {
      fmt::print(stderr, "error: {}\n", timing.error());
      return false;
    }
    const Decision ours = decide(question, engine::Depth::kAnswer);
    const bool same =
        ours.outcome == timing->decision.outcome && ours.nominated == timing->decision.nominated;
    if (!same) {
      fmt::print(stderr, "error: {}: kube-scheduler decides otherwise on {} nodes\n", setup.name,
                 setup.settings.nodes);
      return false;
    }
    const auto add = [&](const char* operation, const std::vector<std::int64_t>& times) {
      Result result{.operation = operation,
                    .row = setup.name,
                    .percent = 0,
                    .nodes = setup.settings.nodes,
                    .pods_per_node = setup.settings.pods_per_node,
                    .each_ns = {times.begin(), times.end()},
                    .counts = {{"candidates", static_cast<double>(timing->candidates)}}};
      fmt::print(stderr, "  {:<58} {:>14.3f} us\n", fmt::format("{}/{}", operation, setup.name),
                 result.median_ns() / 1e3);
      results.add(std::move(result));
    };
    add("kube-scheduler, 1 worker", timing->one_worker_ns);
    add("kube-scheduler, 16 workers", timing->sixteen_workers_ns);
  }
  return true;
}

bool write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (!out) fmt::print(stderr, "error: {}: cannot be written\n", file.string());
  return static_cast<bool>(out);
}

int run(Options& options) {
  Plan& plan = options.plan;
  if (options.quick) {
    plan.named_pods = {30};
    plan.swept_pods = {};
    plan.repetitions = 5;
  }
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  if (!decides_right(plan)) return 1;
  Results results;
  register_benchmarks(plan);
  const std::string failure = run_benchmarks(results);
  if (!failure.empty()) fmt::print(stderr, "error: {}\n", failure);
  const bool asked = options.filter.empty() ? ask_kube_scheduler(options, results) : true;
  if (!options.no_instructions) count_instructions(plan, options.folder, results);
  const std::string table = to_table(plan, results);
  fmt::print("{}", table);
  const std::filesystem::path folder = options.folder;
  const std::map<std::string, std::string> about = {
      {"policy", "kubernetes-1.37"}, {"time", "processor time of one thread; kube-scheduler: elapsed time"}};
  const bool written = write(folder / "table.txt", table) &&
                       write(folder / "bench.json", results.to_json(about)) &&
                       write(folder / "chart.svg", to_svg(panels_of(plan, results)));
  if (written) fmt::print("\n{0}/table.txt, {0}/bench.json, {0}/chart.svg\n", options.folder);
  return failure.empty() && asked && written ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times the engine beside the floor, the reference and the real kube-scheduler."};
  Options options;
  app.add_flag("--quick", options.quick, "A minute: one size, no sweep");
  app.add_flag("--no-kube-scheduler", options.no_kube_scheduler, "Do not ask the real kube-scheduler");
  app.add_flag("--no-instructions", options.no_instructions, "Do not count instructions under valgrind");
  app.add_option("--filter", options.filter, "Only benchmarks whose name matches this expression");
  app.add_option("--nodes", options.plan.nodes, "Nodes of the tables that have one size")
      ->check(CLI::Range(100, 100'000));
  app.add_option("--growth", options.plan.growth, "Numbers of nodes, ascending, to see how each grows")
      ->delimiter(',');
  app.add_option("--named-pods", options.plan.named_pods, "Pods on each node, of the workloads")
      ->delimiter(',');
  app.add_option("--swept-pods", options.plan.swept_pods, "Pods on each node, of the sweep")->delimiter(',');
  app.add_option("--repetitions", options.plan.repetitions, "Of each benchmark")->check(CLI::Range(1, 1000));
  app.add_option("--folder", options.folder, "Where the results are written");
  CLI11_PARSE(app, argc, argv);
  if (options.quick && app.count("--growth") == 0) options.plan.growth = {1000, 5000};
  std::vector<std::string> arguments = {argv[0]};
  if (!options.filter.empty()) arguments.push_back("--benchmark_filter=" + options.filter);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  return run(options);
}
