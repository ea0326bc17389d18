#include "reprieve/bench/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "reprieve/properties/generators/trace.h"

namespace reprieve::bench {
namespace {

using generators::Workload;

constexpr std::uint64_t kTraceSeed = 1;
constexpr int kUsualPercent = 30;

}  // namespace

Setup setup_of(Workload workload, int nodes, int pods_per_node, int budgets, std::vector<int> percents) {
  Setup setup;
  setup.name = to_string(workload);
  setup.settings = {.workload = workload,
                    .seed = 1,
                    .nodes = nodes,
                    .pods_per_node = pods_per_node,
                    .budgets = budgets,
                    .pending = 0};
  setup.percents = std::move(percents);
  return setup;
}

std::vector<Setup> named_setups(int nodes, int pods_per_node) {
  std::vector<Setup> setups;
  for (const int budgets : {0, 20, 200}) {
    setups.push_back(setup_of(Workload::kUniform, nodes, pods_per_node, budgets, {kUsualPercent}));
    setups.back().name = fmt::format("uniform, {} budgets", budgets);
  }
  const auto add = [&](Workload workload, int budgets, int percent = kUsualPercent) {
    setups.push_back(setup_of(workload, nodes, pods_per_node, budgets, {percent}));
  };
  add(Workload::kHeavyTailed, 20);
  add(Workload::kOneGoodNode, 0);
  add(Workload::kNothingHelps, 0, 60);
  add(Workload::kExhaustedBudgets, 20);
  add(Workload::kFourPriorities, 20);
  add(Workload::kEqualSizes, 20);
  add(Workload::kIdenticalNodes, 0);
  add(Workload::kSpreadAntiAffinity, 0);
  return setups;
}

std::vector<Setup> swept_setups(int nodes, int pods_per_node) {
  std::vector<Setup> setups;
  for (const Workload workload :
       {Workload::kUniform, Workload::kHeavyTailed, Workload::kExhaustedBudgets, Workload::kFourPriorities,
        Workload::kEqualSizes, Workload::kIdenticalNodes}) {
    setups.push_back(setup_of(workload, nodes, pods_per_node, 20, {5, 10, 20, 30, 40, 50, 60, 70, 80, 90}));
  }
  return setups;
}

std::vector<Setup> growing_setups(int nodes) {
  std::vector<Setup> setups;
  const auto add_one = [&](Workload workload, int budgets, int percent) {
    setups.push_back(setup_of(workload, nodes, 30, budgets, {percent}));
    setups.back().name = fmt::format("{}, {} budgets", setups.back().name, budgets);
  };
  add_one(Workload::kUniform, 0, 30);
  add_one(Workload::kUniform, 200, 30);
  add_one(Workload::kNothingHelps, 0, 60);
  add_one(Workload::kExhaustedBudgets, 20, 30);
  return setups;
}

Setup trace_setup() {
  Setup setup;
  setup.name = "gpu-trace";
  setup.percents = {0};
  setup.trace = true;
  return setup;
}

std::string trace_folder() {
  const char* folder = std::getenv("REPRIEVE_TRACE");
  return folder == nullptr ? std::string() : folder;
}

namespace {

void add_askers(Scene& scene, std::vector<Pod> pods) {
  auto& names = scene.askers.emplace_back();
  for (Pod& pod : pods) {
    names.push_back(full_name(pod));
    scene.cluster.pods.push_back(std::move(pod));
  }
}

}  // namespace

std::expected<Scene, std::string> make_scene(const Setup& setup, Release release) {
  Scene scene{.setup = setup, .cluster = {}, .askers = {}, .policy = kubernetes_policy(release)};
  if (setup.trace) {
    const auto trace = generators::read_trace(trace_folder());
    if (!trace) return std::unexpected(trace.error());
    scene.cluster = fill(*trace);
    add_askers(scene, draw_preemptors(*trace, kTraceSeed, kAskers));
    return scene;
  }
  scene.cluster = workload_cluster(setup.settings);
  for (const int percent : setup.percents) {
    generators::WorkloadSettings asking = setup.settings;
    asking.pending = kAskers;
    asking.least_percent = percent - 1;
    asking.most_percent = percent + 1;
    add_askers(scene, more_pending(asking, fmt::format("ask-{}", percent)));
  }
  return scene;
}

}  // namespace reprieve::bench
