#include "reprieve/bench/benchmarks.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "reprieve/bench/allocations.h"
#include "reprieve/bench/burst.h"
#include "reprieve/bench/floor.h"
#include "reprieve/engine/decide.h"
#include "reprieve/marks/mark.h"
#include "reprieve/reference/decide.h"

namespace reprieve::bench {
namespace {

using engine::Depth;
using generators::Workload;

constexpr int kBurst = 1000;
constexpr int kBurstPercent = 30;

/// A scene with its snapshot. Benchmarks of one setup follow each other, so the last one is kept.
struct Built {
  Scene scene;
  engine::Snapshot snapshot;
  engine::Workspace workspace;

  explicit Built(Scene s) : scene(std::move(s)), snapshot(scene.cluster, scene.policy.release) {}
};

class Stage {
 public:
  /// Null, with the error in `error`, when the setup cannot be built.
  std::shared_ptr<Built> get(const Setup& setup, std::string& error) {
    const std::string key = fmt::format("{}|{}|{}|{}", setup.name, setup.settings.nodes,
                                        setup.settings.pods_per_node, setup.settings.budgets);
    if (key == key_ && built_) return built_;
    clear();
    auto scene = make_scene(setup);
    if (!scene) {
      error = scene.error();
      return nullptr;
    }
    key_ = key;
    return built_ = std::make_shared<Built>(*std::move(scene));
  }

  Burst& get_burst(const Setup& setup, Applied applied) {
    const std::string key = fmt::format("burst|{}|{}", setup.name, static_cast<int>(applied));
    if (key != key_ || !burst_) {
      clear();
      key_ = key;
      burst_ = std::make_unique<Burst>(setup, kBurst, kBurstPercent, applied);
    }
    return *burst_;
  }

  void clear() {
    built_.reset();
    burst_.reset();
  }

