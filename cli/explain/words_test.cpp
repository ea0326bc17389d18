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

TEST(Words, AShortfallSaysWhatIsNeededWhatIsFreeAndWhatIsMissing) {
  EXPECT_EQ(in_words(Shortfall{"cpu", 500, 800, 1000}), "cpu: needs 500m, 200m free, short by 300m");
}

TEST(Words, AmountsThatWouldLookEqualAreSpelledOut) {
  const std::int64_t gi = std::int64_t{1} << 30;
  EXPECT_EQ(in_words(Shortfall{"memory", gi, 0, gi - 1}),
            "memory: needs 1073741824, 1073741823 free, short by 1");
}

TEST(Words, AnOvercommittedNodeHasNoneFree) {
  EXPECT_EQ(in_words(Shortfall{"cpu", 1000, 3000, 2000}),
            "cpu: needs 1, none free as 1 too much is in use, short by 2");
}

TEST(Words, ExtremeAmountsDoNotOverflow) {
  EXPECT_NE(in_words(Shortfall{"cpu", INT64_MAX, INT64_MAX, 0}), "");
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
