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
    cluster.pods = {pod("low", 1), pod("kept", 2), pod("waiting", 3), pod("high", 100)};
    cluster.pods[0].node_name = cluster.pods[1].node_name = "n1";
    cluster.pods[2].nominated_node_name = "n1";
  }

  Consequences after(const Decision& decision) const {
    return consequences(decision, cluster.pods[3], PodIndex(cluster));
  }

  Cluster cluster;
};

TEST_F(Apply, ANominationRemovesVictimsClearsAndNominates) {
  Decision decision{
      .outcome = Outcome::kNominated, .nominated = {"n1", "n2"}, .cleared = {"default/waiting"}};
  decision.nodes = {{.node = "n1", .status = NodeStatus::kCandidate, .victims = {"default/low"}}};
  const Consequences result = after(decision);
  EXPECT_EQ(result.node, "n1");
  EXPECT_THAT(result.gone, ElementsAre("default/low"));
  ASSERT_EQ(result.changed.size(), 2U);
  EXPECT_EQ(result.changed[0].name, "waiting");
  EXPECT_EQ(result.changed[0].nominated_node_name, "");
  EXPECT_EQ(result.changed[1].name, "high");
  EXPECT_EQ(result.changed[1].nominated_node_name, "n1");
  EXPECT_EQ(result.changed[1].node_name, "");  // bound only by a later attempt
}

TEST_F(Apply, APodThatFitsIsBoundToItsNominatedNodeElseToTheFirst) {
  Decision decision{.outcome = Outcome::kFits};
  decision.nodes = {{.node = "n1", .status = NodeStatus::kFits}, {.node = "n2", .status = NodeStatus::kFits}};
  EXPECT_EQ(after(decision).changed.at(0).node_name, "n1");
  cluster.pods[3].nominated_node_name = "n2";
  EXPECT_EQ(after(decision).changed.at(0).node_name, "n2");
  EXPECT_EQ(after(decision).changed.at(0).nominated_node_name, "");
}

TEST_F(Apply, WithoutACandidateTheNominationGoes) {
  cluster.pods[3].nominated_node_name = "n2";
  const Consequences result = after({.outcome = Outcome::kNoCandidate, .cleared = {"default/high"}});
  ASSERT_EQ(result.changed.size(), 1U);
  EXPECT_EQ(result.changed[0].nominated_node_name, "");
  EXPECT_EQ(result.node, "");
}

TEST_F(Apply, AnIneligiblePodChangesNothing) {
  const Consequences result = after({.outcome = Outcome::kIneligible});
  EXPECT_THAT(result.changed, IsEmpty());
  EXPECT_THAT(result.gone, IsEmpty());
}

}  // namespace
}  // namespace reprieve::cli