 private:
  std::string key_;
  std::shared_ptr<Built> built_;
  std::unique_ptr<Burst> burst_;
};

Stage& stage() {
  static Stage only;
  return only;
}

using Body = std::function<void(benchmark::State&, Result&)>;

/// The results that benchmarks fill in, by the name under which each is registered.
std::map<std::string, Result>& registered() {
  static std::map<std::string, Result> all;
  return all;
}

void add(const Plan& plan, Result result, Body body, bool once = false) {
  const std::string name = fmt::format("{}/{}{}/{}x{}", result.operation, result.row,
                                       result.percent == 0 ? "" : fmt::format(" {} %", result.percent),
                                       result.nodes, result.pods_per_node);
  Result* into = &registered().insert_or_assign(name, std::move(result)).first->second;
  auto* made = benchmark::RegisterBenchmark(
      name.c_str(), [into, body = std::move(body)](benchmark::State& state) { body(state, *into); });
  made->Unit(benchmark::kMicrosecond);
  if (once) {
    made->Iterations(1)->Repetitions(3);
  } else {
    made->MinTime(plan.seconds)->Repetitions(plan.repetitions);
  }
}

Result result_of(std::string operation, const Setup& setup, int percent = 0) {
  return {.operation = std::move(operation),
          .row = setup.name,
          .percent = percent,
          .nodes = setup.settings.nodes,
          .pods_per_node = setup.settings.pods_per_node,
          .each_ns = {},
          .counts = {}};
}

/// Runs `body(built)` on the setup's scene, or says why it cannot.
template <class F>
Body on_scene(const Setup& setup, F body) {
  return [setup, body](benchmark::State& state, Result& result) {
    std::string error;
    const std::shared_ptr<Built> built = stage().get(setup, error);
    if (!built) {
      state.SkipWithError(error.c_str());
      return;
    }
    result.nodes = static_cast<int>(built->scene.cluster.nodes.size());
    body(state, result, *built);
  };
}

Decision ask(Built& built, const std::string& preemptor) {
  return decide(built.snapshot, preemptor, built.scene.policy, {}, Depth::kAnswer, built.workspace);
}

/// Allocations, and what the engine's marks tell of: bounds that skip, walks, ...
void count_once(Built& built, const std::vector<std::string>& askers, Result& result) {
  for (const std::string& asker : askers) benchmark::DoNotOptimize(ask(built, asker));  // steady state
  const marks::Counts marks_before = marks::counts();
  const Allocations before = allocations();
  for (const std::string& asker : askers) benchmark::DoNotOptimize(ask(built, asker));
  const Allocations after = allocations();
  const double runs = static_cast<double>(askers.size());
  result.counts["allocations"] = static_cast<double>(after.count - before.count) / runs;
  for (const auto& [name, count] : marks::difference(marks_before, marks::counts())) {
    if (count > 0 && name.starts_with("engine/")) result.counts[name] = static_cast<double>(count) / runs;
  }
}

void add_floor(const Plan& plan, int nodes) {
  Result result;
  result.operation = "floor";
  result.nodes = nodes;
  add(plan, std::move(result), [](benchmark::State& state, Result& into) {
    const Floor floor(static_cast<std::size_t>(into.nodes));
    for (auto _ : state) benchmark::DoNotOptimize(floor.read());
  });
}

/// Of set_pod and set_node on that many nodes, beside which their growth is read.
void add_update_floor(const Plan& plan, int nodes, const char* of, int objects) {
  Result result;
  result.operation = of;
  result.nodes = nodes;
  add(plan, std::move(result), [objects](benchmark::State& state, Result&) {
    UpdateFloor floor(static_cast<std::size_t>(objects));
    for (auto _ : state) {
      floor.write();
      benchmark::ClobberMemory();
    }
  });
}

void add_decisions(const Plan& plan, const Setup& setup) {
  for (std::size_t i = 0; i < setup.percents.size(); ++i) {
    add(plan, result_of("decide", setup, setup.percents[i]),
        on_scene(setup, [i](benchmark::State& state, Result& result, Built& built) {
          const std::vector<std::string>& askers = built.scene.askers[i];
          if (!result.counts.contains("allocations")) count_once(built, askers, result);
          std::size_t at = 0;
          for (auto _ : state) {
            benchmark::DoNotOptimize(ask(built, askers[at]));
            at = at + 1 == askers.size() ? 0 : at + 1;
          }
        }));
  }
}

/// Cycles through objects that are far apart, each set to another value and back again. What is handed over
/// is at hand, as of a watch event that has just been decoded: so many at once are copied, which is not
/// timed.
constexpr std::size_t kAtHand = 64;
template <class Object, class Change, class Set>
Body updates(const Setup& setup, std::vector<Object> Cluster::* objects, Change change, Set set) {
  return on_scene(setup, [objects, change, set](benchmark::State& state, Result&, Built& built) {
    std::vector<Object>& all = built.scene.cluster.*objects;
    const std::size_t count = all.size() - (std::is_same_v<Object, Pod> ? kAskers : 0);
    std::vector<Object> at_hand(kAtHand);
    std::uint64_t k = 0;
    for (auto _ : state) {
      if (k % kAtHand == 0) {
        state.PauseTiming();
        for (std::uint64_t i = 0; i < kAtHand; ++i) {
          Object& each = all[(k + i) * 7919 % count];
          change(each, ((k + i) & 1) != 0 ? 1 : -1);
          at_hand[i] = each;
        }
        state.ResumeTiming();
      }
      set(built.snapshot, at_hand[k++ % kAtHand]);
    }
  });
}

void add_updates(const Plan& plan, const Setup& setup) {
  add(plan, result_of("set_pod", setup),
      updates(
          setup, &Cluster::pods, [](Pod& pod, int by) { pod.priority += by; },
          [](engine::Snapshot& snapshot, const Pod& pod) { snapshot.set_pod(pod); }));
  add(plan, result_of("set_node", setup),
      updates(
          setup, &Cluster::nodes, [](Node& node, int by) { node.allocatable["cpu"].units += by; },
          [](engine::Snapshot& snapshot, const Node& node) { snapshot.set_node(node); }));
  if (setup.settings.budgets == 0) return;
  add(plan, result_of("set_budget", setup),
      updates(
          setup, &Cluster::budgets,
          [](DisruptionBudget& budget, int by) {
            budget.disruptions_allowed = std::max(0, budget.disruptions_allowed + by);
          },
          [](engine::Snapshot& snapshot, const DisruptionBudget& budget) { snapshot.set_budget(budget); }));
  // What an update leaves to the next decision is seen here.
  add(plan, result_of("set_pod and decide", setup),
      on_scene(setup, [](benchmark::State& state, Result&, Built& built) {
        const auto& askers = built.scene.askers.front();
        auto& pods = built.scene.cluster.pods;
        std::uint64_t k = 0;
        for (auto _ : state) {
          Pod& pod = pods[k * 7919 % (pods.size() - kAskers)];
          pod.priority += (k & 1) != 0 ? 1 : -1;
          built.snapshot.set_pod(pod);
          benchmark::DoNotOptimize(ask(built, askers[k++ % askers.size()]));
        }
      }));
}

void add_build(const Plan& plan, const Setup& setup) {
  add(plan, result_of("build the snapshot", setup),
      on_scene(setup,
               [](benchmark::State& state, Result&, Built& built) {
                 for (auto _ : state)
                   benchmark::DoNotOptimize(
                       engine::Snapshot(built.scene.cluster, built.scene.policy.release));
               }),
      true);
}

/// The time of one step, as a mean over a whole burst.
void add_burst(const Plan& plan, const Setup& setup, Applied applied) {
  Result result = result_of(applied == Applied::kBound ? "burst, bound" : "burst, nominated", setup);
  add(
      plan, std::move(result),
      [setup, applied](benchmark::State& state, Result& into) {
        Burst& burst = stage().get_burst(setup, applied);
        // Once to warm up: the steady state is what counts.
        if (!into.counts.contains("victims")) {
          for (int k = 0; k < burst.count(); ++k) burst.step();
          into.counts["victims"] = static_cast<double>(burst.victims()) / kBurst;
        }
        burst.undo();
        for (auto _ : state) {
          for (int k = 0; k < burst.count(); ++k) benchmark::DoNotOptimize(burst.step());
        }
      },
      true);
}

/// While it lives the calling thread stays on the first processor that it may use, and threads that `start`
/// starts on the second: two that happen to share one measure nothing. Of one processor it does nothing.
class Pinned {
 public:
  template <class Start>
  explicit Pinned(Start start) {
    sched_getaffinity(0, sizeof(before_), &before_);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &before_)) cpus_.push_back(cpu);
    }
    if (cpus_.size() > 1) stay_on(cpus_[1]);
    start();
    if (cpus_.size() > 1) stay_on(cpus_[0]);
  }
  ~Pinned() { sched_setaffinity(0, sizeof(before_), &before_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  Pinned(Pinned&&) = delete;
  Pinned& operator=(Pinned&&) = delete;

 private:
  static void stay_on(int cpu) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    sched_setaffinity(0, sizeof(only), &only);
  }

  cpu_set_t before_{};
  std::vector<int> cpus_;
};

