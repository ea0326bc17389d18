#include "reprieve/cli/queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reprieve/cli/apply.h"

namespace reprieve::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Pod pod(const std::string& name, std::int32_t priority) {
  Pod pod;
  pod.name = name;
  pod.priority = priority;
  return pod;
}

std::vector<std::string> names_of_queue(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const std::size_t index : scheduling_queue(cluster)) names.push_back(cluster.pods[index].name);
  return names;
}

TEST(SchedulingQueue, IsByPriorityThenAgeThenName) {
  Cluster cluster;
  cluster.pods = {pod("b", 1),   pod("a", 1),      pod("young", 1),
                  pod("old", 1), pod("urgent", 2), pod("lowest", -2147483648)};
  cluster.pods[2].creation_time_us = 20;
  cluster.pods[3].creation_time_us = 10;
  EXPECT_THAT(names_of_queue(cluster), ElementsAre("urgent", "old", "young", "a", "b", "lowest"));
}

TEST(SchedulingQueue, LeavesOutWhatTheSchedulerWouldNotTry) {
  Cluster cluster;
  cluster.pods = {pod("running", 1), pod("gated", 1), pod("terminating", 1), pod("foreign", 1),
                  pod("unbound", 1)};
  cluster.pods[0].node_name = "n1";
  cluster.pods[1].scheduling_gates = {"hold"};
  cluster.pods[2].deletion_time_us = 0;
  cluster.pods[3].scheduler_name = "other";
  cluster.pods[4].phase = PodPhase::kRunning;
  EXPECT_THAT(names_of_queue(cluster), IsEmpty());
}

class Apply : public testing::Test {
 protected:
  Apply() {
    cluster.nodes.resize(2);
    cluster.nodes[0].name = "n1";
    cluster.nodes[1].name = "n2";
    cluster.pods = {pod("low", 1), pod("kept", 2), pod("waiting", 3), pod("high", 100)};
    cluster.pods[0].node_name = cluster.pods[1].node_name = "n1";
    cluster.pods[2].nominated_node_name = "n1";
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Pod& pod : cluster.pods) names.push_back(pod.name);
    return names;
  }

  Cluster cluster;
};

TEST_F(Apply, ANominationRemovesVictimsClearsAndNominates) {
  Decision decision{
      .outcome = Outcome::kNominated, .nominated = {"n1", "n2"}, .cleared = {"default/waiting"}};
  decision.nodes = {{.node = "n1", .status = NodeStatus::kCandidate, .victims = {"default/low"}}};
  EXPECT_EQ(apply(decision, "default/high", cluster), "n1");
  EXPECT_THAT(names(), ElementsAre("kept", "waiting", "high"));
  EXPECT_EQ(cluster.pods[1].nominated_node_name, "");
  EXPECT_EQ(cluster.pods[2].nominated_node_name, "n1");
  EXPECT_EQ(cluster.pods[2].node_name, "");  // bound only by a later attempt
}

TEST_F(Apply, APodThatFitsIsBoundToItsNominatedNodeElseToTheFirst) {
  Decision decision{.outcome = Outcome::kFits};
  decision.nodes = {{.node = "n1", .status = NodeStatus::kFits}, {.node = "n2", .status = NodeStatus::kFits}};
  Cluster again = cluster;
  EXPECT_EQ(apply(decision, "default/high", cluster), "n1");
  EXPECT_EQ(cluster.pods[3].node_name, "n1");
  again.pods[3].nominated_node_name = "n2";
  EXPECT_EQ(apply(decision, "default/high", again), "n2");
  EXPECT_EQ(again.pods[3].nominated_node_name, "");
}

TEST_F(Apply, WithoutACandidateTheNominationGoes) {
  cluster.pods[3].nominated_node_name = "n2";
  EXPECT_EQ(apply({.outcome = Outcome::kNoCandidate, .cleared = {"default/high"}}, "default/high", cluster),
            "");
  EXPECT_EQ(cluster.pods[3].nominated_node_name, "");
}

TEST_F(Apply, AnIneligiblePodChangesNothing) {
  const Cluster before = cluster;
  EXPECT_EQ(apply({.outcome = Outcome::kIneligible}, "default/high", cluster), "");
  EXPECT_EQ(cluster, before);
}

}  // namespace
}  // namespace reprieve::cli
