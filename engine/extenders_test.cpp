#include "reprieve/engine/extenders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reprieve/engine/sampling.h"
#include "reprieve/engine/test_cluster.h"

namespace reprieve::engine {
namespace {

using testing::budget;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::node;
using testing::pod;
using testing::question;
using testing::running;
using testing::told;

// n1 is better than n2 (lower priority), n2 than n3.
Case three_nodes() {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2"), node("n3")};
  cluster.pods = {running("a", "n1", 1, 4), running("b", "n2", 2, 4), running("c", "n3", 3, 4),
                  pod("in", 10, 4)};
  return question(cluster);
}

Extender scripted(std::map<std::string, ExtenderVictims, std::less<>> answer) {
  Extender out;
  out.name = "e";
  out.answer = std::move(answer);
  return out;
}

Decision with(Extender extender, Depth depth = Depth::kFull) {
  Case q = three_nodes();
  q.extenders = {std::move(extender)};
  return decide(q, depth);
}

TEST(Extenders, MayDropTheBestNode) {
  for (const Depth depth : {Depth::kFull, Depth::kAnswer}) {
    EXPECT_THAT(with(scripted({{"n2", {{"default/b"}, 0}}, {"n3", {{"default/c"}, 0}}}), depth).nominated,
                ElementsAre("n2"));
  }
}

TEST(Extenders, ADroppedNodeIsNoCandidateAndHasNoReasons) {
  const Decision decision = with(scripted({{"n2", {{"default/b"}, 0}}}));
  EXPECT_EQ(told(decision, "n1").status, NodeStatus::kUnschedulable);
  EXPECT_THAT(told(decision, "n1").reasons, IsEmpty());
  EXPECT_FALSE(told(decision, "n1").key);
  EXPECT_EQ(told(decision, "n1").potential_victims.size(), 1U);  // the story of its dry run stays
}

TEST(Extenders, TheirViolationsCount) {
  EXPECT_THAT(with(scripted({{"n2", {{"default/b"}, 7}}, {"n3", {{"default/c"}, 0}}})).nominated,
              ElementsAre("n3"));
}

TEST(Extenders, DroppingEveryNodeKeepsThePreemptorsNomination) {
  Case q = three_nodes();
  q.cluster.pods.back().nominated_node_name = "n1";
  q.extenders = {scripted({})};
  const Decision decision = decide(q, Depth::kFull);
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_THAT(decision.cleared, IsEmpty());
}

TEST(Extenders, AnEmptyVictimListIsFatalUnlessIgnorable) {
  Extender extender = scripted({{"n1", {{}, 0}}, {"n2", {{"default/b"}, 0}}});
  EXPECT_EQ(with(extender).reason, "extender e: expected at least one victim pod on node \"n1\"");
  extender.ignorable = true;
  EXPECT_THAT(with(extender).nominated, ElementsAre("n2"));
}

TEST(Extenders, AnErrorIsFatalUnlessIgnorable) {
  Extender extender;
  extender.name = "e";
  extender.error = "boom";
  EXPECT_EQ(with(extender).outcome, Outcome::kError);
  EXPECT_EQ(with(extender).reason, "extender e: boom");
  extender.ignorable = true;
  EXPECT_THAT(with(extender).nominated, ElementsAre("n1"));
}

TEST(Extenders, AVictimThatIsNotOnTheNodeIsAnError) {
  EXPECT_EQ(with(scripted({{"n1", {{"default/b"}, 0}}})).outcome, Outcome::kError);
}

TEST(Extenders, LevelTwoReadsTheFirstPodOfTheAnswer) {
  Case q = three_nodes();
  q.cluster.pods.insert(q.cluster.pods.begin(), running("high", "n1", 9, 0));
  q.extenders = {scripted({{"n1", {{"default/a", "default/high"}, 0}}, {"n2", {{"default/b"}, 0}}})};
  EXPECT_THAT(decide(q, Depth::kFull).nominated, ElementsAre("n1"));
  q.extenders = {scripted({{"n1", {{"default/high", "default/a"}, 0}}, {"n2", {{"default/b"}, 0}}})};
  EXPECT_THAT(decide(q, Depth::kFull).nominated, ElementsAre("n2"));
}

TEST(Extenders, OnlyThoseThatManageAResourceOfAContainerAreAsked) {
  Extender extender = scripted({{"n3", {{"default/c"}, 0}}});
  extender.managed_resources = {"example.com/gpu"};
  EXPECT_THAT(with(extender).nominated, ElementsAre("n1"));
  extender.managed_resources = {"example.com/gpu", "cpu"};
  EXPECT_THAT(with(extender).nominated, ElementsAre("n3"));
  extender.supports_preemption = false;
  EXPECT_THAT(with(extender).nominated, ElementsAre("n1"));
}

TEST(Extenders, AUrlIsAskedThroughTheCallerElseItIsAnError) {
  Case q = three_nodes();
  Extender extender;
  extender.name = "e";
  extender.url = "http://localhost";
  q.extenders = {extender};
  EXPECT_EQ(decide(q, Depth::kFull).outcome, Outcome::kError);
  const AskExtender ask = [](const Extender&, std::string_view preemptor, const ExtenderNodes& nodes) {
    EXPECT_EQ(preemptor, "default/in");
    ExtenderNodes answer;
    answer["n3"] = nodes.find("n3")->second;
    return std::expected<ExtenderNodes, std::string>(answer);
  };
  EXPECT_THAT(decide(q, Depth::kFull, ask).nominated, ElementsAre("n3"));
}

TEST(Sampling, StopsOnceEnoughCandidatesAreFoundFromTheOffset) {
  Case q = three_nodes();
  q.policy.sampling = Sampling{.min_percentage = 0, .min_absolute = 1, .offset = 1};
  Decision decision = decide(q, Depth::kFull);
  EXPECT_THAT(decision.nominated, ElementsAre("n2"));
  EXPECT_FALSE(told(decision, "n3").tried);
  q.policy.sampling->min_absolute = 2;
  EXPECT_THAT(decide(q, Depth::kAnswer).nominated, ElementsAre("n2"));
  q.policy.sampling->offset = 2;  // n3, then round to n1
  EXPECT_THAT(decide(q, Depth::kAnswer).nominated, ElementsAre("n1"));
}

TEST(Sampling, GoesOnUntilACandidateWithoutViolations) {
  Case q = three_nodes();
  for (Pod& p : q.cluster.pods) p.labels = {{"app", p.name == "c" ? "free" : "guarded"}};
  q.cluster.budgets = {budget("b", 0, {{"app", "guarded"}})};
  q.policy.sampling = Sampling{.min_percentage = 0, .min_absolute = 1, .offset = 0};
  EXPECT_THAT(decide(q, Depth::kFull).nominated, ElementsAre("n3"));
}

// newCandidateList has room for the wanted number only: of the violating ones the first are kept.
TEST(Sampling, AFullListDropsLaterCandidates) {
  Case q = three_nodes();
  q.cluster.pods[2].priority = 0;  // n3 would be the best
  for (Pod& p : q.cluster.pods) p.labels = {{"app", "guarded"}};
  q.cluster.budgets = {budget("b", 0, {{"app", "guarded"}})};
  q.policy.sampling = Sampling{.min_percentage = 0, .min_absolute = 2, .offset = 0};
  EXPECT_THAT(decide(q, Depth::kFull).nominated, ElementsAre("n1"));
}

TEST(Sampling, ThePercentageIsOfThePotentialNodesRoundedDown) {
  Sample sample(Sampling{.min_percentage = 10, .min_absolute = 1, .offset = -1}, 39);
  EXPECT_EQ(sample.node(0), 38U);
  EXPECT_TRUE(sample.take(false));
  EXPECT_TRUE(sample.take(true));
  EXPECT_FALSE(sample.full());
  EXPECT_TRUE(sample.take(false));
  EXPECT_TRUE(sample.full());
}

}  // namespace
}  // namespace reprieve::engine
