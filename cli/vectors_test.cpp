// The vectors stage of `reprieve check`, on a recording made up here.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "reprieve/cli/testing.h"

namespace reprieve::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// One recorded decision; `victims` is what the recording claims.
std::string recording(const std::string& victims) {
  const std::string node =
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"9"}}})";
  const auto pod = [](const std::string& name, const std::string& spec) {
    return fmt::format(
        R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","namespace":"default"}},"spec":{{{},"containers":[{{"name":"c","resources":{{"requests":{{"cpu":"1"}}}}}}]}},"status":{{}}}})",
        name, spec);
  };
  return fmt::format(
      R"({{"request":{{"id":"v1","preemptor":"default/high","objects":[{},{},{}]}},"expect":{{"1.36":{{"id":"v1","outcome":"nominated","nominated":["n1"],"nodes":{{"n1":{{"status":"candidate","victims":[{}],"violations":0}}}}}}}}}})",
      node, pod("low", R"("nodeName":"n1","priority":1)"), pod("high", R"("priority":9)"), victims);
}

class Vectors : public testing::Test {
 protected:
  Ran check(const std::string& text) const {
    std::ofstream(path) << text << "\n";
    return run("check --only vectors --vectors " + path);
  }
  void TearDown() override { std::filesystem::remove(path); }

  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("reprieve-{}.jsonl", getpid())).string();
};

TEST_F(Vectors, HoldWhereTheRecordingIsRight) {
  const Ran ran = check(recording(R"("default/low")"));
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 files, 2 decisions"));  // engine and reference
}

TEST_F(Vectors, FailWhereItSaysOtherwise) {
  const Ran ran = check(recording(R"("default/other")"));
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("engine decides v1 under kubernetes-1.36 unlike the real one"),
                             HasSubstr("reference decides v1"), HasSubstr("default/other"),
                             HasSubstr("kind: PreemptionCase"),  // nobody knows it on a smaller one
                             HasSubstr("Repeat: reprieve check --only vectors --vectors " + path)));
}

TEST_F(Vectors, ABrokenLineIsNamedByItsNumber) {
  const Ran ran = check(recording(R"("default/low")") + "\n{\"request\":{}}");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr(path + ":2: not an object with request and expect"));
}

}  // namespace
}  // namespace reprieve::cli
