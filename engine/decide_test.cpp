// Corners of the flow. What the filters say of ordinary clusters is held against the real
// kube-scheduler's recorded decisions elsewhere.
#include "reprieve/engine/decide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

Decision full(const Case& q) { return decide(q, Depth::kFull); }

TEST(Decide, OutcomeFitsComesBeforeIneligible) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {pod("in", 10, 1)};
  cluster.pods.back().preemption_policy = PreemptionPolicy::kNever;
  EXPECT_EQ(full(question(cluster)).outcome, Outcome::kFits);
  cluster.pods.insert(cluster.pods.begin(), running("a", "n1", 0, 4));
  const Decision decision = full(question(cluster));
  EXPECT_EQ(decision.outcome, Outcome::kIneligible);
  EXPECT_EQ(decision.reason, "not eligible due to preemptionPolicy=Never.");
  EXPECT_EQ(told(decision, "n1").status, NodeStatus::kUnschedulable);
}

TEST(Decide, AnAbsentOrRunningPreemptorIsAnError) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 0, 4)};
  EXPECT_EQ(full(question(cluster)).outcome, Outcome::kError);
  Case absent = question(cluster);
  absent.preemptor = "default/none";
  EXPECT_EQ(full(absent).outcome, Outcome::kError);
}

TEST(Decide, APolicyThatContradictsTheSnapshotOrItselfIsAnErrorThatNamesTheField) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {pod("in", 10, 1)};
  Case q = question(cluster);
  q.policy.victims = VictimSearch::kExact;
  EXPECT_THAT(full(q).reason, ::testing::HasSubstr("violations"));
  const Snapshot snapshot(cluster, Release::k1_36);
  Workspace workspace;
  EXPECT_THAT(
      decide(snapshot, "default/in", kubernetes_policy(Release::k1_37), {}, Depth::kFull, workspace).reason,
      ::testing::HasSubstr("release"));
}

TEST(Decide, WithoutNodesThereIsNoCandidateAndTheNominationIsCleared) {
  Cluster cluster;
  cluster.pods = {pod("in", 10, 1)};
  cluster.pods[0].nominated_node_name = "gone";
  const Decision decision = full(question(cluster));
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_THAT(decision.cleared, ElementsAre("default/in"));
}

// n1 is nearly full of a pod that may not go; n2's pod starts later, so n2 wins level 5.
TEST(Decide, TellsTheTieTheWinnerAndWhatDecided) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2"), node("n3")};
  cluster.pods = {running("a", "n1", 0, 4, 10), running("b", "n2", 0, 4, 20), running("c", "n3", 0, 4, 20),
                  pod("in", 10, 4)};
  const Decision decision = full(question(cluster));
  EXPECT_THAT(decision.nominated, ElementsAre("n2", "n3"));
  EXPECT_EQ(decision.decided_by, NodeCriterion::kLatestStart);
  const Decision answer = decide(question(cluster), Depth::kAnswer);
  EXPECT_THAT(answer.nominated, ElementsAre("n2", "n3"));
  EXPECT_EQ(answer.nodes.size(), 2U);
}

TEST(Decide, ATotalTieIsDecidedByNothing) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.pods = {running("a", "n1", 0, 4), running("b", "n2", 0, 4), pod("in", 10, 4)};
  const Decision decision = full(question(cluster));
  EXPECT_EQ(decision.nominated.size(), 2U);
  EXPECT_FALSE(decision.decided_by);
}

TEST(Decide, TooManyPodsIsCuredByEvictionThoughTheRequestExceedsNothing) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4, 1)};
  cluster.pods = {running("a", "n1", 0, 0), pod("in", 10, 0)};
  const Decision decision = full(question(cluster));
  EXPECT_EQ(decision.outcome, Outcome::kNominated);
  ASSERT_TRUE(told(decision, "n1").filter_failure);
  EXPECT_THAT(told(decision, "n1").filter_failure->shortfalls, ElementsAre(Shortfall{"pods", 1, 1, 1}));
}

TEST(Decide, ARequestAboveAllocatableIsUnresolvableWhateverElseFails) {
  Cluster cluster;
  cluster.nodes = {node("n1", 4, 1)};
  cluster.pods = {running("a", "n1", 0, 0), pod("in", 10, 5)};
  const Decision decision = full(question(cluster));
  EXPECT_EQ(told(decision, "n1").status, NodeStatus::kUnresolvable);
  EXPECT_THAT(told(decision, "n1").reasons, ElementsAre("Too many pods", "Insufficient cpu"));
}

