#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

using ::testing::ElementsAre;
using testing::node, testing::pod, testing::question, testing::running, testing::told;

// A missing one is 30 seconds: more than "quick" has, less than "slow".
TEST(TerminationGracePeriod, TheLongerIsTheMoreImportantAndAMissingOneIs30Seconds) {
  Cluster cluster;
  cluster.nodes = {node("n1", 6)};
  cluster.pods = {running("quick", "n1", 0, 2), running("plain", "n1", 0, 2), running("slow", "n1", 0, 2),
                  pod("in", 10, 4)};
  cluster.pods[0].termination_grace_period_s = 29;
  cluster.pods[2].termination_grace_period_s = 31;
  Case q = question(cluster);
  q.policy.importance = {ImportanceCriterion::kTerminationGracePeriod};
  EXPECT_THAT(told(decide(q, Depth::kFull), "n1").victims, ElementsAre("default/plain", "default/quick"));
}

}  // namespace
}  // namespace reprieve::engine
