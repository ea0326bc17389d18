// The default mix of generated cases reaches what is worth reaching. Without floors a change of the
// generator can quietly stop testing a level, and everything stays green.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/reach/reach.h"
#include "reprieve/subjects/subject.h"

namespace reprieve {
namespace {

constexpr std::uint64_t kCases = 20'000;

const reach::Reach& reach_of_default_mix() {
  static const reach::Reach result = [] {
    const auto reference = subjects::make_subject("reference");
    const auto engine = subjects::make_subject("engine");
    reach::Reach counted;
    const marks::Counts before = marks::counts();
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
      const Case question = generators::generate(seed, {});
      counted.add(question, (*reference)->decide(question));
      (void)(*engine)->decide(question);
    }
    counted.add_marks(marks::difference(before, marks::counts()));
    return counted;
  }();
  return result;
}

std::uint64_t count(const reach::Counts& counts, std::string_view name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

TEST(ReachFloor, EveryLevelDecidesInTwoPercentOfTheNominations) {
  const reach::Reach& reach = reach_of_default_mix();
  const std::uint64_t nominations = count(reach.outcomes(), "nominated");
  for (const std::string_view level :
       {"pdbViolations", "highestPriority", "prioritySum", "victimCount", "latestStart", "total tie"}) {
    EXPECT_GE(count(reach.levels(), level) * 50, nominations) << level << "\n" << reach.table();
  }
}

TEST(ReachFloor, MostCasesReachTheDryRunAndManyANomination) {
  const reach::Reach& reach = reach_of_default_mix();
  EXPECT_GE(count(reach.outcomes(), "nominated") * 10, kCases * 4) << reach.table();
  EXPECT_GE(count(reach.outcomes(), "ineligible") * 100, kCases) << reach.table();
  EXPECT_GE(count(reach.outcomes(), "fits") * 20, kCases) << reach.table();
  EXPECT_LE(count(reach.outcomes(), "error") * 50, kCases) << reach.table();
}

TEST(ReachFloor, EveryFilterIsTheFirstToFailSomewhere) {
  for (const std::string_view plugin :
       {"NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
        "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread",
        "InterPodAffinity", "NodeDeclaredFeatures"}) {
    EXPECT_GE(count(reach_of_default_mix().first_failures(), plugin), 20U) << plugin;
  }
}

TEST(ReachFloor, EveryFilterThatEvictionCanSatisfyKeepsSomePodFromBeingReprieved) {
  for (const std::string_view plugin : {"NodePorts", "NodeResourcesFit", "VolumeRestrictions",
                                        "NodeVolumeLimits", "PodTopologySpread", "InterPodAffinity"}) {
    EXPECT_GE(count(reach_of_default_mix().not_reprieved(), plugin), 20U) << plugin;
  }
}

TEST(ReachFloor, EveryFeatureMeetsANomination) {
  for (int i = 0; i < generators::kFeatureCount; ++i) {
    const auto feature = static_cast<generators::Feature>(i);
    if (feature == generators::Feature::kNeverPreempts) continue;  // which ends it
    EXPECT_GE(reach_of_default_mix().nominated_with_feature(feature), 50U) << to_string(feature);
  }
}

TEST(ReachFloor, EveryRuleOfEngineAndReferenceIsTaken) {
  std::string never;
  for (const std::string_view mark : reach_of_default_mix().marks_never_taken())
    never.append(mark).append("\n");
  EXPECT_EQ(never, "");
  EXPECT_GT(reach_of_default_mix().marks().size(), 150U);
}

TEST(ReachFloor, ViolationsTiesAndClearedNominationsOccur) {
  const reach::Counts& traits = reach_of_default_mix().traits();
  for (const std::string_view trait :
       {"violations 1", "violations 2", "tie of 2", "tie of 3", "cleared 1", "victims 1", "victims 3+"}) {
    EXPECT_GE(count(traits, trait), 50U) << trait;
  }
}

/// Under random policies: how often each criterion is in the order of a nomination, and how often it decides.
struct Weighed {
  std::uint64_t named = 0;
  std::uint64_t decides = 0;
};

constexpr std::uint64_t kPolicyCases = 4'000;

const std::vector<Case>& cases_under_any_policy() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    for (std::uint64_t seed = 0; seed < kPolicyCases; ++seed) {
      all.push_back(generators::generate(seed, {.policies = generators::Policies::kAny}));
    }
    return all;
  }();
  return cases;
}

TEST(ReachFloor, EveryCriterionOfTheNodeOrderDecidesInTwoPercentOfTheNominationsThatNameIt) {
  const auto reference = subjects::make_subject("reference");
  std::map<std::string_view, Weighed> criteria;
  for (const Case& question : cases_under_any_policy()) {
    const Decision decision = (*reference)->decide(question);
    if (decision.outcome != Outcome::kNominated) continue;
    for (const NodeCriterion criterion : question.policy.node_order) {
      Weighed& weighed = criteria[to_string(criterion)];
      ++weighed.named;
      weighed.decides += decision.decided_by == criterion ? 1 : 0;
    }
  }
  EXPECT_EQ(criteria.size(), 7U);
  for (const auto& [criterion, weighed] : criteria) {
    EXPECT_GE(weighed.decides * 50, weighed.named)
        << criterion << " " << weighed.decides << " of " << weighed.named;
  }
}

/// Which node, and who would go on each.
std::pair<std::vector<std::string>, std::set<std::string>> choices(const Decision& decision) {
  std::set<std::string> victims;
  for (const NodeDecision& node : decision.nodes) {
    victims.insert(node.victims.begin(), node.victims.end());
  }
  return {decision.nominated, victims};
}

TEST(ReachFloor, EveryCriterionOfImportanceTurnsTwoPercentOfTheNominationsThatNameIt) {
  const auto reference = subjects::make_subject("reference");
  std::map<std::string_view, Weighed> criteria;
  for (const Case& question : cases_under_any_policy()) {
    const Decision decision = (*reference)->decide(question);
    if (decision.outcome != Outcome::kNominated) continue;
    for (const ImportanceCriterion criterion : question.policy.importance) {
      Case without = question;
      std::erase(without.policy.importance, criterion);
      Weighed& weighed = criteria[to_string(criterion)];
      ++weighed.named;
      weighed.decides += choices((*reference)->decide(without)) != choices(decision) ? 1 : 0;
    }
  }
  EXPECT_EQ(criteria.size(), 4U);
  for (const auto& [criterion, weighed] : criteria) {
    EXPECT_GE(weighed.decides * 50, weighed.named)
        << criterion << " " << weighed.decides << " of " << weighed.named;
  }
}

}  // namespace
}  // namespace reprieve
