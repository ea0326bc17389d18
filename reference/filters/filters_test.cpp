// Where a filter does not do what one would expect of it: patched counts, sets, skipped plugins,
// statuses, and the differences between releases.
#include <gtest/gtest.h>

#include "reprieve/reference/decide.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using namespace testing;

Decision in_136(Case q) {
  q.policy = kubernetes_policy(Release::k1_36);
  return decide(q);
}

TEST(Filters, AnEarlierShortageHidesALaterMissingLabel) {
  Case q = question({node("n", 4)}, {running("a", "n", 4)});
  preemptor(q).topology_spread_constraints = {{.topology_key = "rack", .label_selector = app("in")}};
  EXPECT_EQ(node_of(decide(q), "n").filter_failure->reasons, Names{"Insufficient cpu"});
  EXPECT_TRUE(node_of(decide(q), "n").tried);
  q.cluster.pods[0].containers = {container(0)};
  EXPECT_EQ(node_of(decide(q), "n").status, NodeStatus::kUnresolvable);
}

TEST(Filters, TooManyPodsIsNeverUnresolvable) {
  Case q = question({node("n", 4)}, {running("a", "n", 0)});
  q.cluster.nodes[0].allocatable["pods"] = {};
  EXPECT_TRUE(node_of(decide(q), "n").tried);
  preemptor(q).containers = {container(5000)};
  EXPECT_EQ(node_of(decide(q), "n").status, NodeStatus::kUnresolvable);
  EXPECT_EQ(node_of(decide(q), "n").reasons, (Names{"Too many pods", "Insufficient cpu"}));
}

TEST(Filters, AResourceOfWhichNothingIsAskedIsNotLookedAt) {
  Case q = question({node("n", 1)}, {running("a", "n", 4)});
  preemptor(q).containers = {container(0)};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
}

TEST(Filters, TheFirstTwoFiltersChangedPlacesIn137) {
  // A preemptor names no node, so no decision shows it; the order is kept for what comes later.
  const auto first_two = [](Release release) {
    const Case q = question({node("n")}, {}, release);
    const auto plugins = make_default_plugins(Situation(q, q.cluster.pods.back()));
    return Names{std::string(plugins[0]->name()), std::string(plugins[1]->name())};
  };
  EXPECT_EQ(first_two(Release::k1_36), (Names{"NodeUnschedulable", "NodeName"}));
  EXPECT_EQ(first_two(Release::k1_37), (Names{"NodeName", "NodeUnschedulable"}));
}

TEST(Filters, ATolerationWithoutKeyAndWithEqualToleratesByValueAlone) {
  Case q = question({node("n", 4)}, {});
  q.cluster.nodes[0].taints = {{"any", "v", TaintEffect::kNoSchedule}};
  preemptor(q).tolerations = {{.key = "", .op = TolerationOperator::kEqual, .value = "v"}};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  preemptor(q).tolerations[0].op = TolerationOperator::kGt;
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
}

TEST(Filters, TakingOffOneHolderOfAHostPortFreesItForAll) {
  // A more important pod holds the same port; the set forgets it with the less important one.
  Case q = question({node("n", 4)}, {running("keeper", "n", 1, 500), running("low", "n", 1)});
  const ContainerPort port{.container_port = 80, .host_port = 80};
  for (Pod& pod : q.cluster.pods) pod.containers[0].ports = {port};
  const Decision decision = decide(q);
  EXPECT_EQ(decision.outcome, Outcome::kNominated);
  EXPECT_EQ(node_of(decision, "n").victims, Names{"default/low"});
}

TEST(Filters, HostPortsConflictByAddressAndProtocol) {
  Case q = question({node("n", 4)}, {running("a", "n", 1)});
  q.cluster.pods[0].containers[0].ports = {{.host_port = 80, .protocol = "TCP", .host_ip = "10.0.0.1"}};
  const auto fits = [&q](const std::string& protocol, const std::string& ip) {
    preemptor(q).containers[0].ports = {{.host_port = 80, .protocol = protocol, .host_ip = ip}};
    return decide(q).outcome == Outcome::kFits;
  };
  EXPECT_FALSE(fits("TCP", ""));
  EXPECT_FALSE(fits("TCP", "10.0.0.1"));
  EXPECT_TRUE(fits("TCP", "10.0.0.2"));
  EXPECT_TRUE(fits("TCP", "::"));
  EXPECT_TRUE(fits("UDP", ""));
}

