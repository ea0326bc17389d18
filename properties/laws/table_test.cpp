#include "reprieve/properties/laws/table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace reprieve::laws {
namespace {

TEST(Table, TheReadmeHasTheTablesOfTheRegistry) {
  constexpr std::string_view kBegin = "<!-- begin: laws -->\n";
  constexpr std::string_view kEnd = "<!-- end -->";
  std::ifstream in(README, std::ios::binary);
  const std::string readme{std::istreambuf_iterator<char>(in), {}};
  const std::size_t begin = readme.find(kBegin);
  const std::size_t end = readme.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_LT(begin, end);
  const std::string wanted =
      readme.substr(0, begin + kBegin.size()) + "\n" + markdown_tables() + readme.substr(end);
  if (std::getenv("REPRIEVE_UPDATE") != nullptr) std::ofstream(README, std::ios::binary) << wanted;
  EXPECT_TRUE(readme == wanted || std::getenv("REPRIEVE_UPDATE") != nullptr)
      << "run: REPRIEVE_UPDATE=1 laws_test --gtest_filter='Table.*'";
}

}  // namespace
}  // namespace reprieve::laws
