#include "reprieve/properties/generators/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reprieve/manifest/policy.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::generators {
namespace {

constexpr std::uint64_t kSeeds = 3000;

const Pod* find_pod(const Case& question, const std::string& name) {
  const auto& pods = question.cluster.pods;
  const auto found =
      std::find_if(pods.begin(), pods.end(), [&](const Pod& pod) { return full_name(pod) == name; });
  return found == pods.end() ? nullptr : &*found;
}

TEST(Random, GivesTheNumbersOfSplitmix64) {
  // The reference implementation's first outputs for seed 1234567 (https://prng.di.unimi.it/splitmix64.c).
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Generate, GivesTheSameCaseForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_EQ(generate(seed, {}), generate(seed, {})) << seed;
    EXPECT_NE(generate(seed, {}), generate(seed + 1, {})) << seed;
  }
}

TEST(Generate, NamesEveryObjectOnceWithinItsKindAndNamespace) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Case question = generate(seed, {});
    std::set<std::string> names;
    const auto once = [&](const std::string& name) {
      EXPECT_TRUE(names.insert(name).second) << seed << " " << name;
    };
    for (const auto& item : question.cluster.nodes) once("node " + item.name);
    for (const auto& item : question.cluster.pods) once("pod " + full_name(item));
    for (const auto& item : question.cluster.budgets) once("budget " + item.namespace_ + "/" + item.name);
    for (const auto& item : question.cluster.claims) once("claim " + item.namespace_ + "/" + item.name);
    for (const auto& item : question.cluster.volumes) once("volume " + item.name);
    for (const auto& item : question.cluster.namespaces) once("namespace " + item.name);
    for (const auto& item : question.cluster.csi_nodes) once("csi node " + item.name);
  }
}

TEST(Generate, AsksForAPendingPodOfTheDefaultScheduler) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Case question = generate(seed, {});
    const Pod* preemptor = find_pod(question, question.preemptor);
    ASSERT_NE(preemptor, nullptr) << seed;
    EXPECT_TRUE(preemptor->node_name.empty()) << seed;
    EXPECT_EQ(preemptor->scheduler_name, "default-scheduler") << seed;
    EXPECT_TRUE(preemptor->scheduling_gates.empty()) << seed;
    EXPECT_FALSE(question.cluster.nodes.empty()) << seed;
  }
}

/// What API validation asks of a pod, as far as the generator could get it wrong.
void expect_valid(const Pod& pod, std::uint64_t seed) {
  std::set<std::string> held;
  ASSERT_FALSE(pod.containers.empty());
  for (const Container& container : pod.containers) {
    for (const ContainerPort& port : container.ports) {
      if (pod.host_network) {
        EXPECT_EQ(port.host_port, port.container_port) << seed;
      }
      if (port.host_port == 0) continue;
      const std::string key = port.protocol + "/" + port.host_ip + "/" + std::to_string(port.host_port);
      EXPECT_TRUE(held.insert(key).second) << seed << " " << full_name(pod) << " " << key;
    }
    const auto& requests = container.requests;
    if (requests.contains("hugepages-2Mi")) {
      EXPECT_TRUE(requests.contains("cpu") || requests.contains("memory")) << seed << " " << full_name(pod);
    }
  }
  if (pod.pod_level_requests) {
    for (const auto& [name, quantity] : *pod.pod_level_requests) {
      Quantity sum;
      for (const Container& container : pod.containers) {
        const auto found = container.requests.find(name);
        if (found != container.requests.end()) sum = sum + found->second;
      }
      EXPECT_GE(quantity, sum) << seed << " " << full_name(pod);
    }
  }
  for (const TopologySpreadConstraint& constraint : pod.topology_spread_constraints) {
    EXPECT_GE(constraint.max_skew, 1) << seed;
    if (constraint.min_domains) {
      EXPECT_EQ(constraint.when_unsatisfiable, UnsatisfiableAction::kDoNotSchedule) << seed;
    }
  }
}

TEST(Generate, MakesPodsThatApiValidationAccepts) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const Pod& pod : generate(seed, {}).cluster.pods) expect_valid(pod, seed);
  }
}

// Where the second least domain decides (PodTopologySpread's minMatchNum).
TEST(Generate, NominatesPodsThatASpreadConstraintCountsToOneNode) {
  int crowded = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Case question = generate(seed, {});
    const Pod* preemptor = find_pod(question, question.preemptor);
    if (preemptor == nullptr || preemptor->topology_spread_constraints.empty()) continue;
    std::map<std::string, int> nominated;
    for (const Pod& pod : question.cluster.pods) {
      if (&pod == preemptor || !pod.node_name.empty() || pod.nominated_node_name.empty()) continue;
      if (pod.priority >= preemptor->priority && pod.labels == preemptor->labels)
        ++nominated[pod.nominated_node_name];
    }
    crowded += std::ranges::any_of(nominated, [](const auto& at) { return at.second >= 2; }) ? 1 : 0;
  }
  EXPECT_GT(crowded, 20);
}