TEST(Filters, ATerminatingPodIsSubtractedFromASpreadThatNeverCountedIt) {
  // Zone a holds two living pods and a terminating one, zone b none, maxSkew 2. Taking the
  // terminating pod off makes the count two less one: the node fits with it gone, the others spared.
  Case q = question({node("n", 8, "a"), node("m", 0, "b")},
                    {running("x1", "n", 0), running("x2", "n", 0), running("x3", "n", 0)});
  for (Pod& pod : q.cluster.pods) pod.labels = {{"app", "x"}};
  q.cluster.pods[2].deletion_time_us = kNoon;
  preemptor(q).topology_spread_constraints = {
      {.max_skew = 2, .topology_key = "zone", .label_selector = app("x")}};
  const Decision decision = decide(q);
  ASSERT_EQ(decision.outcome, Outcome::kNominated);
  // x1 and x2 come back first; with x3 also back the count is two, as PreFilter had it, and too many.
  EXPECT_EQ(node_of(decision, "n").victims, Names{"default/x3"});
}

TEST(Filters, AnEmptySpreadSelectorCountsNothingAtFirstAndEveryPodAfterwards) {
  // Two pods that run on the node are not counted, and the preemptor itself is one: it fits.
  Case q = question({node("n", 4, "a"), node("m", 0, "b")},
                    {running("x", "n", 0, 500), running("y", "n", 0, 500)});
  preemptor(q).topology_spread_constraints = {
      {.max_skew = 1, .topology_key = "zone", .label_selector = LabelSelector{}}};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  // A pod that is nominated there comes in by the patch, and is counted.
  q.cluster.pods.insert(q.cluster.pods.begin(), pending("waiting", 0, 100));
  q.cluster.pods[0].nominated_node_name = "n";
  EXPECT_EQ(node_of(decide(q), "n").filter_failure->reasons,
            Names{"node(s) didn't match pod topology spread constraints"});
}

TEST(Filters, MinDomainsTakesTheLeastForZero) {
  Case q = question({node("n", 4, "a")}, {running("x", "n", 0)});
  for (Pod& pod : q.cluster.pods) pod.labels = {{"app", "x"}};
  preemptor(q).topology_spread_constraints = {{.topology_key = "zone", .label_selector = app("x")}};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  preemptor(q).topology_spread_constraints[0].min_domains = 2;
  EXPECT_EQ(decide(q).outcome, Outcome::kNominated);
}

TEST(Filters, AnInvalidSpreadSelectorFailsTheAttempt) {
  Case q = question({node("n", 4)}, {running("x", "n", 4)});
  preemptor(q).topology_spread_constraints = {
      {.topology_key = "zone", .label_selector = LabelSelector{.match_labels = {{"no key", "x"}}}}};
  EXPECT_EQ(decide(q).outcome, Outcome::kError);
  preemptor(q).topology_spread_constraints[0].when_unsatisfiable = UnsatisfiableAction::kScheduleAnyway;
  EXPECT_EQ(decide(q).outcome, Outcome::kNominated);
}

TEST(Filters, OneExistingPodMustMatchEveryAffinityTerm) {
  Case q = question({node("n", 4)}, {running("x", "n", 0, 500), running("y", "n", 0, 500)});
  preemptor(q).affinity.required_pod_affinity = {{.label_selector = app("x"), .topology_key = "zone"},
                                                 {.label_selector = app("y"), .topology_key = "zone"}};
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  q.cluster.pods[0].labels["tier"] = "t";
  preemptor(q).affinity.required_pod_affinity[1].label_selector =
      LabelSelector{.match_labels = {{"tier", "t"}}};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
}

