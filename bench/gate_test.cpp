#include "reprieve/bench/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reprieve::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

// walk() inlines ten instructions of selection.h and calls a library's sort, which calls memcpy.
constexpr const char* kDump = R"(# callgrind format
version: 1
desc: Trigger: Client Request: decide, uniform
events: Ir

ob=/home/me/build/release/bin/instructions
fl=/home/me/engine/victims.cpp
fn=walk(int)
10 100
fi=/home/me/build/release/include/engine/reprieve/engine/selection.h
20 10
fi=/usr/include/c++/12/bits/stl_vector.h
30 5
fe=/home/me/engine/victims.cpp
cfi=/usr/include/c++/12/bits/stl_algo.h
cfn=void std::sort<int>()
calls=3 1
11 70

fl=/usr/include/c++/12/bits/stl_algo.h
fn=void std::sort<int>()
50 40
cob=/lib/libc.so
cfn=memcpy
calls=9 1
51 30

ob=/lib/libc.so
fl=???
fn=memcpy
1 30

totals: 185
)";

Profile profile(std::int64_t walk, std::int64_t rank) {
  Profile result;
  result.name = "decide";
  result.total = walk + rank;
  result.by_part = {{"engine/victims", walk}, {"engine/rank", rank}};
  result.by_function = {{"walk", {.inclusive = walk, .calls = 1}}};
  return result;
}

TEST(Callgrind, WhatALibraryDoesCountsForThePartThatCallsIt) {
  const auto read = parse_callgrind(kDump);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->name, "decide, uniform");
  EXPECT_EQ(read->total, 185);
  EXPECT_EQ(read->by_part.at("engine/victims"), 100 + 5 + 40 + 30);
  EXPECT_EQ(read->by_part.at("engine/selection"), 10);
  EXPECT_EQ(read->by_function.at("walk(int)").inclusive, 185);
  EXPECT_FALSE(read->by_function.contains("memcpy"));
}

TEST(Callgrind, WithoutLineNumbersAFunctionsNamespaceIsThePart) {
  const auto read = parse_callgrind(
      "fl=???\nfn=void reprieve::engine::walk<int>(int)\n0 10\ncfn=std::sort<reprieve::Pod>()\ncalls=1 0\n0 "
      "5\n"
      "fl=???\nfn=std::sort<reprieve::Pod>()\n0 5\n");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->by_part.at("engine"), 15);
}

TEST(Callgrind, WhatIsNotADumpIsAnError) { EXPECT_FALSE(parse_callgrind("12 what\n")); }

TEST(Callgrind, APartIsTheFileWhereverTheTreeStands) {
  EXPECT_EQ(part_of("/a/engine/b/reprieve/engine/filters/chain.cpp"), "engine/filters/chain");
  EXPECT_EQ(part_of("/a/build/release/include/engine/reprieve/engine/selection.h"), "engine/selection");
  EXPECT_EQ(part_of("/usr/include/engine/x.h"), "");
  EXPECT_EQ(part_of("???"), "");
}

TEST(Gate, HoldsUpToTheLimitAndFailsAboveIt) {
  EXPECT_TRUE(judge({profile(1000, 1000)}, {profile(1039, 1000)}, {}).held);
  const Verdict verdict = judge({profile(1000, 1000)}, {profile(1041, 1000)}, {});
  EXPECT_FALSE(verdict.held);
  EXPECT_THAT(verdict.report, HasSubstr("part engine/victims: 1000 -> 1041"));
  EXPECT_THAT(verdict.report, HasSubstr("walk: 1000 -> 1041"));
  EXPECT_THAT(verdict.report, Not(HasSubstr("engine/rank")));
}

TEST(Gate, APartThatGrewIsNotHiddenByAnotherThatShrank) {
  EXPECT_FALSE(judge({profile(1000, 1000)}, {profile(1060, 960)}, {}).held);
}

TEST(Gate, CodeThatMovedHasNotGrown) {
  EXPECT_TRUE(judge({profile(1000, 1000)}, {profile(1500, 500)}, {}).held);
}

TEST(Gate, AFasterChangeHolds) { EXPECT_TRUE(judge({profile(1000, 1000)}, {profile(10, 1000)}, {}).held); }

TEST(Gate, AnOperationThatIsMeasuredNoMoreFailsAndANewOneIsNotJudged) {
  EXPECT_FALSE(judge({profile(1, 1)}, {}, {}).held);
  const Verdict verdict = judge({}, {profile(1, 1)}, {});
  EXPECT_TRUE(verdict.held);
  EXPECT_THAT(verdict.report, HasSubstr("not judged"));
}

}  // namespace
}  // namespace reprieve::bench
