#include "reprieve/cli/explain/words.h"

#include <gtest/gtest.h>

namespace reprieve::cli::explain {
namespace {

TEST(Words, CpuIsInMillicoresUnlessWhole) {
  EXPECT_EQ(amount("cpu", 500), "500m");
  EXPECT_EQ(amount("cpu", 2000), "2");
}

TEST(Words, BytesHaveABinaryUnit) {
  EXPECT_EQ(amount("memory", 3 * (std::int64_t{1} << 29)), "1.5Gi");
  EXPECT_EQ(amount("hugepages-2Mi", 2 << 20), "2Mi");
  EXPECT_EQ(amount("example.com/gpu", 2048), "2048");
}

TEST(Words, ADifferenceOfExtremesStaysInItsRange) {
  EXPECT_EQ(difference(INT64_MIN, 1), INT64_MIN);
  EXPECT_EQ(difference(0, INT64_MIN), INT64_MAX);
  EXPECT_EQ(difference(3, 5), -2);
}

TEST(Words, OrdinalsFollowTheLastDigitButInTheTeens) {
  EXPECT_EQ(ordinal(1), "1st");
  EXPECT_EQ(ordinal(22), "22nd");
  EXPECT_EQ(ordinal(13), "13th");
  EXPECT_EQ(ordinal(104), "104th");
}

TEST(Words, ListsAreCutAtTheLimit) {
  EXPECT_EQ(listed({}), "none");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(listed({"a", "b", "c", "d"}, 2), "a, b and 2 more");
}

TEST(Words, TheShiftOfTheSumIsShown) {
  const CandidateKey key{.priority_sum = -7 + (std::int64_t{2} << 31), .victim_count = 2};
  EXPECT_EQ(value_on(key, NodeCriterion::kPrioritySum), "-7 + 2 x 2^31");
}

}  // namespace
}  // namespace reprieve::cli::explain