TEST(Filters, TakingOffTheLastMatchRevivesTheRuleForTheFirstPodOfAGroup) {
  Case q = question({node("n", 2)}, {running("x", "n", 2)});
  q.cluster.pods[0].labels = {{"app", "in"}};
  preemptor(q).affinity.required_pod_affinity = {{.label_selector = app("in"), .topology_key = "zone"}};
  EXPECT_EQ(decide(q).nominated, Names{"n"});
  // Without a match of its own, a preemptor that depends on a less important pod cannot take its node.
  preemptor(q).labels = {{"app", "other"}};
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
}

TEST(Filters, ANominatedPodsAntiAffinityIsIgnoredWhileNoRunningPodHasOne) {
  Case q = question({node("n", 4)}, {running("a", "n", 0), pending("waiting", 0, 100)});
  q.cluster.pods[1].nominated_node_name = "n";
  const PodAffinityTerm against{.label_selector = app("in"), .topology_key = "zone"};
  q.cluster.pods[1].affinity.required_pod_anti_affinity = {against};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  // A running pod on another node brings the plugin to life, and the nominated pod's term with it.
  q.cluster.nodes.push_back(node("m", 0, "b"));
  q.cluster.pods.insert(q.cluster.pods.begin(), running("guard", "m", 0, 500));
  q.cluster.pods[0].affinity.required_pod_anti_affinity = {against};
  EXPECT_NE(decide(q).outcome, Outcome::kFits);
}

TEST(Filters, ANegatedNamespaceSelectorMatchesEveryNamespaceIn136Only) {
  Case q = question({node("n", 4)}, {running("x", "n", 0, 500)});
  q.cluster.namespaces = {{.name = "default", .labels = {{"team", "red"}}}};
  preemptor(q).affinity.required_pod_anti_affinity = {
      {.label_selector = app("x"),
       .namespace_selector =
           LabelSelector{.match_expressions = {{"team", SelectorOperator::kNotIn, {"red"}}}},
       .topology_key = "zone"}};
  EXPECT_EQ(in_136(q).outcome, Outcome::kNoCandidate);
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
}

TEST(Filters, ARunningPodWithOneInvalidTermHasNone) {
  Case q = question({node("n", 4)}, {running("x", "n", 0, 500)});
  q.cluster.pods[0].affinity.required_pod_anti_affinity = {
      {.label_selector = app("in"), .topology_key = "zone"}};
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  q.cluster.pods[0].affinity.required_pod_anti_affinity.push_back(
      {.label_selector = LabelSelector{.match_expressions = {{"app", SelectorOperator::kIn, {}}}},
       .topology_key = "zone"});
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
}

Case with_claim(const std::string& access_mode_of) {
  Case q = question({node("n", 4)}, {running("user", "n", 0)});
  for (const char* in : {"default", "other"}) {
    q.cluster.claims.push_back({.namespace_ = in,
                                .name = "data",
                                .annotations = {{"pv.kubernetes.io/bind-completed", "yes"}},
                                .access_modes = {AccessMode::kReadWriteOncePod},
                                .storage_class_name = "s",
                                .volume_name = std::string("v-") + in,
                                .phase = "Bound"});
    q.cluster.volumes.push_back(
        {.name = std::string("v-") + in, .source_kind = "csi", .csi_driver = "d", .csi_volume_handle = in});
  }
  const PodVolume volume{.name = "v", .kind = VolumeKind::kClaim, .source = "data"};
  preemptor(q).volumes = {volume};
  q.cluster.pods[0].volumes = {volume};
  q.cluster.pods[0].namespace_ = access_mode_of;
  return q;
}

