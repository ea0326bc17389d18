// Counts allocations, so it is a program of its own.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "reprieve/engine/test_cluster.h"

namespace {
std::atomic<long> allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace reprieve::engine {
namespace {

// The dry run walks every node and finds no room: nothing but the workspace is used.
TEST(Allocations, ADecisionThatNamesNothingMakesNoneInTheSteadyState) {
  Cluster cluster;
  for (int n = 0; n < 20; ++n) {
    const std::string name = "n" + std::to_string(n);
    cluster.nodes.push_back(testing::node(name));
    cluster.pods.push_back(testing::running("high" + std::to_string(n), name, 100, 3));
    for (int p = 0; p < 5; ++p) {
      Pod pod = testing::running("p" + std::to_string(n) + "-" + std::to_string(p), name, p, 0);
      pod.labels = {{"app", "x"}};
      cluster.pods.push_back(pod);
    }
  }
  Pod in = testing::pod("in", 10, 3);
  in.labels = {{"app", "x"}};
  TopologySpreadConstraint constraint;
  constraint.topology_key = "kubernetes.io/hostname";
  constraint.label_selector = LabelSelector{{{"app", "x"}}, {}};
  in.topology_spread_constraints = {constraint};
  cluster.pods.push_back(in);
  cluster.budgets = {testing::budget("b", 1, {{"app", "x"}})};

  const Snapshot snapshot(cluster, Release::k1_37);
  const Policy policy = kubernetes_policy(Release::k1_37);
  Workspace workspace;
  for (int warm_up = 0; warm_up < 2; ++warm_up) {
    (void)decide(snapshot, "default/in", policy, {}, Depth::kAnswer, workspace);
  }
  const long before = allocations;
  const Decision decision = decide(snapshot, "default/in", policy, {}, Depth::kAnswer, workspace);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
}

}  // namespace
}  // namespace reprieve::engine
