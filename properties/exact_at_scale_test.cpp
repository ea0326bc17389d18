// `victims: exact` on clusters that no enumeration ends on: 200 nodes x 60 pods. What the search finds is
// held against three others: the plain search where that ends, every set of up to three victims, counted
// here from the cluster alone, and each node's own optimum, found without knowing the best of the others.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/mutants/mutant.h"
#include "reprieve/properties/generators/workloads.h"

namespace reprieve {
namespace {

using generators::Workload;

constexpr std::array kHard = {Workload::kUniform,        Workload::kHeavyTailed, Workload::kExhaustedBudgets,
                              Workload::kFourPriorities, Workload::kEqualSizes,  Workload::kAntiCorrelated,
                              Workload::kKnapsackHard,   Workload::kOverlapping};

constexpr std::int64_t kShift = std::int64_t{1} << 31;

Policy exact_policy() {
  Policy policy;
  policy.victims = VictimSearch::kExact;
  policy.charging = Charging::kEveryBudget;
  policy.violations = ViolationCount::kActual;
  return policy;
}

/// One large cluster with pending pods: one half small, so that few victims do, the other large.
struct Scene {
  explicit Scene(Workload workload, int nodes = 200) : cluster(make(workload, nodes)) {}

  static Cluster make(Workload workload, int nodes) {
    generators::WorkloadSettings settings;
    settings.workload = workload;
    settings.nodes = nodes;
    settings.pods_per_node = 60;
    settings.budgets = 40;  // several pods of one on every node
    settings.pending = kSmall;
    settings.least_percent = 2;
    settings.most_percent = 6;
    Cluster cluster = workload_cluster(settings);
    settings.nodes = 1;
    settings.pending = kSmall + kLarge;
    settings.least_percent = 8;
    settings.most_percent = 45;
    Cluster large = workload_cluster(settings);
    for (Pod& pod : large.pods) {
      if (!pod.node_name.empty() ||
          !std::ranges::all_of(cluster.pods, [&](const Pod& other) { return other.name != pod.name; })) {
        continue;
      }
      cluster.pods.push_back(std::move(pod));
    }
    return cluster;
  }

  static constexpr int kSmall = 2;
  static constexpr int kLarge = 3;
  Cluster cluster;
  engine::Snapshot snapshot{cluster, Release::k1_37};
};

std::string pending(int number) { return fmt::format("default/pending-{}", number); }

Decision decide(const Scene& scene, int number, engine::Depth depth, engine::SearchOptions search = {}) {
  engine::Workspace workspace;
  return engine::decide(scene.snapshot, pending(number), exact_policy(), {}, depth, workspace, {}, search);
}

/// The five levels, the smaller the better.
using Levels = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

Levels levels_of(const CandidateKey& key) {
  return {key.violations, key.highest_priority, key.priority_sum, key.victim_count,
          -key.earliest_start_us.value_or(0)};
}

std::string describe(const Decision& decision) {
  std::string text = fmt::format("{} [{}]", to_string(decision.outcome), fmt::join(decision.nominated, " "));
  for (const NodeDecision& node : decision.nodes) {
    if (std::ranges::find(decision.nominated, node.node) == decision.nominated.end()) continue;
    text += fmt::format(" {}: {}", node.node, fmt::join(node.victims, " "));
  }
  return text;
}

/// The best of all sets of up to three victims, from the objects alone.
class SmallSets {
 public:
  explicit SmallSets(const Cluster& cluster) {
    for (const DisruptionBudget& budget : cluster.budgets) {
      number_of_[budget.name] = allowed_.size();
      allowed_.push_back(budget.disruptions_allowed);
    }
    for (const Node& node : cluster.nodes) {
      place_of_[node.name] = nodes_.size();
      nodes_.push_back({.free = amounts(node.allocatable), .pods = {}});
    }
    for (const Pod& pod : cluster.pods) {
      const auto size = amounts(pod.containers.front().requests);
      if (pod.node_name.empty()) {
        requests_["default/" + pod.name] = size;
        continue;
      }
      NodeOf& node = nodes_[place_of_.at(pod.node_name)];
      PodOf& told = node.pods.emplace_back(PodOf{size, pod.priority, *pod.start_time_us, {}});
      for (std::size_t r = 0; r < 2; ++r) node.free[r] -= size[r];
      for (const auto& [label, value] : pod.labels) {
        if (const auto budget = number_of_.find(label); budget != number_of_.end())
          told.budgets.push_back(budget->second);
      }
    }
  }