// Both lists of an overcommitted node: what is asked 0 of is not looked at.
TEST(Decide, AnOvercommittedResourceThatIsNotAskedForDoesNotMatter) {
  Cluster cluster;
  cluster.nodes = {node("n1", 1)};
  cluster.pods = {running("a", "n1", 100, 9), pod("in", 10, 0)};
  EXPECT_EQ(full(question(cluster)).outcome, Outcome::kFits);
}

TEST(Decide, OneOfTwoHoldersOfAHostPortFreesItForAll) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("high", "n1", 100, 0), running("low", "n1", 0, 0), pod("in", 10, 0)};
  for (Pod& p : cluster.pods) p.containers[0].ports = {{.container_port = 1, .host_port = 80}};
  const Decision decision = full(question(cluster));
  EXPECT_EQ(decision.outcome, Outcome::kNominated);
  EXPECT_THAT(told(decision, "n1").victims, ElementsAre("default/low"));
}

TEST(Decide, APortOnOneAddressConflictsWithTheWildcardAndItself) {
  const auto outcome = [](std::string held, std::string wanted, std::string protocol = "TCP") {
    Cluster cluster;
    cluster.nodes = {node("n1")};
    cluster.pods = {running("a", "n1", 100, 0), pod("in", 10, 0)};
    cluster.pods[0].containers[0].ports = {{1, 80, "TCP", held}};
    cluster.pods[1].containers[0].ports = {{1, 80, protocol, wanted}};
    return full(question(cluster)).outcome;
  };
  EXPECT_EQ(outcome("10.0.0.1", "10.0.0.2"), Outcome::kFits);
  EXPECT_EQ(outcome("10.0.0.1", ""), Outcome::kNoCandidate);
  EXPECT_EQ(outcome("", "10.0.0.2"), Outcome::kNoCandidate);
  EXPECT_EQ(outcome("10.0.0.1", "10.0.0.1"), Outcome::kNoCandidate);
  EXPECT_EQ(outcome("", "", "UDP"), Outcome::kFits);
}

Cluster nominated_cluster() {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 0, 3), pod("q", 10, 2), pod("in", 10, 2)};
  cluster.pods[1].nominated_node_name = "n1";
  return cluster;
}

TEST(Nominated, APodOfEqualPriorityHoldsItsPlace) {
  const Decision decision = full(question(nominated_cluster()));
  EXPECT_EQ(decision.outcome, Outcome::kNominated);  // 2 + 2 fit once `a` is gone
  EXPECT_FALSE(told(decision, "n1").filter_failure->with_nominated);
  ASSERT_EQ(told(decision, "n1").potential_victims.size(), 1U);
  EXPECT_TRUE(told(decision, "n1").potential_victims[0].not_reprieved.has_value());
}

TEST(Nominated, AFailureOnlyBecauseOfNominatedPodsSaysSo) {
  Cluster cluster = nominated_cluster();
  cluster.pods[0].containers[0].requests["cpu"] = {1, 0};
  const Decision decision = full(question(cluster));
  EXPECT_TRUE(told(decision, "n1").filter_failure->with_nominated);
}

TEST(Nominated, AGatedPodsNominationCountsIn137Only) {
  Cluster cluster = nominated_cluster();
  cluster.pods[0].containers[0].requests["cpu"] = {1, 0};
  cluster.pods[1].scheduling_gates = {"wait"};
  EXPECT_EQ(full(question(cluster, Release::k1_36)).outcome, Outcome::kFits);
  EXPECT_EQ(full(question(cluster, Release::k1_37)).outcome, Outcome::kNominated);
}

TEST(Nominated, AnotherSchedulersPodIsNeitherCountedNorCleared) {
  Cluster cluster = nominated_cluster();
  cluster.pods[1].scheduler_name = "other";
  cluster.pods[1].priority = 5;
  EXPECT_THAT(full(question(cluster)).cleared, IsEmpty());
  cluster.pods[1].scheduler_name = "default-scheduler";
  EXPECT_THAT(full(question(cluster)).cleared, ElementsAre("default/q"));
}

