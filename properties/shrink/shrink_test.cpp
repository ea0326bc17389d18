#include "reprieve/properties/shrink/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/generators/valid.h"

namespace reprieve::shrink {
namespace {

using generators::Feature;

bool has_taint(const Node& node) { return !node.taints.empty(); }
bool runs_sidecar(const Pod& pod) {
  return !pod.node_name.empty() && std::any_of(pod.init_containers.begin(), pod.init_containers.end(),
                                               [](const Container& c) { return c.restart_always; });
}

/// "Fails" when some node is tainted and some running pod has a sidecar.
bool taint_and_sidecar(const Case& question) {
  const Cluster& cluster = question.cluster;
  return std::any_of(cluster.nodes.begin(), cluster.nodes.end(), has_taint) &&
         std::any_of(cluster.pods.begin(), cluster.pods.end(), runs_sidecar);
}

Case first_failing(const StillFails& fails, std::uint64_t from = 0) {
  generators::GeneratorSettings settings;
  settings.max_nodes = 6;
  settings.max_pods_per_node = 10;
  for (std::uint64_t seed = from;; ++seed) {
    Case question = generators::generate(seed, settings);
    if (fails(question)) return question;
  }
}

TEST(Shrink, LeavesOnlyWhatTheFailureNeeds) {
  for (std::uint64_t from = 0; from < 40'000; from += 1000) {
    const Case question = first_failing(taint_and_sidecar, from);
    const Result result = shrink(question, taint_and_sidecar);
    const Cluster& cluster = result.smallest.cluster;
    ASSERT_TRUE(taint_and_sidecar(result.smallest));
    EXPECT_FALSE(result.out_of_calls);
    EXPECT_EQ(cluster.nodes.size(), 1U) << question.name;
    EXPECT_EQ(cluster.pods.size(), 2U) << question.name;  // the one with the sidecar, and the preemptor
    EXPECT_TRUE(cluster.budgets.empty() && cluster.namespaces.empty() && cluster.claims.empty())
        << question.name;
    EXPECT_TRUE(cluster.nodes.front().labels.empty()) << question.name;
    EXPECT_EQ(cluster.nodes.front().name, "n1");
    EXPECT_EQ(cluster.pods.front().name, "p1");
    EXPECT_EQ(cluster.pods.front().init_containers.size(), 1U);
    EXPECT_TRUE(cluster.pods.front().init_containers.front().requests.empty());
    EXPECT_EQ(cluster.pods.front().priority, 0);
    EXPECT_EQ(result.smallest.preemptor, "default/preemptor");
  }
}

TEST(Shrink, LeavesOfAPolicyWhatTheFailureNeeds) {
  const Policy usual = kubernetes_policy(Release::k1_36);
  Case question = generators::generate(1, {});
  question.policy = usual;
  question.policy.name = "mine";
  question.policy.victims = VictimSearch::kExact;
  question.policy.violations = ViolationCount::kActual;
  question.policy.budgets = {.guaranteed = true, .below_priority = 7};
  question.policy.charging = Charging::kUntilViolated;
  question.policy.importance = {ImportanceCriterion::kRequestedShare};
  question.policy.node_order = {NodeCriterion::kVictimCount, NodeCriterion::kBudgetsTouched,
                                NodeCriterion::kLatestStart};
  const auto smallest = [&](const StillFails& fails) { return shrink(question, fails, {}).smallest.policy; };

  Policy expected = usual;
  expected.name = "mine";
  expected.budgets.guaranteed = true;
  EXPECT_EQ(smallest([](const Case& c) { return c.policy.budgets.guaranteed; }), expected);

  expected = usual;
  expected.name = "mine";
  expected.victims = VictimSearch::kExact;
  expected.violations = ViolationCount::kActual;
  EXPECT_EQ(smallest([](const Case& c) { return c.policy.victims == VictimSearch::kExact; }), expected);

  expected = usual;
  expected.name = "mine";
  expected.node_order = {NodeCriterion::kBudgetsTouched};
  EXPECT_EQ(smallest([](const Case& c) {
              return std::ranges::count(c.policy.node_order, NodeCriterion::kBudgetsTouched) > 0;
            }),
            expected);
}

TEST(Shrink, AsksOnlyAboutValidCases) {
  const auto fails = [](const Case& question) {
    EXPECT_EQ(generators::find_fault(question), std::nullopt) << question.name;
    return question.cluster.pods.size() >= 3;
  };
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    shrink(generators::generate(seed, {}), fails, {.max_calls = 500});
  }
}

TEST(Shrink, GivesTheSameAnswerTwice) {
  const Case question = first_failing(taint_and_sidecar);
  const Result first = shrink(question, taint_and_sidecar);
  const Result second = shrink(question, taint_and_sidecar);
  EXPECT_EQ(first.smallest, second.smallest);
  EXPECT_EQ(first.calls, second.calls);
}

TEST(Shrink, AsksNoMoreThanItMayAndReturnsAFailingCase) {
  int calls = 0;
  const StillFails fails = [&](const Case& question) {
    ++calls;
    return taint_and_sidecar(question);
  };
  const Case question = first_failing(taint_and_sidecar);
  for (const int budget : {1, 2, 5, 10, 15}) {
    calls = 0;
    const Result result = shrink(question, fails, {.max_calls = budget});
    EXPECT_LE(calls, budget);
    EXPECT_EQ(calls, result.calls);
    EXPECT_TRUE(result.out_of_calls);
    EXPECT_TRUE(taint_and_sidecar(result.smallest));
  }
}

TEST(Shrink, ReturnsACaseThatDoesNotFailAsItIs) {
  const Case question = generators::generate(7, {});
  EXPECT_EQ(shrink(question, [](const Case&) { return false; }).smallest, question);
}

TEST(Shrink, MakesNumbersSmallAndRoundWhereOnlyTheirProportionMatters) {
  // Fails when the preemptor asks for exactly twice what some running pod asks for.
  const auto asks = [](const Pod& pod) {
    const auto& requests = pod.containers.front().requests;
    const auto found = requests.find("cpu");
    return found == requests.end() ? 0 : to_milli(found->second);
  };
  const StillFails fails = [&](const Case& question) {
    std::int64_t wanted = 0;
    std::int32_t priority = 0;
    for (const Pod& pod : question.cluster.pods) {
      if (full_name(pod) == question.preemptor) {
        wanted = asks(pod);
        priority = pod.priority;
      }
    }
    return std::any_of(question.cluster.pods.begin(), question.cluster.pods.end(), [&](const Pod& pod) {
      return !pod.node_name.empty() && asks(pod) > 0 && asks(pod) * 2 == wanted && pod.priority < priority;
    });
  };
  for (std::uint64_t from = 0; from < 10'000; from += 1000) {
    const Case smallest = shrink(first_failing(fails, from), fails).smallest;
    ASSERT_EQ(smallest.cluster.pods.size(), 2U);
    EXPECT_EQ(asks(smallest.cluster.pods[0]), 1000);
    EXPECT_EQ(asks(smallest.cluster.pods[1]), 2000);
    EXPECT_EQ(smallest.cluster.pods[0].priority, 0);
    EXPECT_EQ(smallest.cluster.pods[1].priority, 10);
  }
}

TEST(Shrink, LowersARequestTogetherWithTheCapacityThatItFills) {
  const StillFails fails = [](const Case& question) {
    for (const Pod& pod : question.cluster.pods) {
      if (full_name(pod) != question.preemptor) continue;
      const auto wanted = pod.containers.front().requests.find("cpu");
      const auto there = question.cluster.nodes.front().allocatable.find("cpu");
      return wanted != pod.containers.front().requests.end() && !is_zero(wanted->second) &&
             there != question.cluster.nodes.front().allocatable.end() && wanted->second == there->second;
    }
    return false;
  };
  for (std::uint64_t from = 0; from < 20'000; from += 1000) {
    const Case smallest = shrink(first_failing(fails, from), fails).smallest;
    EXPECT_EQ(smallest.cluster.nodes.front().allocatable.at("cpu"), (Quantity{.units = 1, .milli = 0}))
        << from;
  }
}

TEST(FindFault, FindsNoneInGeneratedCases) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    EXPECT_EQ(generators::find_fault(generators::generate(seed, {})), std::nullopt) << seed;
  }
}

TEST(FindFault, NamesWhatIsWrong) {
  const Case good = generators::generate(1, {});
  const auto fault_after = [&](auto edit) {
    Case bad = good;
    edit(bad);
    return generators::find_fault(bad).value_or("");
  };
  EXPECT_EQ(fault_after([](Case& c) { c.cluster.nodes.clear(); }), "there is no node");
  EXPECT_EQ(fault_after([](Case& c) { c.preemptor = "default/nobody"; }),
            "the preemptor default/nobody is not there");
  EXPECT_EQ(fault_after([](Case& c) { c.cluster.nodes.push_back(c.cluster.nodes[0]); }),
            "Node " + good.cluster.nodes[0].name + " is there twice");
  EXPECT_EQ(fault_after([](Case& c) {
              for (Pod& pod : c.cluster.pods) pod.node_name = "n1";
            }),
            "the preemptor runs already");
}

}  // namespace
}  // namespace reprieve::shrink
