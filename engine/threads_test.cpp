// One decision shared by several threads: it must be the one that a thread alone makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/engine/team.h"
#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

constexpr unsigned kThreads = 2;
constexpr int kNodes = 2 * static_cast<int>(Workspace::kNodesPerThread) + 7;

TEST(Team, DoesEachPartOfEachRoundOnce) {
  for (const unsigned size : {1U, 2U, 3U}) {
    Team team(size);
    std::vector<std::uint64_t> done(size);  // each written by its thread alone
    std::uint64_t seen = 0;
    for (std::uint64_t round = 1; round <= 300; ++round) {
      team.run([&](unsigned k) { done[k] += round; });
      seen += round;
      for (const std::uint64_t each : done) ASSERT_EQ(each, seen);
    }
  }
}

// Full nodes of three pods each; `pods` says how large, of what priority and how protected.
struct Draw {
  std::int64_t sizes = 4;  // CPU of a pod: 1 to so much
  std::int32_t priorities = 1000;
  bool protected_ = false;  // all under a budget that allows nothing
};

Cluster full_cluster(const Draw& draw, int nodes) {
  std::mt19937_64 random(11);
  Cluster cluster;
  for (int n = 0; n < nodes; ++n) {
    const std::string name = "n" + std::to_string(n);
    std::int64_t total = 0;
    for (int p = 0; p < 3; ++p) {
      const std::int64_t cpu =
          1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(draw.sizes));
      const auto priority = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(draw.priorities));
      Pod pod = testing::running("p" + std::to_string(n) + "-" + std::to_string(p), name, priority, cpu);
      pod.start_time_us = static_cast<std::int64_t>(random() % 5);
      if (draw.protected_) pod.labels = {{"app", "x"}};
      cluster.pods.push_back(std::move(pod));
      total += cpu;
    }
    cluster.nodes.push_back(testing::node(name, total));
  }
  if (draw.protected_) cluster.budgets = {testing::budget("b", 0, {{"app", "x"}})};
  for (int cpu = 1; cpu <= 9; ++cpu) {
    cluster.pods.push_back(testing::pod("in" + std::to_string(cpu), 5000, cpu));
  }
  return cluster;
}

class Threads : public ::testing::TestWithParam<Draw> {};

TEST_P(Threads, TogetherTheyDecideAsOneAloneAndEachDoesItsShare) {
  Cluster cluster = full_cluster(GetParam(), kNodes);
  Snapshot snapshot(cluster, Release::k1_37);
  const Policy policy = kubernetes_policy(Release::k1_37);
  Workspace alone, together(kThreads);
  const auto agree = [&](const std::string& preemptor) {
    const Decision one = decide(snapshot, preemptor, policy, {}, Depth::kAnswer, alone);
    const Decision two = decide(snapshot, preemptor, policy, {}, Depth::kAnswer, together);
    EXPECT_EQ(one, two) << preemptor;
    EXPECT_EQ(together.shares().size(), kThreads);
    return one.outcome;
  };
  int nominated = 0;
  for (int cpu = 1; cpu <= 9; ++cpu) {
    if (agree("default/in" + std::to_string(cpu)) != Outcome::kNominated) continue;
    ++nominated;
    const Workspace::Share one = alone.shares().front();
    std::uint64_t bounded = 0;
    for (const Workspace::Share& share : together.shares()) {
      bounded += share.bounded;
      EXPECT_LE((share.bounded + share.tried) * 8, (one.bounded + one.tried) * 5) << cpu;
    }
    EXPECT_EQ(bounded, one.bounded);
  }
  EXPECT_GE(nominated, 3);
  // With room on one node, in either half, nobody is evicted; a cordoned one is no such node.
  for (const int with_room : {5, kNodes - 5}) {
    Node node = cluster.nodes[static_cast<std::size_t>(with_room)];
    node.allocatable["cpu"].units += 3;
    node.unschedulable = true;
    snapshot.set_node(node);
    EXPECT_EQ(agree("default/in2"), Outcome::kNominated);
    node.unschedulable = false;
    snapshot.set_node(node);
    EXPECT_EQ(agree("default/in3"), Outcome::kFits);
    snapshot.set_node(cluster.nodes[static_cast<std::size_t>(with_room)]);
  }
}

INSTANTIATE_TEST_SUITE_P(Clusters, Threads,
                         ::testing::Values(Draw{}, Draw{.sizes = 1, .priorities = 1},
                                           Draw{.sizes = 4, .priorities = 4, .protected_ = true}));

TEST(ThreadsOfAWorkspace, StandAsideWhereThereAreFewNodes) {
  const Snapshot snapshot(full_cluster({}, 100), Release::k1_37);
  Workspace workspace(kThreads);
  const Decision decision =
      decide(snapshot, "default/in2", kubernetes_policy(Release::k1_37), {}, Depth::kAnswer, workspace);
  EXPECT_EQ(decision.outcome, Outcome::kNominated);
  ASSERT_EQ(workspace.shares().size(), 1U);
  EXPECT_EQ(workspace.shares().front().bounded, 100U);
}

}  // namespace
}  // namespace reprieve::engine