TEST(Nominated, NothingIsClearedWhenEveryVictimIsTerminating) {
  Cluster cluster = nominated_cluster();
  cluster.pods[1].priority = 5;
  cluster.pods[0].deletion_time_us = 1;
  EXPECT_THAT(full(question(cluster)).cleared, IsEmpty());
}

TEST(Eligibility, OnlyTheFirstDisruptionTargetConditionCounts) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 0, 4), pod("in", 10, 4)};
  cluster.pods[1].nominated_node_name = "n1";
  cluster.pods[0].deletion_time_us = 1;
  cluster.pods[0].conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  EXPECT_EQ(full(question(cluster)).outcome, Outcome::kIneligible);
  cluster.pods[0].conditions.insert(cluster.pods[0].conditions.begin(),
                                    {"DisruptionTarget", "True", "Other"});
  EXPECT_EQ(full(question(cluster)).outcome, Outcome::kNominated);
}

// The nominated node may be unresolvable by its own filters: then the pod may preempt elsewhere.
TEST(Eligibility, AnUnresolvableNominatedNodeIsGivenUp) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.nodes[0].unschedulable = true;
  cluster.pods = {running("a", "n1", 0, 4), running("b", "n2", 0, 4), pod("in", 10, 4)};
  cluster.pods[2].nominated_node_name = "n1";
  cluster.pods[0].deletion_time_us = 1;
  cluster.pods[0].conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  EXPECT_THAT(full(question(cluster)).nominated, ElementsAre("n2"));
}

TEST(Budgets, ABudgetWithAnEmptyOrInvalidSelectorSelectsNothing) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 0, 4), pod("in", 10, 4)};
  cluster.pods[0].labels = {{"app", "x"}};
  const auto violations = [&](std::optional<LabelSelector> selector) {
    cluster.budgets = {budget("b", 0, {})};
    cluster.budgets[0].selector = std::move(selector);
    return told(full(question(cluster)), "n1").violations;
  };
  EXPECT_EQ(violations(LabelSelector{{{"app", "x"}}, {}}), 1);
  EXPECT_EQ(violations(LabelSelector{}), 0);
  EXPECT_EQ(violations(std::nullopt), 0);
  EXPECT_EQ(violations(LabelSelector{{}, {{"app", SelectorOperator::kGt, {"1"}}}}), 0);
  EXPECT_EQ(violations(LabelSelector{{}, {{"none", SelectorOperator::kDoesNotExist, {}}}}), 1);
  cluster.pods[0].labels.clear();  // a pod without labels is charged to no budget at all
  EXPECT_EQ(violations(LabelSelector{{}, {{"none", SelectorOperator::kDoesNotExist, {}}}}), 0);
}

TEST(Budgets, TheStoryTellsEachChargeAndWhatItLeft) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 1, 2), running("b", "n1", 0, 2), pod("in", 10, 4)};
  for (Pod& p : cluster.pods) p.labels = {{"app", "x"}};
  cluster.budgets = {budget("first", 1, {{"app", "x"}}), budget("second", 9, {{"app", "x"}})};
  cluster.budgets[1].disrupted_pods = {"b"};
  const Decision decision = full(question(cluster));
  const auto& victims = told(decision, "n1").potential_victims;
  ASSERT_EQ(victims.size(), 2U);
  EXPECT_THAT(victims[0].charges,
              ElementsAre(Charge{"default/first", 0, false}, Charge{"default/second", 8, false}));
  EXPECT_THAT(victims[1].charges, ElementsAre(Charge{"default/first", -1, false}));  // stopped there
  EXPECT_TRUE(victims[1].violating);
  const Decision older = full(question(cluster, Release::k1_36));
  EXPECT_THAT(told(older, "n1").potential_victims[1].charges,
              ElementsAre(Charge{"default/first", -1, false}, Charge{"default/second", 8, true}));
}

TEST(Importance, AnyOrderOfTheKnownCriteriaCanBeAsked) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("young-high", "n1", 5, 2, 20), running("old-low", "n1", 1, 2, 10),
                  pod("in", 10, 2)};
  Case q = question(cluster);
  EXPECT_THAT(told(full(q), "n1").victims, ElementsAre("default/old-low"));
  q.policy.importance = {ImportanceCriterion::kStartTime, ImportanceCriterion::kPriority};
  EXPECT_THAT(told(full(q), "n1").victims, ElementsAre("default/young-high"));
  q.policy.importance = {};  // input order
  EXPECT_THAT(told(full(q), "n1").victims, ElementsAre("default/old-low"));
}

