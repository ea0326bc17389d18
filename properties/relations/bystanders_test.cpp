#include "reprieve/properties/relations/bystanders.h"

#include "reprieve/properties/relations/order.h"
#include "reprieve/properties/relations/testing.h"

namespace reprieve::relations {
namespace {

using generators::Random;
using testing::expect_valid;
using testing::for_each_case;

TEST(Bystanders, AreOneMoreNodeThatTakesNobody) {
  for_each_case([](const Case& question, Random& random) {
    const WithNode other = with_bystander_node(question, random);
    expect_valid(other.question);
    EXPECT_EQ(other.question.cluster.nodes.size(), question.cluster.nodes.size() + 1);
    const auto added = std::ranges::find(other.question.cluster.nodes, other.node, &Node::name);
    ASSERT_NE(added, other.question.cluster.nodes.end());
    EXPECT_TRUE(added->unschedulable);
    EXPECT_TRUE(added->allocatable.empty());
    for (const Node& node : question.cluster.nodes) EXPECT_NE(node.name, other.node);
  });
}

TEST(Bystanders, AreOneMoreNamespaceThatNoPodIsIn) {
  for_each_case([](const Case& question, Random& random) {
    Case other = with_bystander_namespace(question, random);
    expect_valid(other);
    EXPECT_EQ(other.cluster.namespaces.size(), question.cluster.namespaces.size() + 1);
    for (const Namespace& name_space : other.cluster.namespaces) {
      const bool added =
          std::ranges::find(question.cluster.namespaces, name_space) == question.cluster.namespaces.end();
      if (!added) continue;
      for (const Pod& pod : question.cluster.pods) EXPECT_NE(pod.namespace_, name_space.name);
    }
    other.cluster.namespaces = question.cluster.namespaces;
    EXPECT_EQ(other, question);
  });
}

TEST(Bystanders, AreABudgetThatSelectsNobody) {
  int in_a_known_namespace = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_bystander_budget(question, random);
    expect_valid(other);
    ASSERT_EQ(other.cluster.budgets.size(), question.cluster.budgets.size() + 1);
    for (const DisruptionBudget& budget : other.cluster.budgets) {
      if (std::ranges::find(question.cluster.budgets, budget) != question.cluster.budgets.end()) continue;
      for (const Pod& pod : other.cluster.pods) {
        EXPECT_FALSE(may_charge(budget, pod));
        in_a_known_namespace += pod.namespace_ == budget.namespace_ ? 1 : 0;
      }
    }
  });
  EXPECT_GT(in_a_known_namespace, 150);
}

TEST(Bystanders, AreALabelOnlyWhereThereIsOneAlready) {
  int labelled = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_bystander_label(question, random);
    expect_valid(other);
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const Labels& before = question.cluster.pods[i].labels;
      const Labels& after = other.cluster.pods[i].labels;
      EXPECT_EQ(before.empty(), after.empty());
      EXPECT_TRUE(std::ranges::includes(after, before));
      labelled += before != after ? 1 : 0;
    }
  });
  EXPECT_GT(labelled, 500);
}

TEST(Bystanders, AreAPodThatIsNowhere) {
  for_each_case([](const Case& question, Random& random) {
    const Case other = with_bystander_pod(question, random);
    expect_valid(other);
    ASSERT_EQ(other.cluster.pods.size(), question.cluster.pods.size() + 1);
    for (const Pod& pod : other.cluster.pods) {
      if (std::ranges::find(question.cluster.pods, pod) != question.cluster.pods.end()) continue;
      for (const Node& node : question.cluster.nodes) {
        EXPECT_NE(pod.node_name, node.name);
        EXPECT_NE(pod.nominated_node_name, node.name);
      }
    }
  });
}

TEST(Bystanders, AreStorageOfAClassThatNobodyAsksFor) {
  for_each_case([](const Case& question, Random& random) {
    const Case other = with_bystander_storage(question, random);
    expect_valid(other);
    EXPECT_EQ(other.cluster.volumes.size(), question.cluster.volumes.size() + 1);
    EXPECT_EQ(other.cluster.claims.size(), question.cluster.claims.size() + 1);
    EXPECT_EQ(other.cluster.pods, question.cluster.pods);
  });
}

TEST(Bystanders, AreAResourceThatThePreemptorDoesNotAskFor) {
  for_each_case([](const Case& question, Random& random) {
    const Case other = with_bystander_resource(question, random);
    expect_valid(other);
    EXPECT_EQ(testing::find_pod(other, question.preemptor), testing::find_pod(question, question.preemptor));
  });
}

TEST(UnreadFields, AreRedrawnOfRunningPodsAlone) {
  int changed = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_unread_fields_redrawn(question, random);
    expect_valid(other);
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      Pod after = other.cluster.pods[i];
      const Pod& before = question.cluster.pods[i];
      changed += after != before ? 1 : 0;
      EXPECT_EQ(after.labels, before.labels);
      EXPECT_EQ(after.affinity.required_pod_anti_affinity, before.affinity.required_pod_anti_affinity);
      if (!before.node_name.empty()) continue;
      after.creation_time_us = before.creation_time_us;
      EXPECT_EQ(after, before);
    }
  });
  EXPECT_GT(changed, 1000);
}

}  // namespace
}  // namespace reprieve::relations
