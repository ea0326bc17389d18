#include "reprieve/reference/criteria/share.h"

#include <gtest/gtest.h>

#include <limits>

#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr Share kBeyondAll{.requested = 1, .allocatable = 0};

Share share(const Amounts& requested) {
  // 4 CPUs, 2^30 bytes.
  const Node node = testing::node("n");
  return share_of(requested, NodeInfo(node));
}

TEST(Share, IsTheLargestOverTheResourcesInLowestTerms) {
  EXPECT_EQ(share({{"cpu", 1000}, {"memory", 3 << 28}}), (Share{3, 4}));
  EXPECT_EQ(share({{"cpu", 3500}, {"memory", 3 << 28}}), (Share{7, 8}));
  EXPECT_EQ(share({{"cpu", 8000}}), (Share{2, 1}));
}

TEST(Share, OfNothingIsNothing) {
  EXPECT_EQ(share({}), (Share{0, 1}));
  EXPECT_EQ(share({{"cpu", 0}, {"example.com/gpu", 0}}), (Share{0, 1}));
}

TEST(Share, OfWhatTheNodeHasNotIsBeyondAll) {
  EXPECT_EQ(share({{"cpu", 1000}, {"example.com/gpu", 1}}), kBeyondAll);
  EXPECT_TRUE(is_smaller({kMost, 1}, kBeyondAll));
  EXPECT_FALSE(is_smaller(kBeyondAll, {kMost, 1}));
  EXPECT_FALSE(is_smaller(kBeyondAll, kBeyondAll));
}

TEST(Share, IsComparedExactly) {
  // Equal as doubles, and their cross products do not fit into 64 bits.
  const Share below{kMost - 1, kMost};
  const Share above{kMost, kMost};
  EXPECT_TRUE(is_smaller(below, above));
  EXPECT_FALSE(is_smaller(above, below));
  EXPECT_FALSE(is_smaller({1, 3}, {2, 6}));
}

}  // namespace
}  // namespace reprieve::reference
