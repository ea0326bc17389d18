#include "reprieve/cli/compare/tally.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reprieve/cli/compare/report.h"

namespace reprieve::cli::comparison {
namespace {

Choice choice(std::string node, std::int64_t violations, std::int64_t count, std::int64_t reported) {
  return {.node = std::move(node),
          .victims = {"default/v"},
          .reported = reported,
          .key = {.violations = violations, .victim_count = count}};
}

/// The new one is better by one violation on another node.
Pairing better_by_a_violation() {
  Pairing pairing;
  pairing.old_decision.outcome = pairing.new_decision.outcome = Outcome::kNominated;
  pairing.old_choice = choice("a", 2, 1, 3);
  pairing.new_choice = choice("b", 1, 2, 1);
  pairing.better = -1;
  pairing.by = NodeCriterion::kPdbViolations;
  return pairing;
}

Pairing alike() {
  Pairing pairing = better_by_a_violation();
  pairing.new_choice = pairing.old_choice;
  pairing.same_node = pairing.same_victims = true;
  pairing.better = 0;
  pairing.by.reset();
  return pairing;
}

Pairing lost() {
  Pairing pairing;
  pairing.old_decision.outcome = Outcome::kNominated;
  pairing.new_decision.outcome = Outcome::kNoCandidate;
  pairing.better = 1;
  return pairing;
}

const Policy kJudge = kubernetes_policy(Release::k1_37);

TEST(Tally, CountsWhatDiffersAndWhoIsBetter) {
  Tally tally;
  tally.add(better_by_a_violation(), kJudge, Side::kNew, 7, 10);
  tally.add(alike(), kJudge, Side::kNew, 8, 4);
  tally.add(lost(), kJudge, Side::kNew, 9, 5);
  EXPECT_EQ(tally.cases, 3U);
  EXPECT_EQ((tally.outcomes[{Outcome::kNominated, Outcome::kNoCandidate}]), 1U);
  EXPECT_EQ(tally.both_nominate, 2U);
  EXPECT_EQ(tally.other_node, 1U);
  EXPECT_EQ(tally.other_victims, 1U);
  EXPECT_EQ(tally.other_reported, 1U);
  EXPECT_EQ(tally.old_miscounts, 2U);
  EXPECT_EQ(tally.new_miscounts, 1U);
  EXPECT_EQ(tally.better, (std::array<std::uint64_t, 3>{1, 1, 0}));
  EXPECT_EQ(tally.claims, 3U);
  EXPECT_EQ(tally.broken, 1U);
  EXPECT_EQ(tally.first_broken->index, 9U);
  const LevelTally& violations = tally.levels[NodeCriterion::kPdbViolations];
  EXPECT_EQ(violations.new_better, 1U);
  EXPECT_EQ(violations.equal, 1U);
  EXPECT_EQ(violations.decides_for_new, 1U);
  EXPECT_EQ(violations.sum, 1);
  EXPECT_EQ(violations.gains.counts().size(), 1U) << "equal cases are not in the histogram";
  const LevelTally& count = tally.levels[NodeCriterion::kVictimCount];
  EXPECT_EQ(count.old_better, 1U);
  EXPECT_EQ(count.decides_for_old, 0U) << "a level before it decided";
  EXPECT_EQ(count.least, -1);
}

TEST(Tally, KeepsTheSmallestCaseOfEachKind) {
  Tally tally;
  tally.add(better_by_a_violation(), kJudge, {}, 1, 10);
  tally.add(better_by_a_violation(), kJudge, {}, 2, 8);
  Tally other;
  other.add(better_by_a_violation(), kJudge, {}, 0, 8);
  other.add(lost(), kJudge, {}, 3, 1);
  tally.merge(other);
  EXPECT_EQ(tally.differences.at("new better by pdbViolations").count, 3U);
  EXPECT_EQ(tally.differences.at("new better by pdbViolations").smallest.index, 0U);
  EXPECT_EQ(tally.differences.at("outcome nominated, no-candidate").count, 1U);
}

TEST(Tally, OfPartsIsThatOfTheWhole) {
  const std::vector<Pairing> all = {better_by_a_violation(), alike(), lost(), better_by_a_violation()};
  Tally whole;
  Tally parts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    whole.add(all[i], kJudge, Side::kOld, i, i);
    Tally part;
    part.add(all[i], kJudge, Side::kOld, i, i);
    parts.merge(part);
  }
  const auto json = [](const Tally& tally) {
    return to_json({.judge = kJudge, .never_worse = Side::kOld, .tally = tally});
  };
  EXPECT_EQ(json(parts), json(whole));
}

TEST(Histogram, HasSingleNumbersThenPowersOfTwoOnEitherSide) {
  using Range = Histogram::Range;
  EXPECT_EQ(Histogram::range_of(0), (Range{0, 0}));
  EXPECT_EQ(Histogram::range_of(-8), (Range{-8, -8}));
  EXPECT_EQ(Histogram::range_of(9), (Range{9, 15}));
  EXPECT_EQ(Histogram::range_of(16), (Range{16, 31}));
  EXPECT_EQ(Histogram::range_of(31), (Range{16, 31}));
  EXPECT_EQ(Histogram::range_of(-16), (Range{-31, -16}));
  EXPECT_EQ(Histogram::range_of(INT64_MIN).to, -(std::int64_t{1} << 62));
  EXPECT_EQ(Histogram::range_of(INT64_MAX).from, std::int64_t{1} << 62);
}

}  // namespace
}  // namespace reprieve::cli::comparison