/// One decision shared by threads: the time of the thread that asks, waiting included, and how much of what
/// one alone does the busiest of them did.
void add_shared(const Plan& plan, const Setup& setup, unsigned threads) {
  add(plan, result_of(fmt::format("decide, {} thread{}", threads, threads == 1 ? "" : "s"), setup),
      on_scene(setup, [threads](benchmark::State& state, Result& result, Built& built) {
        std::optional<engine::Workspace> kept;
        const Pinned pinned([&] { kept.emplace(threads); });
        engine::Workspace& together = *kept;
        const std::vector<std::string>& askers = built.scene.askers.front();
        const auto ask_together = [&](const std::string& asker) {
          return decide(built.snapshot, asker, built.scene.policy, {}, Depth::kAnswer, together);
        };
        (void)ask_together(askers.back());  // the summaries are made
        std::size_t at = 0;
        for (auto _ : state) {
          benchmark::DoNotOptimize(ask_together(askers[at]));
          at = at + 1 == askers.size() ? 0 : at + 1;
        }
        (void)ask(built, askers[0]);  // not the shape that follows
        const Decision alone = ask(built, askers[1]);
        const engine::Workspace::Share all = built.workspace.shares().front();
        (void)ask_together(askers[0]);
        if (ask_together(askers[1]) != alone) {
          state.SkipWithError("threads decide otherwise together than one alone");
        }
        std::uint64_t most = 0;
        for (const auto& share : together.shares()) most = std::max(most, share.bounded + share.tried);
        result.counts["larger share"] =
            static_cast<double>(most) / static_cast<double>(all.bounded + all.tried);
      }));
}

