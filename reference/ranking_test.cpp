#include "reprieve/reference/ranking.h"

#include <gtest/gtest.h>

#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using testing::kNoon;

const std::vector<NodeCriterion> kFiveLevels = Policy{}.node_order;
using Positions = std::vector<std::size_t>;

CandidateKey key() {
  return {.violations = 1,
          .highest_priority = 10,
          .priority_sum = 100,
          .victim_count = 2,
          .earliest_start_us = kNoon};
}

template <class Change>
void expect_first_wins_by(NodeCriterion criterion, Change better) {
  CandidateKey first = key();
  better(first);
  for (const bool swapped : {false, true}) {
    const Ranked ranked = rank(swapped ? std::vector{key(), first} : std::vector{first, key()}, kFiveLevels);
    EXPECT_EQ(ranked.tie, Positions{swapped ? 1u : 0u});
    EXPECT_EQ(ranked.decided_by, criterion);
  }
}

TEST(Ranking, DecidesByEachLevelInItsDirection) {
  expect_first_wins_by(NodeCriterion::kPdbViolations, [](CandidateKey& k) { k.violations = 0; });
  expect_first_wins_by(NodeCriterion::kHighestPriority, [](CandidateKey& k) { k.highest_priority = 9; });
  expect_first_wins_by(NodeCriterion::kPrioritySum, [](CandidateKey& k) { k.priority_sum = 99; });
  expect_first_wins_by(NodeCriterion::kVictimCount, [](CandidateKey& k) { k.victim_count = 1; });
  expect_first_wins_by(NodeCriterion::kLatestStart, [](CandidateKey& k) { k.earliest_start_us = kNoon + 1; });
}

TEST(Ranking, PrefersAVictimWithoutAStartTime) {
  expect_first_wins_by(NodeCriterion::kLatestStart, [](CandidateKey& k) { k.earliest_start_us.reset(); });
}

TEST(Ranking, ReportsWhatPartedTheTieFromTheBestOfTheRest) {
  CandidateKey worst = key();
  worst.violations = 5;
  CandidateKey second = key();
  second.earliest_start_us = kNoon - 1;
  const Ranked ranked = rank({worst, key(), second, key()}, kFiveLevels);
  EXPECT_EQ(ranked.tie, (Positions{1, 3}));
  EXPECT_EQ(ranked.decided_by, NodeCriterion::kLatestStart);
}

TEST(Ranking, OfATotalTieNothingDecides) {
  EXPECT_EQ(rank({key(), key()}, kFiveLevels).decided_by, std::nullopt);
  EXPECT_EQ(rank({key()}, kFiveLevels).decided_by, std::nullopt);
}

TEST(Ranking, FollowsThePolicysOrder) {
  CandidateKey few = key();
  few.victim_count = 1;
  few.violations = 9;
  const Ranked ranked = rank({key(), few}, {NodeCriterion::kVictimCount, NodeCriterion::kPdbViolations});
  EXPECT_EQ(ranked.tie, Positions{1});
  EXPECT_EQ(ranked.decided_by, NodeCriterion::kVictimCount);
}

}  // namespace
}  // namespace reprieve::reference
