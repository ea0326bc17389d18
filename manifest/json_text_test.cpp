#include "reprieve/manifest/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace reprieve::manifest {
namespace {

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
