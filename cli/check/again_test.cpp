#include "reprieve/cli/check/again.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "reprieve/cli/check/report.h"

namespace reprieve::cli {
namespace {

namespace fs = std::filesystem;

TEST(Again, NamesFilesInFullAndLeavesOtherWordsAlone) {
  const std::string here = fs::current_path().string();
  std::ofstream("again_test_file") << "x";
  EXPECT_EQ(full_command("python3 again_test_file --x no/such/file"),
            "python3 " + here + "/again_test_file --x no/such/file");
  EXPECT_EQ(full_command("./again_test_file"), here + "/again_test_file");
  EXPECT_EQ(full_command("again_test_file"), "again_test_file");  // looked for on the PATH
  EXPECT_EQ(full_command("sh -c 'again_test_file x'"), "sh -c 'again_test_file x'");
  EXPECT_EQ(full_path("a/../b c"), "'" + here + "/b c'");
  EXPECT_EQ(full_path("/a/b"), "/a/b");
  fs::remove("again_test_file");
}

TEST(Describe, CutsALongCaseAndSaysWhereAllOfItIs) {
  Finding finding{.title = "t", .details = "d\n", .case_yaml = {}, .seed = 7, .repeat = "reprieve check"};
  for (int i = 0; i < 500; ++i) finding.case_yaml += "line\n";
  finding.file = "/tmp/x/laws-1.yaml";
  finding.alone = "reprieve check --only corpus";
  const std::string text = describe(finding);
  EXPECT_NE(text.find("380 more lines in /tmp/x/laws-1.yaml"), std::string::npos) << text;
  EXPECT_NE(text.find("On the case alone: reprieve check --only corpus --corpus /tmp/x/laws-1.yaml\n"),
            std::string::npos)
      << text;
}

TEST(Describe, ShowsTheFirstFindingsOfAStageInFullAndNamesSomeOfTheOthers) {
  StageReport report;
  for (int i = 1; i <= 300; ++i) {
    report.findings.push_back({.title = "finding-" + std::to_string(i) + ".",
                               .details = "details-" + std::to_string(i) + ".\n",
                               .case_yaml = {},
                               .seed = {},
                               .repeat = {}});
  }
  const std::string text = describe(std::vector<NamedReport>{{"corpus", report}});
  EXPECT_NE(text.find("details-3."), std::string::npos);
  EXPECT_EQ(text.find("details-4."), std::string::npos);
  EXPECT_NE(text.find("finding-13."), std::string::npos);
  EXPECT_EQ(text.find("finding-14."), std::string::npos);
  EXPECT_NE(text.find("and 287 more\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace reprieve::cli