TEST(NodeAffinity, NamesRestrictTheNodesAndConflictingOnesForbidAll) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.pods = {running("a", "n1", 0, 4), running("b", "n2", 0, 4), pod("in", 10, 4)};
  NodeSelectorTerm term{.match_expressions = {},
                        .match_fields = {{"metadata.name", SelectorOperator::kIn, {"n2"}}}};
  cluster.pods[2].affinity.required_node_affinity = NodeSelector{{term}};
  Decision decision = full(question(cluster));
  EXPECT_THAT(decision.nominated, ElementsAre("n2"));
  EXPECT_THAT(told(decision, "n1").reasons, ElementsAre("node(s) didn't satisfy plugin(s) [NodeAffinity]"));
  term.match_fields.push_back({"metadata.name", SelectorOperator::kIn, {"n1"}});
  cluster.pods[2].affinity.required_node_affinity = NodeSelector{{term}};
  decision = full(question(cluster));
  EXPECT_THAT(told(decision, "n2").reasons, ElementsAre("pod affinity terms conflict"));
}

// evaluateNominatedNode does not ask the pre-filters which nodes are left.
TEST(NodeAffinity, TheNominatedNodeIsFilteredThoughAPreFilterLeftItOut) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.pods = {running("a", "n1", 0, 4), running("b", "n2", 0, 4), pod("in", 10, 4)};
  cluster.pods[2].nominated_node_name = "n1";
  cluster.pods[2].affinity.required_node_affinity = NodeSelector{
      {{.match_expressions = {}, .match_fields = {{"metadata.name", SelectorOperator::kIn, {"n2"}}}}}};
  EXPECT_THAT(told(full(question(cluster)), "n1").reasons,
              ElementsAre("node(s) didn't match Pod's node affinity/selector"));
}

TEST(VolumeLimits, ADiskInThePodIsCountedOnceMigratedToItsCsiDriver) {
  const auto outcome = [](VolumeKind kind, const char* driver, bool has_csi_node) {
    Cluster cluster;
    cluster.nodes = {node("n1")};
    cluster.pods = {running("a", "n1", 100, 0), pod("in", 10, 0)};
    cluster.pods[0].volumes = {{.name = "v", .kind = kind, .source = "d1"}};
    cluster.pods[1].volumes = {{.name = "v", .kind = kind, .source = "d2"}};
    if (has_csi_node) cluster.csi_nodes = {{.name = "n1", .drivers = {{driver, 1}}, .migrated_plugins = {}}};
    return full(question(cluster)).outcome;
  };
  EXPECT_EQ(outcome(VolumeKind::kAwsElasticBlockStore, "ebs.csi.aws.com", true), Outcome::kNoCandidate);
  EXPECT_EQ(outcome(VolumeKind::kGcePersistentDisk, "pd.csi.storage.gke.io", true), Outcome::kNoCandidate);
  EXPECT_EQ(outcome(VolumeKind::kAwsElasticBlockStore, "other", true), Outcome::kFits);
  EXPECT_EQ(outcome(VolumeKind::kAwsElasticBlockStore, "ebs.csi.aws.com", false), Outcome::kFits);
}

TEST(VolumeLimits, AMissingDriverThatForbidsItIsUnschedulableIn137Only) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {running("a", "n1", 0, 0), pod("in", 10, 0)};
  cluster.pods[1].volumes = {{.name = "v", .kind = VolumeKind::kClaim, .source = "c"}};
  PersistentVolumeClaim claim;
  claim.name = "c";
  claim.volume_name = "pv";
  claim.annotations["pv.kubernetes.io/bind-completed"] = "yes";
  cluster.claims = {claim};
  PersistentVolume volume;
  volume.name = "pv";
  volume.source_kind = "csi";
  volume.csi_driver = "d";
  volume.csi_volume_handle = "h";
  cluster.volumes = {volume};
  cluster.csi_drivers = {{.name = "d", .prevent_pod_scheduling_if_missing = true}};
  EXPECT_EQ(full(question(cluster, Release::k1_36)).outcome, Outcome::kFits);
  const Decision decision = full(question(cluster));
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidate);
  EXPECT_TRUE(told(decision, "n1").tried);  // unschedulable, so eviction is tried, and does not help
  EXPECT_THAT(told(decision, "n1").reasons, ElementsAre("d CSI driver is not installed on the node"));
}

