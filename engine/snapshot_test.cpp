#include "reprieve/engine/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

// Random objects over few names and labels, so that everything meets everything.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int roll(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return roll(n) == 0; }
  std::string name(const char* prefix, int n) { return prefix + std::to_string(roll(n)); }

  Labels labels() {
    Labels out;
    if (!one_in(5)) out["app"] = name("a", 3);
    if (one_in(3)) out["tier"] = name("t", 2);
    return out;
  }
  LabelSelector selector() {
    if (one_in(6)) return {{}, {{"tier", SelectorOperator::kDoesNotExist, {}}}};
    if (one_in(6)) return {{}, {{"app", SelectorOperator::kIn, {}}}};  // invalid
    return {{{"app", name("a", 3)}}, {}};
  }
  Node node() {
    Node out = testing::node(name("n", 6), 2 + roll(4), 3 + roll(6));
    if (!one_in(4)) out.labels["zone"] = name("z", 2);
    if (one_in(6)) out.taints = {{"dedicated", "x", TaintEffect::kNoSchedule}};
    if (one_in(4)) out.allocatable[name("example.com/r", 8)] = {roll(3), 0};
    return out;
  }
  Pod pod() {
    Pod out = testing::pod(name("p", 25), roll(4), roll(3));
    out.namespace_ = one_in(4) ? "other" : "default";
    out.labels = labels();
    if (!one_in(3)) out.node_name = name("n", 7);  // n6 is always absent
    if (out.node_name.empty() && one_in(2)) out.nominated_node_name = name("n", 7);
    if (!one_in(4)) out.start_time_us = roll(5);
    if (one_in(8)) out.deletion_time_us = 1;
    if (one_in(6)) out.containers[0].ports = {{1, 80 + roll(2)}};
    if (one_in(5)) out.containers[0].requests[name("example.com/r", 8)] = {1, 0};
    if (one_in(4)) out.affinity.required_pod_anti_affinity = {term()};
    if (one_in(6)) out.affinity.required_pod_affinity = {term()};
    if (one_in(4)) {
      TopologySpreadConstraint constraint;
      constraint.topology_key = one_in(2) ? "zone" : "kubernetes.io/hostname";
      constraint.label_selector = LabelSelector{{{"app", name("a", 3)}}, {}};
      out.topology_spread_constraints = {constraint};
    }
    if (one_in(8)) out.volumes = {{.name = "v", .kind = VolumeKind::kClaim, .source = name("c", 2)}};
    return out;
  }
  PodAffinityTerm term() {
    PodAffinityTerm out;
    out.label_selector = selector();
    out.topology_key = one_in(2) ? "zone" : "kubernetes.io/hostname";
    if (one_in(3)) out.namespace_selector = LabelSelector{{{"team", name("x", 2)}}, {}};
    return out;
  }
  DisruptionBudget budget() {
    DisruptionBudget out = testing::budget(name("b", 6), roll(3), {});
    out.namespace_ = one_in(4) ? "other" : "default";
    out.selector = selector();
    if (one_in(3)) out.disrupted_pods = {name("p", 25)};
    return out;
  }
  Namespace name_space() { return {one_in(2) ? "other" : "default", {{"team", name("x", 2)}}}; }
  PersistentVolumeClaim claim() {
    PersistentVolumeClaim out;
    out.namespace_ = one_in(3) ? "other" : "default";
    out.name = name("c", 2);
    out.access_modes = {one_in(2) ? AccessMode::kReadWriteOncePod : AccessMode::kReadWriteOnce};
    out.volume_name = name("v", 2);
    out.annotations["pv.kubernetes.io/bind-completed"] = "yes";
    return out;
  }
  PersistentVolume volume() {
    PersistentVolume out;
    out.name = name("v", 2);
    if (one_in(2)) out.labels["topology.kubernetes.io/zone"] = name("z", 2);
    return out;
  }

 private:
  std::mt19937 engine_;
};

template <class T, class Same>
void set_in(std::vector<T>& objects, const T& object, Same same) {
  const auto at = std::ranges::find_if(objects, [&](const T& other) { return same(other, object); });
  if (at == objects.end()) {
    objects.push_back(object);
  } else {
    *at = object;
  }
}
template <class T, class Same>
void remove_from(std::vector<T>& objects, const T& object, Same same) {
  std::erase_if(objects, [&](const T& other) { return same(other, object); });
}

constexpr auto kByName = [](const auto& a, const auto& b) { return a.name == b.name; };
constexpr auto kByFullName = [](const auto& a, const auto& b) {
  return a.name == b.name && a.namespace_ == b.namespace_;
};