TEST(Generate, MakesImportanceDistinctOnNodesWithMoreThanTwelvePotentialVictims) {
  GeneratorSettings settings;
  settings.max_nodes = 2;
  settings.max_pods_per_node = 30;
  int large = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case question = generate(seed, settings);
    const Pod* preemptor = find_pod(question, question.preemptor);
    ASSERT_NE(preemptor, nullptr);
    std::map<std::string, std::multiset<std::pair<std::int32_t, std::optional<TimeUs>>>> importance;
    for (const Pod& pod : question.cluster.pods) {
      if (!pod.node_name.empty() && pod.priority < preemptor->priority) {
        importance[pod.node_name].insert({pod.priority, pod.start_time_us});
      }
    }
    for (const auto& [node, values] : importance) {
      if (values.size() <= 12) continue;
      ++large;
      for (const auto& value : values) EXPECT_EQ(values.count(value), 1U) << seed << " " << node;
    }
  }
  EXPECT_GT(large, 50);
}

TEST(Generate, DrawsEveryKnobOfAPolicyAndNeverAContradiction) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Policy policy = generate(seed, {.policies = Policies::kAny}).policy;
    const auto error = manifest::validate(policy);
    ASSERT_FALSE(error) << seed << ": " << manifest::to_string(*error);
    ++seen[policy.release == Release::k1_36 ? "1.36" : "1.37"];
    ++seen[policy.victims == VictimSearch::kExact ? "exact" : "greedy"];
    ++seen[policy.charging == Charging::kEveryBudget ? "everyBudget" : "untilViolated"];
    ++seen[policy.violations == ViolationCount::kActual ? "actual" : "classified"];
    ++seen[policy.budgets.below_priority ? "belowPriority"
           : policy.budgets.guaranteed   ? "all"
                                         : "bestEffort"];
    if (policy.sampling) ++seen["sampling"];
    for (const ImportanceCriterion criterion : policy.importance)
      ++seen["importance " + std::string(to_string(criterion))];
    for (const NodeCriterion criterion : policy.node_order)
      ++seen["nodeOrder " + std::string(to_string(criterion))];
  }
  EXPECT_EQ(seen.size(), 12U + 4U + 7U);
  for (const auto& [what, count] : seen) EXPECT_GT(count, static_cast<int>(kSeeds / 25)) << what;
}

TEST(Generate, KeepsTheCasesUnderKubernetesOwnPoliciesWhereOthersAreMixedIn) {
  int drawn = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Case mixed = generate(seed, {.policies = Policies::kMixed});
    if (mixed == generate(seed, {})) continue;
    ++drawn;
    EXPECT_EQ(mixed, generate(seed, {.policies = Policies::kAny})) << seed;
  }
  EXPECT_GT(drawn, 150);
  EXPECT_LT(drawn, 250);
}

TEST(Generate, DrawsExactOnlyWhereTheReferenceCanEnumerate) {
  const auto exact_on = [](int pods_per_node) {
    bool exact = false;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Case question = generate(seed, {.max_pods_per_node = pods_per_node, .policies = Policies::kAny});
      exact = exact || question.policy.victims == VictimSearch::kExact;
    }
    return exact;
  };
  EXPECT_TRUE(exact_on(10));
  EXPECT_FALSE(exact_on(11));
}

TEST(Generate, ShowsEveryFeatureThatIsOnAndNoneThatIsOff) {
  std::array<int, kFeatureCount> seen{};
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const FeatureSet present = features_present(generate(seed, {}));
    for (int i = 0; i < kFeatureCount; ++i)
      seen[static_cast<std::size_t>(i)] += present.has(static_cast<Feature>(i));
  }
  for (int i = 0; i < kFeatureCount; ++i) {
    const auto feature = static_cast<Feature>(i);
    EXPECT_GT(seen[static_cast<std::size_t>(i)], static_cast<int>(kSeeds / 200)) << to_string(feature);
    if (feature == Feature::kClaims) continue;  // every volume feature brings claims
    GeneratorSettings without;
    without.features.erase(feature);
    // An invalid selector of a budget may use expressions.
    if (feature == Feature::kBudgetSelectors) without.features.erase(Feature::kInvalidSelectors);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      EXPECT_FALSE(features_present(generate(seed, without)).has(feature))
          << to_string(feature) << " " << seed;
    }
  }
}

TEST(Features, AreParsedFromNamesAndGroupsAndTakenAway) {
  EXPECT_EQ(parse_features("memory,budgets").value(), (FeatureSet{Feature::kMemory, Feature::kBudgets}));
  EXPECT_EQ(parse_features("-volumes").value(), all_features() - volume_features());
  EXPECT_EQ(parse_features("placement,-taints").value(), placement_features() - FeatureSet{Feature::kTaints});
  EXPECT_EQ(parse_features("").value(), FeatureSet{});
  const auto unknown = parse_features("memory,colour");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().find("\"colour\""), std::string::npos);
  EXPECT_NE(unknown.error().find("topology-spread"), std::string::npos);
}

TEST(Features, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i < kFeatureCount; ++i) {
    const auto feature = static_cast<Feature>(i);
    EXPECT_TRUE(names.insert(to_string(feature)).second);
    EXPECT_EQ(parse_features(to_string(feature)).value(), FeatureSet{feature});
  }
}

}  // namespace
}  // namespace reprieve::generators
