// Relations about budgets, nodes, what follows a decision, and changes of a cluster.
#include <map>
#include <variant>

#include "reprieve/properties/relations/budgets.h"
#include "reprieve/properties/relations/changes.h"
#include "reprieve/properties/relations/nodes.h"
#include "reprieve/properties/relations/order.h"
#include "reprieve/properties/relations/sequel.h"
#include "reprieve/properties/relations/testing.h"

namespace reprieve::relations {
namespace {

using generators::Random;
using testing::expect_valid;
using testing::find_pod;
using testing::for_each_case;

TEST(Budgets, OneAllowsAllPodsOrIsGone) {
  int found = 0;
  for_each_case([&](const Case& question, Random& random) {
    const auto other = with_roomy_budget(question, random);
    ASSERT_EQ(other.has_value(), !question.cluster.budgets.empty());
    if (!other) return;
    ++found;
    expect_valid(other->roomy);
    expect_valid(other->without);
    EXPECT_EQ(other->without.cluster.budgets.size() + 1, question.cluster.budgets.size());
    for (const DisruptionBudget& budget : other->roomy.cluster.budgets) {
      if (budget.namespace_ + "/" + budget.name != other->budget) continue;
      EXPECT_GE(budget.disruptions_allowed, static_cast<std::int32_t>(question.cluster.pods.size()));
    }
  });
  EXPECT_GT(found, 150);
}

TEST(Budgets, OfADisruptedPodListItOrDoNotSelectIt) {
  int listed = 0;
  for_each_case([&](const Case& question, Random& random) {
    const auto other = with_disrupted_pod(question, random);
    if (!other) return;
    expect_valid(other->disrupted);
    expect_valid(other->unselected);
    EXPECT_EQ(other->disrupted.cluster.pods, other->unselected.cluster.pods);
    const Pod& pod = find_pod(other->disrupted, other->pod);
    for (std::size_t i = 0; i < question.cluster.budgets.size(); ++i) {
      EXPECT_FALSE(may_charge(other->disrupted.cluster.budgets[i], pod));
      listed += may_charge(question.cluster.budgets[i], pod) ? 1 : 0;
      for (const Pod& another : question.cluster.pods) {
        if (full_name(another) == other->pod) continue;
        EXPECT_EQ(may_charge(other->unselected.cluster.budgets[i], another),
                  may_charge(question.cluster.budgets[i], another));
      }
    }
  });
  EXPECT_GT(listed, 25);
}

TEST(Nodes, ADuplicateHoldsCopiesOfThePods) {
  for_each_case([](const Case& question, Random& random) {
    const std::string node = question.cluster.nodes.front().name;
    const Duplicated other = with_node_duplicated(question, node, random);
    expect_valid(other.question);
    EXPECT_EQ(other.question.cluster.nodes.size(), question.cluster.nodes.size() + 1);
    const auto on = [&](const std::string& name) {
      return std::ranges::count(other.question.cluster.pods, name, &Pod::node_name);
    };
    EXPECT_EQ(on(node), on(other.copy));
  });
}

TEST(Nodes, OneIsCordonedOrGone) {
  for_each_case([](const Case& question, Random&) {
    const std::string node = question.cluster.nodes.back().name;
    const Case cordoned = with_node_cordoned(question, node);
    expect_valid(cordoned);
    EXPECT_TRUE(cordoned.cluster.nodes.back().unschedulable);
    const Case gone = without_node(question, node);
    EXPECT_EQ(gone.cluster.nodes.size() + 1, question.cluster.nodes.size());
    EXPECT_EQ(std::ranges::count(gone.cluster.pods, node, &Pod::node_name), 0);
  });
}

TEST(Nodes, WithMoreRoomAllowNoLess) {
  for_each_case([](const Case& question, Random& random) {
    const Case other = with_more_room(question, random);
    expect_valid(other);
    for (std::size_t i = 0; i < question.cluster.nodes.size(); ++i) {
      for (const auto& [name, quantity] : question.cluster.nodes[i].allocatable) {
        EXPECT_GE(other.cluster.nodes[i].allocatable.at(name), quantity);
      }
    }
  });
}

TEST(Preemptor, WithAHigherPriorityIsOtherwiseTheSame) {
  for_each_case([](const Case& question, Random& random) {
    auto other = with_higher_priority(question, random);
    if (!other) return;
    expect_valid(*other);
    const std::int32_t before = find_pod(question, question.preemptor).priority;
    for (Pod& pod : other->cluster.pods) {
      if (full_name(pod) != question.preemptor) continue;
      EXPECT_GT(pod.priority, before);
      pod.priority = before;
    }
    EXPECT_EQ(*other, question);
  });
}

Decision nominate(const Case& question) {
  Decision decision;
  decision.outcome = Outcome::kNominated;
  decision.nominated = {question.cluster.nodes.front().name};
  NodeDecision& node = decision.nodes.emplace_back();
  node.node = decision.nominated.front();
  node.status = NodeStatus::kCandidate;
  for (const Pod& pod : question.cluster.pods) {
    if (pod.node_name == node.node) node.victims.push_back(full_name(pod));
    if (pod.node_name.empty() && pod.nominated_node_name == node.node &&
        full_name(pod) != question.preemptor) {
      decision.cleared.push_back(full_name(pod));
    }
  }
  return decision;
}

TEST(Sequel, VictimsAreGoneOrTerminateAndNominationsAreMoved) {
  int terminating = 0;
  for_each_case([&](const Case& question, Random&) {
    const Decision decision = nominate(question);
    const auto& victims = decision.nodes.front().victims;
    const Case after = after_eviction(question, decision);
    expect_valid(after);
    EXPECT_EQ(after.cluster.pods.size() + victims.size(), question.cluster.pods.size());
    const Case during = during_eviction(question, decision);
    expect_valid(during);
    for (const std::string& victim : victims) {
      const Pod& pod = find_pod(during, victim);
      EXPECT_TRUE(pod.deletion_time_us.has_value());
      if (find_pod(question, victim).deletion_time_us) {
        EXPECT_EQ(pod, find_pod(question, victim));
        continue;
      }
      ++terminating;
      const auto condition = std::ranges::find(pod.conditions, "DisruptionTarget", &PodCondition::type);
      ASSERT_NE(condition, pod.conditions.end());
      EXPECT_EQ(condition->reason, "PreemptionByScheduler");
    }
    for (const Case* next : {&after, &during}) {
      EXPECT_EQ(find_pod(*next, question.preemptor).nominated_node_name, decision.nominated.front());
      for (const std::string& pod : decision.cleared) {
        EXPECT_TRUE(find_pod(*next, pod).nominated_node_name.empty());
      }
    }
  });
  EXPECT_GT(terminating, 250);
}

TEST(Nominations, AreTakenAwayFromThoseOnly) {
  int unseen = 0;
  int lesser = 0;
  for_each_case(
      [&](const Case& question, Random&) {
        const std::int32_t priority = find_pod(question, question.preemptor).priority;
        const Case without_unseen = without_unseen_nominations(question);
        const Case without_lesser = without_lesser_nominations(question);
        const Case without_own = without_own_nomination(question);
        for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
          const Pod& pod = question.cluster.pods[i];
          const bool own = full_name(pod) == question.preemptor;
          EXPECT_EQ(without_own.cluster.pods[i].nominated_node_name, own ? "" : pod.nominated_node_name);
          if (without_unseen.cluster.pods[i] != pod) {
            ++unseen;
            EXPECT_TRUE(!pod.scheduling_gates.empty() || pod.scheduler_name != "default-scheduler");
          }
          if (without_lesser.cluster.pods[i] != pod) {
            ++lesser;
            EXPECT_LT(pod.priority, priority);
          }
        }
      },
      2000);
  EXPECT_GT(unseen, 20);
  EXPECT_GT(lesser, 50);
}

TEST(Changes, MakeOfOneClusterWhatTheOtherHolds) {
  std::size_t removals = 0;
  std::uint64_t seed = 5000;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = generators::generate(++seed, {});
    Cluster cluster = question.cluster;
    for (const Change& change : changes_between(question.cluster, other.cluster, random)) {
      apply(change, cluster);
      removals += std::holds_alternative<Removed>(change) ? 1 : 0;
    }
    EXPECT_TRUE(testing::is_permutation(cluster.nodes, other.cluster.nodes));
    EXPECT_TRUE(testing::is_permutation(cluster.pods, other.cluster.pods));
    EXPECT_TRUE(testing::is_permutation(cluster.budgets, other.cluster.budgets));
    EXPECT_TRUE(testing::is_permutation(cluster.namespaces, other.cluster.namespaces));
    EXPECT_TRUE(testing::is_permutation(cluster.claims, other.cluster.claims));
    EXPECT_TRUE(testing::is_permutation(cluster.volumes, other.cluster.volumes));
    EXPECT_TRUE(testing::is_permutation(cluster.csi_nodes, other.cluster.csi_nodes));
  });
  EXPECT_GT(removals, 500U);
}