TEST(Filters, TheReadWriteOncePodPatchForgetsTheNamespace) {
  EXPECT_EQ(decide(with_claim("other")).outcome, Outcome::kFits);
  // The claim is used by a more important pod on another node; a pod of another namespace with a
  // claim of the same name is evicted in its stead.
  Case q = with_claim("other");
  q.cluster.nodes.push_back(node("m", 0));
  q.cluster.pods.insert(q.cluster.pods.begin(), running("holder", "m", 0, 500));
  q.cluster.pods[0].volumes = {{.name = "v", .kind = VolumeKind::kClaim, .source = "data"}};
  EXPECT_EQ(decide(q).nominated, Names{"n"});
  EXPECT_EQ(node_of(decide(q), "n").victims, Names{"other/user"});
}

TEST(Filters, AMissingCsiDriverRejectsIn137Only) {
  Case q = with_claim("default");
  q.cluster.claims[0].access_modes = {AccessMode::kReadWriteMany};
  q.cluster.csi_drivers = {{.name = "d", .prevent_pod_scheduling_if_missing = true}};
  EXPECT_EQ(in_136(q).outcome, Outcome::kFits);
  EXPECT_EQ(node_of(decide(q), "n").reasons, Names{"d CSI driver is not installed on the node"});
  q.cluster.csi_nodes = {{.name = "n", .drivers = {{.name = "d"}}}};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
}

TEST(Filters, AVolumeSharedByPodsCountsOnceAndAnAttachmentCountsToo) {
  Case q = with_claim("default");
  for (PersistentVolumeClaim& claim : q.cluster.claims) claim.access_modes = {AccessMode::kReadWriteMany};
  q.cluster.csi_nodes = {{.name = "n", .drivers = {{.name = "d", .allocatable_count = 1}}}};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  q.cluster.pods[0].volumes[0].source = "gone";
  q.cluster.volume_attachments = {
      {.name = "va", .attacher = "d", .node_name = "n", .persistent_volume_name = "v-other"}};
  EXPECT_EQ(node_of(decide(q), "n").reasons, Names{"node(s) exceed max volume count"});
}

TEST(Filters, AnEbsVolumeConflictsEvenWhenAllReadIt) {
  Case q = question({node("n", 4)}, {running("a", "n", 0)});
  for (Pod& pod : q.cluster.pods) {
    pod.volumes = {
        {.name = "d", .kind = VolumeKind::kGcePersistentDisk, .source = "disk", .read_only = true}};
  }
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  for (Pod& pod : q.cluster.pods) pod.volumes[0].kind = VolumeKind::kAwsElasticBlockStore;
  EXPECT_EQ(node_of(decide(q), "n").filter_failure->reasons, Names{"node(s) had no available disk"});
}

TEST(Filters, AFeatureBehindAGreaterNameIsNotSeen) {
  Case q = question({node("n", 4)}, {});
  preemptor(q).host_network = true;
  preemptor(q).host_users = false;
  q.cluster.nodes[0].declared_features = {"A", "UserNamespacesHostNetworkSupport"};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  q.cluster.nodes[0].declared_features = {"Z", "UserNamespacesHostNetworkSupport"};
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
}

TEST(Filters, ANodeSelectorTermThatDoesNotParseMatchesNothingAndSparesTheOthers) {
  Case q = question({node("n", 4)}, {});
  NodeSelector& selector = preemptor(q).affinity.required_node_affinity.emplace();
  selector.terms = {{.match_expressions = {{"zone", SelectorOperator::kGt, {"a"}}}, .match_fields = {}}, {}};
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
  selector.terms.push_back(
      {.match_expressions = {{"zone", SelectorOperator::kExists, {}}}, .match_fields = {}});
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
}

TEST(Filters, GtReadsASignedNumber) {
  Case q = question({node("n", 4)}, {});
  q.cluster.nodes[0].labels["rank"] = "5";
  NodeSelector& selector = preemptor(q).affinity.required_node_affinity.emplace();
  selector.terms = {{.match_expressions = {{"rank", SelectorOperator::kGt, {"4"}}}, .match_fields = {}}};
  EXPECT_EQ(decide(q).outcome, Outcome::kFits);
  q.cluster.nodes[0].labels["rank"] = "five";
  EXPECT_EQ(decide(q).outcome, Outcome::kNoCandidate);
}

}  // namespace
}  // namespace reprieve::reference
