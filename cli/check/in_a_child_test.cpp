// What asks in a process of its own tells the four ends apart, and outlives all of them.
#include "reprieve/cli/check/in_a_child.h"

#include <gtest/gtest.h>
#include <signal.h>  // raise, signal
#include <unistd.h>

#include <chrono>

#include "reprieve/subjects/place.h"

namespace reprieve::cli {
namespace {

using namespace std::chrono_literals;

TEST(InAChild, AnswersAsTheQuestionDoes) {
  EXPECT_TRUE(in_a_child([] { return true; }, 10s).yes);
  const Answer no = in_a_child([] { return false; }, 10s);
  EXPECT_FALSE(no.yes);
  EXPECT_FALSE(no.death);
}

TEST(InAChild, TellsHowAChildDied) {
  const Answer killed = in_a_child(
      [] {
        signal(SIGSEGV, SIG_DFL);  // a sanitizer has a handler of its own
        return raise(SIGSEGV) == 0;
      },
      10s);
  EXPECT_FALSE(killed.yes);
  EXPECT_EQ(killed.death, (Death{.kind = Death::Kind::kSignal, .number = SIGSEGV}));
  EXPECT_EQ(to_string(*killed.death), "dies of SIGSEGV (Segmentation fault)");

  const Answer left = in_a_child([]() -> bool { _exit(1); }, 10s);
  EXPECT_EQ(left.death, (Death{.kind = Death::Kind::kExit, .number = 1}));

  const Answer hung = in_a_child(
      [] {
        pause();
        return true;
      },
      50ms);
  EXPECT_EQ(hung.death, (Death{.kind = Death::Kind::kHang, .number = 0}));
}

TEST(InAChild, WhatItHadBegunHasEnded) {
  ASSERT_TRUE(subjects::keep_places());
  const subjects::Place outer(subjects::Doing::kLaw, "a-law", "case-1", "exact");
  const Answer died = in_a_child(
      []() -> bool {
        const subjects::Place inner(subjects::Doing::kDecide, "engine", "case-2", "exact");
        _exit(1);
      },
      10s);
  ASSERT_TRUE(died.death);
  const auto places = subjects::places();
  ASSERT_EQ(places.size(), 1U);
  ASSERT_EQ(places.front().begun.size(), 1U);
  EXPECT_EQ(places.front().begun.front().name, "case-1");
}

}  // namespace
}  // namespace reprieve::cli
