#include "reprieve/manifest/json_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace reprieve::manifest {
namespace {

// Sixteen and thirty-two bytes are looked at together: every length and offset around these matters.
TEST(JsonText, NewlinesAreCountedAtEveryLengthAndPlace) {
  for (std::size_t length = 0; length < 100; ++length) {
    for (std::size_t step = 1; step < 40; ++step) {
      std::string text(length, '\x0b');
      for (std::size_t at = step - 1; at < length; at += step) text[at] = '\n';
      EXPECT_EQ(count_newlines(text), std::ranges::count(text, '\n')) << length << " " << step;
    }
  }
  EXPECT_EQ(count_newlines(std::string(100'000, '\n')), 100'000U);  // more than a byte counts
}

TEST(JsonText, TheClosingLineIsFoundAtEveryDistance) {
  for (const std::string indentation :
       {"", " ", "    ", "\t", "\t\t", "                                    "}) {
    const char blank = indentation.starts_with('\t') ? '\t' : ' ';
    for (std::size_t length = 0; length < 80; ++length) {
      const std::string inner = "{\n" + indentation + blank + std::string(length, 'x');
      const std::string text = inner + "\n" + indentation + "}";
      EXPECT_EQ(indented_value_end(text, 0, indentation, '}'), text.size()) << length;
      EXPECT_EQ(indented_value_end(text + ",\n" + text, 0, indentation, '}'), text.size()) << length;
      EXPECT_EQ(indented_value_end(inner, 0, indentation, '}'), kIncomplete) << length;
      EXPECT_EQ(
          indented_value_end(inner + "\n" + indentation + "x" + std::string(60, ' '), 0, indentation, '}'),
          kHopeless)
          << length;
    }
  }
}

}  // namespace
}  // namespace reprieve::manifest