// 1.36 holds the namespace selector of the preemptor's term against no labels at all.
TEST(Affinity, ANamespaceSelectorThatNoLabelsSatisfyMatchesEveryNamespaceIn136Only) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.namespaces = {{"other", {{"team", "x"}}}};
  cluster.pods = {running("a", "n1", 100, 0), pod("in", 10, 0)};
  cluster.pods[0].namespace_ = "other";
  cluster.pods[0].labels = {{"app", "x"}};
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  term.namespace_selector = LabelSelector{{}, {{"team", SelectorOperator::kNotIn, {"x"}}}};
  cluster.pods[1].affinity.required_pod_anti_affinity = {term};
  EXPECT_EQ(full(question(cluster, Release::k1_36)).outcome, Outcome::kNoCandidate);
  EXPECT_EQ(full(question(cluster, Release::k1_37)).outcome, Outcome::kFits);
}

TEST(Affinity, ANominatedPodsAntiAffinityCountsOnlyIfThePluginIsNotSkipped) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.pods = {pod("q", 20, 0), pod("in", 10, 0)};
  cluster.pods[1].labels = {{"app", "x"}};
  cluster.pods[0].nominated_node_name = "n1";
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  cluster.pods[0].affinity.required_pod_anti_affinity = {term};
  EXPECT_EQ(told(full(question(cluster)), "n1").status, NodeStatus::kFits);
  Pod far = running("far", "n2", 100, 0);  // its term is relevant, so the plugin is not skipped
  far.affinity.required_pod_anti_affinity = {term};
  cluster.pods.insert(cluster.pods.begin(), far);
  EXPECT_EQ(told(full(question(cluster)), "n1").status, NodeStatus::kUnschedulable);
}

TEST(Affinity, AnUnparsableTermTurnsThePodAwayEverywhere) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {pod("in", 10, 1)};
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{}, {{"a", SelectorOperator::kIn, {}}}};
  term.topology_key = "kubernetes.io/hostname";
  cluster.pods[0].affinity.required_pod_anti_affinity = {term};
  const Decision decision = full(question(cluster));
  EXPECT_EQ(told(decision, "n1").status, NodeStatus::kUnresolvable);
  EXPECT_THAT(told(decision, "n1").reasons[0],
              ::testing::StartsWith("parsing pod: requiredAntiAffinityTerms: "));
  cluster.pods = {running("a", "n1", 100, 1), pod("in", 10, 1)};  // of a running pod it rejects nobody
  cluster.pods[0].affinity.required_pod_anti_affinity = {term};
  EXPECT_EQ(full(question(cluster)).outcome, Outcome::kFits);
}

TEST(Spread, AnUnparsableSelectorFailsTheWholeAttempt) {
  Cluster cluster;
  cluster.nodes = {node("n1")};
  cluster.pods = {pod("in", 10, 1)};
  TopologySpreadConstraint constraint;
  constraint.topology_key = "kubernetes.io/hostname";
  constraint.label_selector = LabelSelector{{}, {{"a", SelectorOperator::kInvalid, {}}}};
  cluster.pods[0].topology_spread_constraints = {constraint};
  EXPECT_EQ(full(question(cluster)).outcome, Outcome::kError);
}

// The victim is terminating: it was never counted, but taking it off subtracts it.
TEST(Spread, TakingOffATerminatingPodSubtractsOneThatWasNeverCounted) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  cluster.pods = {running("a", "n1", 100, 0), running("going", "n1", 0, 0), running("far", "n2", 100, 4),
                  pod("in", 10, 1)};
  for (Pod& p : cluster.pods) p.labels = {{"app", "x"}};
  cluster.pods[2].labels.clear();
  cluster.pods[1].deletion_time_us = 1;
  TopologySpreadConstraint constraint;
  constraint.topology_key = "kubernetes.io/hostname";
  constraint.label_selector = LabelSelector{{{"app", "x"}}, {}};
  cluster.pods[3].topology_spread_constraints = {constraint};
  const Decision decision = full(question(cluster));
  // n1: counted 1, n2: 0. 1 + 1 - 0 > 1; without `going` the patch makes it 0 + 1 - 0.
  EXPECT_THAT(decision.nominated, ElementsAre("n1"));
  EXPECT_THAT(told(decision, "n1").victims, ElementsAre("default/going"));
}

}  // namespace
}  // namespace reprieve::engine
