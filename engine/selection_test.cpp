#include "reprieve/engine/selection.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace reprieve::engine {
namespace {

using Int = std::int64_t;
constexpr std::array kImportance = {ImportanceCriterion::kPriority, ImportanceCriterion::kStartTime};
const std::vector<NodeCriterion> kOrder = Policy{}.node_order;

bool charge_one(std::vector<Membership> memberships, std::vector<Int>& allowed, Charging charging,
                int& charged) {
  charged = 0;
  return charge<Int>(memberships, allowed, charging, [&](const Membership&) { ++charged; });
}

TEST(Charge, UntilViolatedStopsAtTheFirstBudgetBelowZero) {
  std::vector<Int> allowed = {0, 5};
  int charged = 0;
  EXPECT_TRUE(charge_one({{0}, {1}}, allowed, Charging::kUntilViolated, charged));
  EXPECT_EQ(charged, 1);
  EXPECT_EQ(allowed, (std::vector<Int>{-1, 5}));
}

TEST(Charge, EveryBudgetIsChargedThoughTheFirstIsViolated) {
  std::vector<Int> allowed = {0, 5};
  int charged = 0;
  EXPECT_TRUE(charge_one({{0}, {1}}, allowed, Charging::kEveryBudget, charged));
  EXPECT_EQ(allowed, (std::vector<Int>{-1, 4}));
}

TEST(Charge, ABudgetThatCountsThePodAsDisruptedIsNotCharged) {
  std::vector<Int> allowed = {0};
  int charged = 0;
  EXPECT_FALSE(charge_one({{0, true}}, allowed, Charging::kEveryBudget, charged));
  EXPECT_EQ(allowed[0], 0);
}

TEST(Importance, AnEarlierStartIsMoreImportantAndAMissingOneIsNow) {
  const Importance<Int> early{5, {true, 1}}, late{5, {true, 2}}, now{5, {false, 0}};
  EXPECT_EQ(compare_importance<Int>(late, early, kImportance, Release::k1_37), Order::kAfter);
  EXPECT_EQ(compare_importance<Int>(now, late, kImportance, Release::k1_37), Order::kAfter);
}

TEST(Importance, OfTwoMissingStartTimesTheLaterListedWinsIn136Only) {
  const Importance<Int> a{5, {false, 0}}, b{5, {false, 0}};
  EXPECT_EQ(compare_importance<Int>(a, b, kImportance, Release::k1_36), Order::kAfter);
  EXPECT_EQ(compare_importance<Int>(a, b, kImportance, Release::k1_37), Order::kBefore);
}

TEST(Importance, TwoMissingStartTimesAreNeverEqualSoThatNoLaterCriterionIsAsked) {
  constexpr std::array kStartFirst = {ImportanceCriterion::kStartTime, ImportanceCriterion::kPriority};
  const Importance<Int> low{1, {false, 0}}, high{5, {false, 0}};
  EXPECT_EQ(compare_importance<Int>(low, high, kStartFirst, Release::k1_37), Order::kBefore);
  EXPECT_EQ(compare_importance<Int>(high, low, kStartFirst, Release::k1_36), Order::kAfter);
}

TEST(Importance, ACriterionOfOnesOwnIsAskedInItsPlace) {
  constexpr std::array kShareSecond = {ImportanceCriterion::kPriority, ImportanceCriterion::kRequestedShare};
  const auto after = [](ImportanceCriterion) { return Order::kAfter; };
  EXPECT_EQ(compare_importance<Int>({5, {}}, {4, {}}, kShareSecond, Release::k1_37, after), Order::kBefore);
  EXPECT_EQ(compare_importance<Int>({5, {}}, {5, {}}, kShareSecond, Release::k1_37, after), Order::kAfter);
}

struct Recorder {
  std::vector<char>* trace;
  int room;
  void restore(std::size_t i) {
    trace->push_back(static_cast<char>('a' + i));
    --room;
  }
  bool fits() const { return room >= 0; }
  void evict(std::size_t) { ++room; }
};

TEST(Reprieve, ViolatingPodsAreSparedFirstEachGroupByImportance) {
  std::vector<char> trace;
  std::vector<std::size_t> evicted;
  const std::vector<std::uint8_t> violating = {0, 1, 0, 1};
  EXPECT_TRUE(reprieve(violating, Recorder{&trace, 3}, [&](std::size_t i) {
    evicted.push_back(i);
    return true;
  }));
  EXPECT_EQ(trace, (std::vector<char>{'b', 'd', 'a', 'c'}));
  EXPECT_EQ(evicted, std::vector<std::size_t>{2});
}

TEST(Reprieve, IsAbandonedWhenToldSo) {
  std::vector<char> trace;
  EXPECT_FALSE(
      reprieve(std::vector<std::uint8_t>{0, 0}, Recorder{&trace, 0}, [](std::size_t) { return false; }));
  EXPECT_EQ(trace.size(), 1U);
}

TEST(ListVictims, GoesByImportanceAndOfThoseThatTieTheViolatingComeFirst) {
  const std::vector<Int> priorities = {9, 5, 5, 5, 1};
  const std::vector<int> potential = {0, 1, 2, 3, 4};
  const std::vector<std::uint8_t> violating = {0, 0, 0, 1, 1};
  const std::vector<std::uint8_t> evicted = {1, 1, 0, 1, 1};
  std::vector<int> victims = {7};
  EXPECT_TRUE(list_victims<int>(
      potential, violating, evicted, [&](int b, int a) { return priorities[b] > priorities[a]; }, victims));
  EXPECT_EQ(victims, (std::vector<int>{0, 3, 1, 4}));
}

// Which passes are run, with the nominated pods or without, when all answer `fits`.
std::vector<bool> passes(bool has_nominated, bool fits) {
  struct Answer {
    bool passed;
    bool fits() const { return passed; }
  };
  std::vector<bool> asked;
  run_with_nominated(has_nominated, [&](bool with) {
    asked.push_back(with);
    return Answer{fits};
  });
  return asked;
}

TEST(RunWithNominated, AsksWithThemAndWhenThatPassesWithoutThem) {
  EXPECT_EQ(passes(true, true), (std::vector<bool>{true, false}));
  EXPECT_EQ(passes(true, false), std::vector<bool>{true});
  EXPECT_EQ(passes(false, true), std::vector<bool>{false});
  EXPECT_EQ(passes(false, false), std::vector<bool>{false});
}

Key<Int> key(std::vector<std::pair<Int, StartTime<Int>>> victims, Int violations = 0) {
  Key<Int> out;
  for (const auto& [priority, start] : victims) out.add(priority, start, 0);
  out.violations = violations;
  return out;
}

TEST(Key, TheShiftKeepsFewerNegativeVictimsBetter) {
  EXPECT_LT(compare_keys<Int>(key({{-5, {}}}), key({{-5, {}}, {-5, {}}}), kOrder), 0);
}

TEST(Key, OnlyVictimsOfTheHighestPriorityGiveTheStart) {
  const Key<Int> a = key({{5, {true, 10}}, {1, {true, 1}}});
  EXPECT_EQ(a.earliest_start.time, 10);
  EXPECT_EQ(key({{1, {true, 1}}, {5, {true, 10}}}).earliest_start.time, 10);
}

TEST(Key, AMissingStartIsTheLatestAndSoTheBest) {
  EXPECT_LT(compare_keys<Int>(key({{5, {false, 0}}}), key({{5, {true, 99}}}), kOrder), 0);
  EXPECT_EQ(compare_keys<Int>(key({{5, {false, 0}}}), key({{5, {false, 0}}}), kOrder), 0);
}

TEST(Key, TellsWhichLevelDecided) {
  const NodeCriterion* decided = nullptr;
  EXPECT_GT(compare_keys<Int>(key({{5, {}}}, 1), key({{9, {}}}, 0), kOrder, &decided), 0);
  ASSERT_NE(decided, nullptr);
  EXPECT_EQ(*decided, NodeCriterion::kPdbViolations);
}

// The bound of depth `answer`. Had it looked past latestStart, a later victim could prove it wrong.
TEST(IsBeaten, NeverAbandonsANodeThatWouldBeAsGood) {
  std::mt19937 random(7);
  const auto roll = [&](int n) { return static_cast<Int>(random() % static_cast<unsigned>(n)); };
  std::vector<NodeCriterion> order = kOrder;
  for (int round = 0; round < 50000; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Key<Int>> prefixes;
    Key<Int> growing;
    for (Int i = 0, n = 1 + roll(4); i < n; ++i) {
      growing.add(roll(3) - 1, {roll(2) == 0, roll(3)}, roll(2));
      prefixes.push_back(growing);
    }
    Key<Int> best;
    for (Int i = 0, n = 1 + roll(4); i < n; ++i) best.add(roll(3) - 1, {roll(2) == 0, roll(3)}, roll(2));
    if (compare_keys<Int>(growing, best, order) > 0) continue;
    for (const Key<Int>& prefix : prefixes) ASSERT_FALSE(is_beaten<Int>(prefix, best, order));
  }
}

TEST(ResourcesFit, WhatIsNotAskedForIsNotLookedAtThoughOvercommitted) {
  const std::array<Int, 2> request = {0, 1}, used = {9, 1}, allocatable = {4, 2};
  EXPECT_TRUE(resources_fit<Int>(request, used, allocatable));
}

}  // namespace
}  // namespace reprieve::engine
