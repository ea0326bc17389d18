// The program that callgrind looks at: sets up what is measured unseen, and lets it count one operation at a
// time, each in a dump of its name.
//
//   valgrind --tool=callgrind --instr-atstart=no --compress-strings=no --compress-pos=no instructions gate
//
// `gate`: the fixed set of operations that a change is judged by. `named NODES PODS`: a cold decision on each
// workload. `growing NODES`: decisions and updates on the workloads whose growth is looked at.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#if __has_include(<valgrind/callgrind.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <valgrind/callgrind.h>
#define REPRIEVE_COUNT_BEGIN       \
  CALLGRIND_START_INSTRUMENTATION; \
  CALLGRIND_ZERO_STATS
#define REPRIEVE_COUNT_END(name) \
  CALLGRIND_DUMP_STATS_AT(name); \
  CALLGRIND_STOP_INSTRUMENTATION
#else
#define REPRIEVE_COUNT_BEGIN static_cast<void>(0)
#define REPRIEVE_COUNT_END(name) static_cast<void>(name)
#endif

#include "reprieve/bench/burst.h"
#include "reprieve/bench/scene.h"
#include "reprieve/manifest/read.h"
#include "reprieve/properties/generators/big.h"

namespace {

using namespace reprieve;
using namespace reprieve::bench;
using engine::Depth;
using engine::Snapshot;
using engine::Workspace;
using generators::Workload;

/// Counts what `operation` does. It has run before: what is counted is the steady state.
template <class F>
void count(const std::string& name, const F& operation) {
  REPRIEVE_COUNT_BEGIN;
  operation();
  REPRIEVE_COUNT_END(name.c_str());
  fmt::print("{}\n", name);
}

void count_decision(const Setup& setup, Depth depth = Depth::kAnswer, const std::string& prefix = "decide") {
  const Scene scene = *make_scene(setup);
  const Snapshot snapshot(scene.cluster, scene.policy.release);
  Workspace workspace;
  const auto ask = [&](std::size_t asker) {
    (void)decide(snapshot, scene.askers.front()[asker], scene.policy, {}, depth, workspace);
  };
  for (std::size_t k = 2; k < 6; ++k) ask(k);
  count(prefix + "|" + setup.name, [&] { ask(1); });
}

void count_updates(const Setup& setup, bool several) {
  Scene scene = *make_scene(setup);
  Snapshot snapshot(scene.cluster, scene.policy.release);
  Workspace workspace;
  const auto ask = [&] {
    (void)decide(snapshot, scene.askers.front().front(), scene.policy, {}, Depth::kAnswer, workspace);
  };
  ask();
  const std::size_t half = scene.cluster.nodes.size() / 2;
  Pod& pod = scene.cluster.pods[half * static_cast<std::size_t>(setup.settings.pods_per_node)];
  Node& node = scene.cluster.nodes[half];
  DisruptionBudget& budget = scene.cluster.budgets.front();
  const auto change_pod = [&] {
    pod.priority ^= 1;
    snapshot.set_pod(pod);
  };
  const auto change_node = [&] {
    node.allocatable["cpu"].units ^= 1;
    snapshot.set_node(node);
  };
  const auto change_budget = [&] {
    budget.disruptions_allowed ^= 1;
    snapshot.set_budget(budget);
  };
  const int times = several ? 20 : 1;
  const auto count_change = [&](const char* name, const auto& change) {
    change();
    ask();
    count(fmt::format("{}|{}", name, setup.name), [&] {
      for (int k = 0; k < times; ++k) change();
    });
    ask();
  };
  count_change("set_pod", change_pod);
  count_change("set_node", change_node);
  count_change("set_budget", change_budget);
  change_pod();
  count("set_pod and decide|" + setup.name, [&] {
    change_pod();
    ask();
  });
}

void count_gate() {
  constexpr int kNodes = 500;
  for (const Setup& setup : named_setups(kNodes, 30)) count_decision(setup);
  for (const int percent : {5, 60, 90}) {
    Setup setup = setup_of(Workload::kFourPriorities, kNodes, 30, 20, {percent});
    setup.name += fmt::format(" {} %", percent);
    count_decision(setup);
  }
  count_decision(setup_of(Workload::kUniform, 100, 30, 20, {30}), Depth::kFull, "decide, full");
  {
    const Scene scene = *make_scene(setup_of(Workload::kUniform, 50, 30, 20, {30}));
    const Snapshot snapshot(scene.cluster, scene.policy.release);
    Policy exact = scene.policy;
    exact.charging = Charging::kEveryBudget;
    exact.victims = VictimSearch::kExact;
    exact.violations = ViolationCount::kActual;
    Workspace workspace;
    const auto ask = [&](std::size_t asker) {
      (void)decide(snapshot, scene.askers.front()[asker], exact, {}, Depth::kAnswer, workspace);
    };
    ask(0);
    count("decide, exact|uniform", [&] { ask(1); });
  }
  const Setup updated = setup_of(Workload::kUniform, 100, 30, 20, {30});
  count_updates(updated, true);
  for (const Applied applied : {Applied::kNominated, Applied::kBound}) {
    Burst burst(updated, 40, 30, applied);
    for (int k = 0; k < 20; ++k) burst.step();
    count(applied == Applied::kBound ? "burst of 20, bound|uniform" : "burst of 20, nominated|uniform", [&] {
      for (int k = 0; k < 20; ++k) burst.step();
    });
  }
  {
    const Scene scene = *make_scene(updated);
    count("build the snapshot|uniform",
          [&] { const Snapshot snapshot(scene.cluster, scene.policy.release); });
  }
  std::ostringstream dump;
  generators::write_kubectl_dump(generators::big_cluster({.nodes = 10, .pods_per_node = 10, .budgets = 5}),
                                 dump);
  const std::string text = dump.str();
  (void)manifest::read_text(text, "dump.json");
  count("read the manifest|kubectl", [&] { (void)manifest::read_text(text, "dump.json"); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "gate" && argc == 2) {
    count_gate();
  } else if (what == "named" && argc == 4) {
    for (const Setup& setup : named_setups(std::atoi(argv[2]), std::atoi(argv[3]))) count_decision(setup);
  } else if (what == "growing" && argc == 3) {
    const std::vector<Setup> setups = growing_setups(std::atoi(argv[2]));
    for (const Setup& setup : setups) count_decision(setup);
    count_updates(setups.back(), false);
  } else {
    fmt::print(stderr, "instructions gate | named NODES PODS | growing NODES\n");
    return 2;
  }
  return 0;
}