  Levels best(const std::string& preemptor) const {
    const std::array<std::int64_t, 2> request = requests_.at(preemptor);
    Levels best{1'000'000, 0, 0, 0, 0};
    for (const NodeOf& node : nodes_) {
      const std::size_t size = node.pods.size();
      std::array<const PodOf*, 3> set{};
      // Whether the first `count` of them make room. Then no larger set with them is any better.
      const auto look = [&](std::size_t count) {
        for (std::size_t r = 0; r < 2; ++r) {
          std::int64_t missing = request[r] - node.free[r];
          for (std::size_t i = 0; i < count; ++i) missing -= set[i]->size[r];
          if (missing > 0) return false;
        }
        best = std::min(best, levels(std::span(set).first(count)));
        return true;
      };
      for (std::size_t a = 0; a < size; ++a) {
        set[0] = &node.pods[a];
        if (look(1)) continue;
        for (std::size_t b = a + 1; b < size; ++b) {
          set[1] = &node.pods[b];
          if (look(2)) continue;
          for (std::size_t c = b + 1; c < size; ++c) {
            set[2] = &node.pods[c];
            look(3);
          }
        }
      }
    }
    return best;
  }

 private:
  struct PodOf {
    std::array<std::int64_t, 2> size{};
    std::int64_t priority = 0;
    std::int64_t start_us = 0;
    std::vector<std::size_t> budgets;
  };
  struct NodeOf {
    std::array<std::int64_t, 2> free{};
    std::vector<PodOf> pods;
  };

  template <class Amounts>
  static std::array<std::int64_t, 2> amounts(const Amounts& of) {
    return {to_milli(of.at("cpu")), ceil_units(of.at("memory"))};
  }

  Levels levels(std::span<const PodOf* const> set) const {
    std::vector<const PodOf*> victims(set.begin(), set.end());
    std::ranges::stable_sort(victims, [](const PodOf* a, const PodOf* b) {
      return a->priority != b->priority ? a->priority > b->priority : a->start_us < b->start_us;
    });
    std::int64_t violations = 0;
    std::int64_t sum = 0;
    std::map<std::size_t, std::int64_t> charged;
    for (const PodOf* pod : victims) {
      bool violates = false;
      for (const std::size_t budget : pod->budgets) violates |= ++charged[budget] > allowed_[budget];
      violations += violates ? 1 : 0;
      sum += pod->priority + kShift;
    }
    return {violations, victims.front()->priority, sum, std::ssize(victims), -victims.front()->start_us};
  }