// So often that who numbers them has more gaps than objects, and closes them.
TEST(Changes, RemoveNodesAndBudgetsDozensOfTimesNowAndThen) {
  std::map<Kind, int> often;
  std::uint64_t seed = 5000;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = generators::generate(++seed, {});
    std::map<Kind, int> removed;
    for (const Change& change : changes_between(question.cluster, other.cluster, random)) {
      if (const auto* gone = std::get_if<Removed>(&change)) ++removed[gone->kind];
    }
    for (const auto& [kind, times] : removed) often[kind] += times > 32 ? 1 : 0;
  });
  EXPECT_GT(often[Kind::kNode], 10);
  EXPECT_GT(often[Kind::kBudget], 5);
}

TEST(Changes, FromNothingSetEveryObjectAndAreToldByKindAndName) {
  const Case question = generators::generate(7, {});
  Cluster cluster;
  for (const Change& change : changes_to(question.cluster)) apply(change, cluster);
  EXPECT_EQ(cluster.nodes, question.cluster.nodes);
  EXPECT_EQ(cluster.pods, question.cluster.pods);
  EXPECT_EQ(cluster.budgets, question.cluster.budgets);
  EXPECT_EQ(to_string(Removed{.kind = Kind::kNode, .name = "n1"}), "remove node n1");
  EXPECT_EQ(to_string(DisruptionBudget{.namespace_ = "default", .name = "b1"}), "set budget default/b1");
  EXPECT_EQ(to_string(VolumeAttachment{.name = "a"}), "set volume attachment a");
}

}  // namespace
}  // namespace reprieve::relations