// One random change, to both.
void change(Random& random, Cluster& cluster, Snapshot& snapshot) {
  const bool remove = random.one_in(4);
  switch (random.roll(10)) {
    case 0: {
      const Node node = random.node();
      if (remove) {
        remove_from(cluster.nodes, node, kByName);
        snapshot.remove_node(node.name);
      } else {
        set_in(cluster.nodes, node, kByName);
        snapshot.set_node(node);
      }
      return;
    }
    case 1: {
      const DisruptionBudget budget = random.budget();
      if (remove) {
        remove_from(cluster.budgets, budget, kByFullName);
        snapshot.remove_budget(budget.namespace_ + "/" + budget.name);
      } else {
        set_in(cluster.budgets, budget, kByFullName);
        snapshot.set_budget(budget);
      }
      return;
    }
    case 2: {
      const Namespace name_space = random.name_space();
      if (remove) {
        remove_from(cluster.namespaces, name_space, kByName);
        snapshot.remove_namespace(name_space.name);
      } else {
        set_in(cluster.namespaces, name_space, kByName);
        snapshot.set_namespace(name_space);
      }
      return;
    }
    case 3: {
      const PersistentVolumeClaim claim = random.claim();
      if (remove) {
        remove_from(cluster.claims, claim, kByFullName);
        snapshot.remove_claim(claim.namespace_ + "/" + claim.name);
      } else {
        set_in(cluster.claims, claim, kByFullName);
        snapshot.set_claim(claim);
      }
      const PersistentVolume volume = random.volume();
      set_in(cluster.volumes, volume, kByName);
      snapshot.set_volume(volume);
      return;
    }
    default: {
      const Pod pod = random.pod();
      if (remove) {
        remove_from(cluster.pods, pod, kByFullName);
        snapshot.remove_pod(full_name(pod));
      } else {
        set_in(cluster.pods, pod, kByFullName);
        snapshot.set_pod(pod);
      }
    }
  }
}

class Updates : public ::testing::TestWithParam<Release> {};

TEST_P(Updates, LeaveASnapshotThatDecidesLikeARebuiltOne) {
  int nominated = 0;
  Workspace kept;
  for (unsigned seed = 0; seed < 25; ++seed) {
    Random random(seed);
    Cluster cluster;
    Snapshot snapshot(GetParam());
    const Policy policy = kubernetes_policy(GetParam());
    for (int step = 0; step < 160; ++step) {
      change(random, cluster, snapshot);
      if (step % 8 != 0) continue;
      const Snapshot rebuilt(cluster, GetParam());
      for (const Pod& pod : cluster.pods) {
        if (!pod.node_name.empty()) continue;
        Workspace fresh;
        const Decision updated = decide(snapshot, full_name(pod), policy, {}, Depth::kFull, kept);
        ASSERT_EQ(updated, decide(rebuilt, full_name(pod), policy, {}, Depth::kFull, fresh))
            << "seed " << seed << ", step " << step << ", " << full_name(pod);
        nominated += updated.outcome == Outcome::kNominated ? 1 : 0;
        const Decision answer = decide(snapshot, full_name(pod), policy, {}, Depth::kAnswer, kept);
        ASSERT_EQ(answer.outcome, updated.outcome);
        ASSERT_EQ(answer.nominated, updated.nominated);
        ASSERT_EQ(answer.cleared, updated.cleared);
        for (const NodeDecision& node : answer.nodes)
          ASSERT_EQ(node.key, testing::told(updated, node.node).key);
      }
    }
  }
  EXPECT_GT(nominated, 100);  // else the test looks at too little
}

INSTANTIATE_TEST_SUITE_P(BothReleases, Updates, ::testing::Values(Release::k1_36, Release::k1_37),
                         [](const auto& of) { return of.param == Release::k1_36 ? "v1_36" : "v1_37"; });

TEST(Snapshot, SweepsOutRemovedNodesAndBudgetsAndKeepsTheOrder) {
  Cluster cluster;
  Snapshot snapshot(Release::k1_37);
  for (int i = 0; i < 200; ++i) {
    const std::string name = "n" + std::to_string(i);
    const Node node = testing::node(name);
    Pod pod = testing::running("p" + std::to_string(i), name, 0, 4);
    pod.labels = {{"app", "x"}};
    const DisruptionBudget budget =
        testing::budget("b" + std::to_string(i), i == 199 ? 0 : 9, {{"app", "x"}});
    snapshot.set_node(node);
    snapshot.set_pod(pod);
    snapshot.set_budget(budget);
    if (i >= 180) {
      cluster.nodes.push_back(node);
      cluster.pods.push_back(pod);
      cluster.budgets.push_back(budget);
    }
  }
  for (int i = 0; i < 180; ++i) {
    snapshot.remove_node("n" + std::to_string(i));
    snapshot.remove_pod("default/p" + std::to_string(i));
    snapshot.remove_budget("default/b" + std::to_string(i));
  }
  EXPECT_LT(snapshot.index().nodes.size(), 64U);
  EXPECT_LT(snapshot.index().budgets.size(), 64U);
  // A pod that is taken off afterwards must be found on the slot to which its node has moved.
  snapshot.remove_pod("default/p190");
  std::erase_if(cluster.pods, [](const Pod& pod) { return pod.name == "p190"; });
  Pod in = testing::pod("in", 10, 4);
  snapshot.set_pod(in);
  cluster.pods.push_back(in);
  Workspace workspace;
  const Policy policy = kubernetes_policy(Release::k1_37);
  EXPECT_EQ(decide(snapshot, "default/in", policy, {}, Depth::kFull, workspace),
            decide(Snapshot(cluster, Release::k1_37), "default/in", policy, {}, Depth::kFull, workspace));
}

}  // namespace
}  // namespace reprieve::engine