  std::map<std::string, std::size_t> number_of_, place_of_;
  std::vector<std::int64_t> allowed_;
  std::vector<NodeOf> nodes_;
  std::map<std::string, std::array<std::int64_t, 2>> requests_;
};

Levels told_levels(const Decision& decision) {
  for (const NodeDecision& node : decision.nodes) {
    if (node.node == decision.nominated.front()) return levels_of(*node.key);
  }
  return {};
}

TEST(ExactAtScale, NoSetOfUpToThreeVictimsIsBetterAndWhereThreeDoOneIsAsGood) {
  int reached = 0;
  for (const Workload workload : kHard) {
    const Scene scene(workload);
    const SmallSets sets(scene.cluster);
    for (int k = 0; k < Scene::kSmall; ++k) {
      const Decision decision = decide(scene, k, engine::Depth::kAnswer);
      if (decision.outcome == Outcome::kFits) continue;
      ASSERT_EQ(decision.outcome, Outcome::kNominated) << to_string(workload) << " " << k;
      ASSERT_TRUE(decision.bounded.empty()) << to_string(workload) << " " << k;
      const Levels found = told_levels(decision);
      const Levels best = sets.best(pending(k));
      EXPECT_LE(found, best) << to_string(workload) << " " << k;
      if (std::get<3>(found) <= 3) {
        EXPECT_EQ(found, best) << to_string(workload) << " " << k;
        ++reached;
      }
      break;  // one is enough for the time that it takes
    }
  }
  EXPECT_GE(reached, 3);
}

// The plain search knows no bound but the key of the victims so far, and does not end where budgets must
// be violated.
TEST(ExactAtScale, AgreesWithThePlainSearchWhereThatEnds) {
  int ended = 0;
  for (const Workload workload : kHard) {
    const Scene scene(workload);
    for (int k = 0; k < Scene::kSmall; ++k) {
      const Decision plain = decide(scene, k, engine::Depth::kAnswer, {.limit = 400'000, .plain = true});
      if (plain.outcome == Outcome::kError || !plain.bounded.empty()) continue;
      ++ended;
      EXPECT_EQ(describe(decide(scene, k, engine::Depth::kAnswer)), describe(plain))
          << to_string(workload) << " " << k;
    }
  }
  EXPECT_GE(ended, 4);
}

// A node's story is told without the best of the other nodes.
TEST(ExactAtScale, NoNodeByItselfIsBetterThanTheAnswerAndTheTieIsComplete) {
  for (const Workload workload : kHard) {
    const Scene scene(workload, 60);
    for (int k = Scene::kSmall; k < Scene::kSmall + Scene::kLarge; ++k) {
      const Decision answer = decide(scene, k, engine::Depth::kAnswer);
      const Decision full = decide(scene, k, engine::Depth::kFull);
      EXPECT_EQ(describe(answer), describe(full)) << to_string(workload) << " " << k;
      if (!full.bounded.empty() || full.outcome != Outcome::kNominated) continue;
      const Levels best = told_levels(full);
      for (const NodeDecision& node : full.nodes) {
        if (!node.key) continue;
        const bool tied = std::ranges::find(full.nominated, node.node) != full.nominated.end();
        EXPECT_EQ(levels_of(*node.key) == best, tied) << to_string(workload) << " " << k << " " << node.node;
        EXPECT_GE(levels_of(*node.key), best) << to_string(workload) << " " << k << " " << node.node;
      }
    }
  }
}

#ifdef REPRIEVE_MUTANTS
// Each bound made a little too strong: some decision above is then another.
TEST(ExactAtScale, EveryBoundThatIsNoneIsNoticed) {
  std::vector<Scene> scenes;
  std::vector<std::string> right;
  for (const Workload workload : kHard) scenes.emplace_back(workload, 100);
  const auto for_each = [&](auto&& look) {
    std::size_t place = 0;
    for (const Scene& scene : scenes) {
      for (int k = 0; k < Scene::kSmall + Scene::kLarge; ++k) {
        if (look(place++, describe(decide(scene, k, engine::Depth::kAnswer)))) return true;
      }
    }
    return false;
  };
  for_each([&](std::size_t, std::string text) { return right.push_back(std::move(text)), false; });
  for (const char* name : {
           "exact-freed-by-the-free-alone",
           "exact-one-victim-less-for-the-sum",
           "exact-root-violations-one-more",
           "exact-root-count-one-more",
           "exact-replaces-across-budgets",
           "exact-replaces-short-of-the-last-row",
           "exact-fine-not-paid",
           "exact-forced-as-many-as-allowed",
           "exact-prices-forget-violations",
           "exact-prices-forget-victims",
           "exact-prices-forget-what-is-free",
           "exact-lower-priority-not-asked",
           "exact-nearly-exhausted-is-exhausted",
       }) {
    SCOPED_TRACE(name);
    const mutants::Active active(name);
    if (std::string_view(name) == "exact-nearly-exhausted-is-exhausted") {
      scenes.clear();  // what is wrong with it stands in the snapshot
      for (const Workload workload : kHard) scenes.emplace_back(workload, 100);
    }
    EXPECT_TRUE(for_each([&](std::size_t place, const std::string& text) { return text != right[place]; }));
  }
}
#endif

}  // namespace
}  // namespace reprieve
