#include "reprieve/manifest/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace reprieve::manifest {
namespace {

// Up to 64 bytes are looked at together: every length and offset around these matters.
TEST(Scan, NewlinesAreCountedAtEveryLengthAndPlace) {
  for (std::size_t length = 0; length < 300; ++length) {
    for (std::size_t step = 1; step < 70; ++step) {
      std::string text(length, '\x0b');
      for (std::size_t at = step - 1; at < length; at += step) text[at] = '\n';
      const auto wanted = static_cast<std::size_t>(std::ranges::count(text, '\n'));
      ASSERT_EQ(scan::count_newlines(text), wanted) << length << " " << step;
      ASSERT_EQ(scan::portable::count_newlines(text), wanted) << length << " " << step;
    }
  }
}

TEST(Scan, MoreNewlinesAreCountedThanAByteHolds) {
  const std::string text(100'003, '\n');
  EXPECT_EQ(scan::count_newlines(text), text.size());
  EXPECT_EQ(scan::portable::count_newlines(text), text.size());
}

TEST(Scan, TheNewlineThatABlankDoesNotFollowIsFoundWhereverItIs) {
  const auto first = [](const std::string& text, std::size_t at, std::size_t width, char blank) {
    while (at < text.size() &&
           (text[at] != '\n' || (at + 1 + width < text.size() && text[at + 1 + width] == blank)))
      ++at;
    return at < text.size() ? at : std::string::npos;
  };
  // Near the end, where what follows is not looked at, any newline from there on may be said.
  const auto is_right = [&](const std::string& text, std::size_t at, std::size_t width, char blank,
                            std::size_t found) {
    const std::size_t right = first(text, at, width, blank);
    if (found == right) return true;
    constexpr std::size_t kLongestStep = 64;
    return found < right && text[found] == '\n' && found + width + 1 + kLongestStep > text.size();
  };
  std::mt19937_64 random(3);
  for (int round = 0; round < 20'000; ++round) {
    const char blank = round % 3 == 0 ? '\t' : ' ';
    const std::size_t width = random() % 40;
    std::string text(random() % 400, 'x');
    for (char& c : text) {
      const auto draw = random() % 24;
      if (draw < 12) c = blank;
      if (draw == 12) c = '\n';
    }
    // Lines that are indented further, but for some.
    for (std::size_t at = 0; at + 1 + width < text.size(); ++at) {
      if (text[at] == '\n' && random() % 8 != 0) text[at + 1 + width] = blank;
    }
    const std::size_t at = random() % (text.size() + 1);
    ASSERT_TRUE(is_right(text, at, width, blank, scan::skip_indented_lines(text, at, width, blank)))
        << testing::PrintToString(text) << " " << at << " " << width;
    ASSERT_TRUE(is_right(text, at, width, blank, scan::portable::skip_indented_lines(text, at, width, blank)))
        << testing::PrintToString(text) << " " << at << " " << width;
  }
}

}  // namespace
}  // namespace reprieve::manifest