void add_others(const Plan& plan) {
  const Setup small = setup_of(Workload::kUniform, 100, 30, 20, {30});
  add(plan, result_of("reference", small),
      on_scene(small, [](benchmark::State& state, Result&, Built& built) {
        Case question{.name = {},
                      .cluster = built.scene.cluster,
                      .preemptor = built.scene.askers.front().front(),
                      .policy = built.scene.policy,
                      .extenders = {}};
        for (auto _ : state) benchmark::DoNotOptimize(reference::decide(question));
      }));
  add_decisions(plan, small);
  for (const Workload workload : {Workload::kUniform, Workload::kFourPriorities, Workload::kKnapsackHard}) {
    const Setup setup = setup_of(workload, 1000, 30, 20, {30});
    add(plan, result_of("exact", setup, 30),
        on_scene(setup,
                 [](benchmark::State& state, Result& result, Built& built) {
                   Policy exact = built.scene.policy;
                   exact.charging = Charging::kEveryBudget;
                   exact.victims = VictimSearch::kExact;
                   exact.violations = ViolationCount::kActual;
                   for (auto _ : state) {
                     const Decision decision = decide(built.snapshot, built.scene.askers.front().front(),
                                                      exact, {}, Depth::kAnswer, built.workspace);
                     result.counts["proved"] = decision.bounded.empty() ? 1 : 0;
                   }
                   result.counts["search nodes"] = static_cast<double>(built.workspace.searched());
                 }),
        true);
  }
}

/// Notes the processor time of each repetition and shows one line for each benchmark.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      if (run.error_occurred) {
        failure = run.run_name.function_name + ": " + run.error_message;
        continue;
      }
      Result& result = registered()[run.run_name.function_name];
      double ns = run.cpu_accumulated_time * 1e9 / static_cast<double>(run.iterations);
      if (result.operation.starts_with("burst")) ns /= kBurst;
      result.each_ns.push_back(ns);
    }
    if (runs.empty() || runs.front().error_occurred || runs.front().run_type != Run::RT_Iteration) return;
    const Result& result = registered()[runs.front().run_name.function_name];
    fmt::print(stderr, "  {:<58} {:>14.3f} us\n", runs.front().run_name.function_name,
               result.least_ns() / 1e3);
  }

  std::string failure;
};

}  // namespace

void register_benchmarks(const Plan& plan) {
  std::vector<int> sizes = plan.growth;
  sizes.push_back(plan.nodes);
  std::ranges::sort(sizes);
  sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
  for (const int nodes : sizes) add_floor(plan, nodes);
  if (plan.bursts) {  // first, while memory is in one piece
    for (const int budgets : {0, 20}) {
      Setup setup = setup_of(Workload::kUniform, plan.nodes, 30, budgets, {});
      setup.name = fmt::format("uniform, {} budgets", budgets);
      for (const Applied applied : {Applied::kNominated, Applied::kBound}) add_burst(plan, setup, applied);
    }
  }
  for (const int pods : plan.named_pods) {
    for (const Setup& setup : named_setups(plan.nodes, pods)) add_decisions(plan, setup);
  }
  for (const int pods : plan.swept_pods) {
    for (Setup& setup : swept_setups(plan.nodes, pods)) {
      setup.name += " swept";
      add_decisions(plan, setup);
    }
  }
  for (const int nodes : plan.growth) {
    for (const Setup& setup : growing_setups(nodes)) {
      if (setup.settings.budgets == 20) continue;  // below, with the updates
      add_decisions(plan, setup);
    }
    const Setup setup = growing_setups(nodes).back();
    add_decisions(plan, setup);
    add_updates(plan, setup);
    add_update_floor(plan, nodes, "floor of set_pod", 30 * nodes);
    add_update_floor(plan, nodes, "floor of set_node", nodes);
    if (nodes <= plan.nodes) add_build(plan, setup);
  }
  if (!trace_folder().empty()) {
    const Setup setup = trace_setup();
    add_decisions(plan, setup);
  }
  if (plan.growth.size() > 1) {
    for (const Workload workload :
         {Workload::kUniform, Workload::kExhaustedBudgets, Workload::kIdenticalNodes}) {
      for (const int nodes : {1'000, 5'000, 20'000, 50'000}) {
        const Setup setup = setup_of(workload, nodes, 30, 20, {kBurstPercent});
        for (const unsigned threads : {1U, 2U}) add_shared(plan, setup, threads);
      }
    }
  }
  add_others(plan);
}

std::string run_benchmarks(Results& results) {
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  for (auto& [name, result] : registered()) {
    if (!result.each_ns.empty()) results.add(std::move(result));
  }
  registered().clear();
  stage().clear();
  return collector.failure;
}

}  // namespace reprieve::bench
