#include "reprieve/reference/sampling.h"

#include <gtest/gtest.h>

namespace reprieve::reference {
namespace {

TEST(Sampling, StartsAtTheOffsetAndWrapsAround) {
  const Shortlist list(Sampling{.min_percentage = 10, .min_absolute = 2, .offset = 7}, 5);
  EXPECT_EQ(list.at(0), 2u);
  EXPECT_EQ(list.at(4), 1u);
}

TEST(Sampling, WantsTheLargerOfShareAndNumberButNoMoreThanThereAre) {
  for (const auto& [nodes, wanted] : {std::pair{5u, 5}, std::pair{40u, 20}, std::pair{1000u, 100}}) {
    Shortlist list(Sampling{.min_percentage = 10, .min_absolute = 20}, nodes);
    for (int i = 0; i < wanted; ++i) {
      EXPECT_FALSE(list.is_enough());
      EXPECT_TRUE(list.keeps(false));
    }
    EXPECT_TRUE(list.is_enough());
  }
}

TEST(Sampling, GoesOnWhileEveryCandidateViolatesABudget) {
  Shortlist list(Sampling{.min_percentage = 1, .min_absolute = 2}, 50);
  EXPECT_TRUE(list.keeps(true));
  EXPECT_TRUE(list.keeps(true));
  EXPECT_FALSE(list.is_enough());
  EXPECT_FALSE(list.keeps(true));  // the list is full: this one is lost
  EXPECT_TRUE(list.keeps(false));
  EXPECT_TRUE(list.is_enough());
}

TEST(Sampling, KeepsEverythingWhenThereIsNone) {
  Shortlist list(std::nullopt, 3);
  EXPECT_EQ(list.at(1), 1u);
  EXPECT_TRUE(list.keeps(true));
  EXPECT_TRUE(list.keeps(false));
  EXPECT_FALSE(list.is_enough());
}

}  // namespace
}  // namespace reprieve::reference
