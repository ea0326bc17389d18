#include "reprieve/cli/explain/layout.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "reprieve/cli/output/table.h"

namespace reprieve::cli::explain {
namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    longest = std::max(longest, display_width(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return longest;
}

TEST(Layout, WrappedTextStaysWithinItsWidthAndLosesNoWord) {
  const std::string text = wrapped("one two three four five six", 11, 2, 4);
  EXPECT_EQ(text, "  one two\n    three\n    four\n    five\n    six\n");
}

TEST(Layout, AWordLongerThanTheWidthStandsAlone) {
  EXPECT_EQ(wrapped("a verylongword b", 6), "a\nverylongword\nb\n");
}

TEST(Layout, ATableThatFitsIsNotChanged) {
  FittedTable table({{"POD", Give::kElide}, {"WHY", Give::kWrap}});
  table.add({"default/a", "no room"});
  EXPECT_EQ(table.to_string(80, 2), "  POD        WHY\n  default/a  no room\n");
}

TEST(Layout, ATableTooWideWrapsTextsAndElidesNamesInTheMiddle) {
  FittedTable table({{"POD", Give::kElide}, {"WHY", Give::kWrap}, {"FATE"}});
  table.add({"namespace/a-name-that-goes-on-and-on-7f9c", "a reason of some words that goes on as well",
             "evicted"});
  const std::string text = table.to_string(50, 2);
  EXPECT_LE(longest_line(text), 50U) << text;
  EXPECT_NE(text.find("7f9c"), std::string::npos) << text;
  EXPECT_NE(text.find("..."), std::string::npos) << text;
  EXPECT_NE(text.find("well"), std::string::npos) << text;
}

TEST(Layout, ElidingCountsCharactersNotBytes) {
  EXPECT_EQ(elided("\xC3\xA4\xC3\xA4\xC3\xA4", 3), "\xC3\xA4\xC3\xA4\xC3\xA4");
  EXPECT_EQ(elided("abcdefghij", 7), "ab...ij");
}

TEST(Layout, TheWidthIsThatOfColumnsWhereThereIsNoTerminal) {
  if (is_terminal(1)) GTEST_SKIP() << "standard output is a terminal";
  setenv("COLUMNS", "132", 1);
  EXPECT_EQ(output_width(), 132U);
  setenv("COLUMNS", "nonsense", 1);
  EXPECT_EQ(output_width(), 80U);
  unsetenv("COLUMNS");
  EXPECT_EQ(output_width(), 80U);
}

}  // namespace
}  // namespace reprieve::cli::explain
