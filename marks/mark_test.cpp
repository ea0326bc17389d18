#include "reprieve/marks/mark.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace reprieve::marks {
namespace {

template <class T>
void take_in_template() {
  REPRIEVE_MARK("test/mark/twice");
}

void never_called() { REPRIEVE_MARK("test/mark/never"); }

TEST(Mark, CountsHowOftenItIsTakenWhereverItStands) {
  const Counts before = counts();
  for (int i = 0; i < 3; ++i) REPRIEVE_MARK("test/mark/once");
  REPRIEVE_MARK("test/mark/twice");
  take_in_template<int>();
  take_in_template<long>();
  const Counts taken = difference(before, counts());
  EXPECT_EQ(taken.at("test/mark/once"), 3U);
  EXPECT_EQ(taken.at("test/mark/twice"), 3U);
}

TEST(Mark, IsKnownThoughItIsNeverTaken) {
  void (*volatile keep)() = &never_called;
  (void)keep;
  ASSERT_TRUE(counts().contains("test/mark/never"));
  EXPECT_EQ(counts().at("test/mark/never"), 0U);
}

TEST(Mark, CountsForThreadsThatLiveAndThatAreGone) {
  const Counts before = counts();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int k = 0; k < 1000; ++k) REPRIEVE_MARK("test/mark/threads");
      });
    }
    REPRIEVE_MARK("test/mark/threads");
    (void)counts();  // while they count
  }
  EXPECT_EQ(difference(before, counts()).at("test/mark/threads"), 4001U);
}

}  // namespace
}  // namespace reprieve::marks
