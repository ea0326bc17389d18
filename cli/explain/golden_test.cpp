// What `explain` prints of cases of the corpus, word for word, beside this file in golden/. With
// REPRIEVE_UPDATE_GOLDEN set in the environment the files are written instead.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "reprieve/cli/explain/test_cluster.h"
#include "reprieve/cli/explain/text.h"
#include "reprieve/manifest/error.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/read.h"

namespace reprieve::cli::explain {
namespace {

struct Golden {
  const char* name;                        // of a corpus case
  const char* policy = "kubernetes-1.37";  // empty: the case's own
  const char* victim = "";
};

std::string source_dir() {
  const char* dir = std::getenv("REPRIEVE_SOURCE_DIR");
  return dir == nullptr ? "." : dir;
}

class GoldenTest : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTest, TheCorpusCaseIsExplainedWordForWord) {
  const Golden golden = GetParam();
  const auto input = manifest::read_files({source_dir() + "/corpus/" + golden.name + ".yaml"});
  ASSERT_TRUE(input.has_value()) << manifest::to_string(input.error());
  auto asked = manifest::to_case(*input);
  ASSERT_TRUE(asked.has_value()) << manifest::to_string(asked.error());
  if (*golden.policy != '\0') asked->policy = *manifest::find_policy(golden.policy);
  const std::string text = to_text(test::told(*asked, {.victim = golden.victim}), {.width = 80});

  const std::string path = source_dir() + "/cli/explain/golden/" + golden.name + ".txt";
  if (std::getenv("REPRIEVE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    GTEST_SKIP() << "written";
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing";
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str());
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, GoldenTest,
    testing::Values(
        Golden{"the-more-important-of-two-equal-pods-is-evicted", "kubernetes-1.37", "default/more"},
        Golden{"a-miscounted-violation-loses-the-better-node"},
        Golden{"a-guaranteed-budget-leaves-no-candidate", "guaranteed-budgets"},
        Golden{"a-greedy-guarantee-refuses-what-violates-nothing", ""},
        Golden{"the-node-that-loses-the-smaller-share-is-taken", ""},
        Golden{"large-violating-pod-takes-the-room-of-two"}, Golden{"budget-order-a-before-b"},
        Golden{"a-pod-that-depends-on-a-less-important-one-cannot-take-its-node"},
        Golden{"level-5-latest-start-decides", "kubernetes-1.36"}, Golden{"evicting-everybody-is-not-enough"},
        Golden{"a-pod-waits-for-its-victim-to-terminate"}, Golden{"a-node-that-fits-needs-no-preemption"},
        Golden{"a-total-tie-names-every-node-of-it"}),
    [](const auto& golden) {
      std::string name = golden.param.name;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace reprieve::cli::explain
