#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>

#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/output/table.h"
#include "reprieve/cli/output/time.h"
#include "reprieve/cli/parallel.h"

namespace reprieve::cli {
namespace {

using Json = nlohmann::ordered_json;

TEST(Table, AlignsColumnsAndLeavesNoBlanksAtTheEnd) {
  Table table({"NAME", "N", ""});
  table.add({"long-name", "1", "x"});
  table.add({"é", "10", ""});  // one column wide, two bytes long
  EXPECT_EQ(table.to_string(2), "  NAME        N\n  long-name   1    x\n  é           10\n");
}

TEST(Table, ANameCannotForgeARowOrRepaintTheScreen) {
  Table table({"NAME", "N"});
  table.add({"a\nb\x1b[2J", "1"});
  EXPECT_EQ(table.to_string(), "NAME          N\na\\nb\\x1b[2J   1\n");
}

TEST(Printable, EscapesControlsOfBothRangesAndKeepsLetters) {
  EXPECT_EQ(printable("t\tr\rd\x7f"), "t\\tr\\x0dd\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J");
  EXPECT_EQ(printable("\xc3\xa9 \xc2\xa0"), "\xc3\xa9 \xc2\xa0");
}

TEST(Progress, TellsRateAndTimeLeft) {
  EXPECT_EQ(progress_line("random", 500, 1000, 5, 70),
            "random  [###############................]  500/1,000  100/s  5s left");
  EXPECT_NE(progress_line("x", 1, 1'000'000, 1, 80).find("277h46m left"), std::string::npos);
  EXPECT_NE(progress_line("x", 0, 10, 0, 80).find("0/10"), std::string::npos);
}

TEST(ForBatches, WhatAThreadThrowsReachesTheCaller) {
  Progress progress("x", 4);
  EXPECT_THROW(for_batches(4, 1, 2, progress,
                           [](unsigned, std::uint64_t, std::uint64_t) -> bool { throw std::bad_alloc(); }),
               std::bad_alloc);
}

TEST(WithCommas, GroupsByThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
}

TEST(FormatTime, IsAsKubernetesPrintsIt) {
  EXPECT_EQ(format_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_time(1'767'225'600'000'000), "2026-01-01T00:00:00Z");
  EXPECT_EQ(format_time(-1), "1969-12-31T23:59:59.999999Z");
}

TEST(Yaml, ReadsBackAsTheSameJson) {
  const Json value = {
      {"text", "plain words"},
      {"numberLike", "1.36"},
      {"wordLike", "no"},
      {"withColon", "a: b"},
      {"quote", "say \"hi\"\n"},
      {"empty", Json::object()},
      {"none", Json::array()},
      {"missing", nullptr},
      {"flag", true},
      {"big", 9223372036854775807},
      {"list", {1, "two", Json{{"three", 3}, {"four", {4, 5}}}, Json::array({6, Json::array({7})})}},
      {"1key", "-"}};
  const auto back = yaml_to_json(to_yaml(value));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, value) << to_yaml(value);
}

TEST(Yaml, LooksAsKubectlWritesIt) {
  EXPECT_EQ(to_yaml({{"kind", "X"}, {"items", {{{"a", 1}, {"b", "c"}}}}, {"no", "1"}}),
            "kind: X\nitems:\n- a: 1\n  b: c\n\"no\": \"1\"\n");
}

TEST(Render, ReplacesWhatIsNoUtf8) {
  EXPECT_TRUE(Json::accept(render(Json{{"text", "\xff"}}, Format::kJson)));
}

}  // namespace
}  // namespace reprieve::cli
