#include "reprieve/properties/relations/scales.h"

#include <limits>

#include "reprieve/properties/relations/testing.h"

namespace reprieve::relations {
namespace {

using generators::Random;
using testing::expect_valid;
using testing::for_each_case;

TEST(Scaled, AmountsAreMultiplesAndCountsOfPodsStay) {
  int scaled = 0;
  for_each_case([&](const Case& question, Random& random) {
    const std::optional<Scaled> other = with_resources_scaled(question, random);
    if (!other) return;
    expect_valid(other->question);
    scaled += other->question != question ? 1 : 0;
    for (std::size_t i = 0; i < question.cluster.nodes.size(); ++i) {
      for (const auto& [name, before] : question.cluster.nodes[i].allocatable) {
        const Quantity after = other->question.cluster.nodes[i].allocatable.at(name);
        const std::int64_t factor = other->factors.at(name);
        if (name == "pods") {
          EXPECT_EQ(factor, 1);
        }
        EXPECT_EQ(to_milli(after), to_milli(before) * factor) << name;
      }
    }
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const auto& containers = question.cluster.pods[i].containers;
      for (std::size_t c = 0; c < containers.size(); ++c) {
        for (const auto& [name, before] : containers[c].requests) {
          const Quantity after = other->question.cluster.pods[i].containers[c].requests.at(name);
          EXPECT_EQ(to_milli(after), to_milli(before) * other->factors.at(name)) << name;
          if (name != "cpu" && before.milli != 0) {
            EXPECT_EQ(other->factors.at(name), 1);
          }
        }
      }
    }
  });
  EXPECT_GT(scaled, 400);
}

TEST(Scaled, AnAmountThatWouldNotFitIsNoCase) {
  Case question = generators::generate(1, {});
  question.cluster.nodes.front().allocatable["memory"] = {.units =
                                                              std::numeric_limits<std::int64_t>::max() / 2};
  Random random(1);
  int none = 0;
  for (int i = 0; i < 40; ++i) none += with_resources_scaled(question, random) ? 0 : 1;
  EXPECT_EQ(none, 40);
}

TEST(Shifted, PrioritiesKeepTheirDistancesAndStayInRange) {
  int to_the_edge = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Shifted other = with_priorities_shifted(question, random);
    expect_valid(other.question);
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const std::int64_t before = question.cluster.pods[i].priority;
      const std::int64_t after = other.question.cluster.pods[i].priority;
      EXPECT_EQ(after - before, other.by);
      to_the_edge += after == std::numeric_limits<std::int32_t>::min() ? 1 : 0;
    }
  });
  EXPECT_GT(to_the_edge, 25);
}

TEST(Shifted, TheThresholdOfAGuaranteeMovesAlong) {
  Case question = generators::generate(1, {});
  question.policy.budgets = {.guaranteed = true, .below_priority = 7};
  Random random(1);
  const Shifted other = with_priorities_shifted(question, random);
  EXPECT_EQ(*other.question.policy.budgets.below_priority - 7, other.by);
}

TEST(Shifted, TimesGoBackTogetherAndMissingOnesStayMissing) {
  for_each_case([](const Case& question, Random& random) {
    const Shifted other = with_times_shifted(question, random);
    expect_valid(other.question);
    EXPECT_LT(other.by, 0);
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const auto& before = question.cluster.pods[i].start_time_us;
      const auto& after = other.question.cluster.pods[i].start_time_us;
      ASSERT_EQ(before.has_value(), after.has_value());
      if (before) {
        EXPECT_EQ(*after - *before, other.by * std::int64_t{1'000'000});
      }
    }
  });
}

TEST(Redrawn, PrioritiesAboveStayAboveAndThoseBelowStay) {
  int changed = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_priorities_above_redrawn(question, random);
    expect_valid(other);
    const std::int32_t floor = testing::find_pod(question, question.preemptor).priority;
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const Pod& before = question.cluster.pods[i];
      const Pod& after = other.cluster.pods[i];
      changed += before.priority != after.priority ? 1 : 0;
      if (before.priority < floor || full_name(before) == question.preemptor) {
        EXPECT_EQ(after.priority, before.priority);
      } else {
        EXPECT_GE(after.priority, floor);
      }
    }
  });
  EXPECT_GT(changed, 250);
}

TEST(Split, ContainersAskForTheSameInSum) {
  int split = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_containers_split(question, random);
    expect_valid(other);
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const auto sum = [](const Pod& pod) {
        ResourceList total;
        for (const Container& container : pod.containers) {
          for (const auto& [name, quantity] : container.requests) total[name] = total[name] + quantity;
        }
        return total;
      };
      EXPECT_EQ(sum(question.cluster.pods[i]), sum(other.cluster.pods[i]));
      split += question.cluster.pods[i].containers.size() != other.cluster.pods[i].containers.size() ? 1 : 0;
    }
  });
  EXPECT_GT(split, 500);
}

TEST(DecisionUnits, AreTakenBack) {
  Decision decision;
  NodeDecision& node = decision.nodes.emplace_back();
  node.filter_failure =
      FilterFailure{.plugin = "NodeResourcesFit",
                    .reasons = {},
                    .shortfalls = {{.resource = "cpu", .requested = 6, .used = 3, .allocatable = 9}}};
  node.potential_victims = {{.pod = "default/p", .priority = 15, .start_time_us = 5'000'000}};
  node.key =
      CandidateKey{.highest_priority = 15, .priority_sum = 30, .victim_count = 2, .earliest_start_us = 0};
  EXPECT_EQ(unscaled(decision, {{"cpu", 3}}).nodes[0].filter_failure->shortfalls[0],
            (Shortfall{.resource = "cpu", .requested = 2, .used = 1, .allocatable = 3}));
  const Decision shifted = unshifted(decision, 5);
  EXPECT_EQ(shifted.nodes[0].key->priority_sum, 20);
  EXPECT_EQ(shifted.nodes[0].key->highest_priority, 10);
  EXPECT_EQ(shifted.nodes[0].potential_victims[0].priority, 10);
  EXPECT_EQ(later(decision, 2).nodes[0].key->earliest_start_us, 2'000'000);
}

}  // namespace
}  // namespace reprieve::relations
