// Every theorem at the bounds of the tests: the statement and its contrast.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "reprieve/smt/theorems/markdown.h"
#include "reprieve/smt/theorems/theorem.h"
#include "reprieve/smt/theorems/witness.h"

namespace reprieve::smt {
namespace {

class Theorems : public testing::TestWithParam<const Theorem*> {
 protected:
  void expect(bool contrast) {
    const Theorem& theorem = *GetParam();
    Terms terms;
    const Proof proof = run(theorem, terms, Effort::kQuick, contrast, {});
    EXPECT_TRUE(proof.as_expected) << (contrast ? theorem.contrast : theorem.sentence) << "\n"
                                   << to_string(proof.outcome.verdict) << ": " << proof.outcome.why;
    RecordProperty("paths", std::to_string(proof.outcome.paths));
    if (std::getenv("REPRIEVE_PROOF_TIMES")) {
      fmt::print("{:50} {:8} {:8.2f} s {:8} paths {:8} queries  {}\n", theorem.name,
                 contrast ? "contrast" : "", static_cast<double>(proof.time_us) / 1e6, proof.outcome.paths,
                 proof.outcome.solver.queries, to_string(proof.bounds));
    }
  }
};

TEST_P(Theorems, IsDecidedAsExpected) { expect(false); }
TEST_P(Theorems, ItsContrastIsDecidedTheOtherWay) { expect(true); }

std::vector<const Theorem*> all() {
  std::vector<const Theorem*> list;
  for (const Theorem& theorem : theorems()) list.push_back(&theorem);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, Theorems, testing::ValuesIn(all()), [](const auto& param) {
  std::string name = param.param->name;
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

TEST(TheRegistry, NamesAreUniqueAndSentencesComplete) {
  std::set<std::string> names;
  for (const Theorem& theorem : theorems()) {
    EXPECT_TRUE(names.insert(theorem.name).second) << theorem.name;
    EXPECT_TRUE(theorem.sentence.ends_with('.') || theorem.sentence.ends_with(')')) << theorem.name;
    EXPECT_FALSE(theorem.formal.empty() || theorem.about.empty() || theorem.contrast.empty()) << theorem.name;
    EXPECT_EQ(theorem.kind == Kind::kBounded, theorem.quick != Bounds{}) << theorem.name;
  }
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(TheRegistry, TheDocumentIsWrittenFromIt) {
  EXPECT_EQ(read(std::filesystem::path(REPRIEVE_SOURCE) / "docs/THEOREMS.md"), theorems_markdown())
      << "run: reprieve prove --markdown > docs/THEOREMS.md";
}

// What the files decide is asked of everyone by the corpus tests.
TEST(TheRegistry, EachRefutedStatementHasItsCaseInTheCorpusAndNoOther) {
  std::set<std::string> expected, found;
  for (const Theorem& theorem : theorems()) {
    if (!theorem.holds && theorem.shows != Shows::kNothing) expected.insert(case_name(theorem) + ".yaml");
  }
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(REPRIEVE_SOURCE) / "corpus/theorems"))
    found.insert(file.path().filename().string());
  EXPECT_EQ(found, expected) << "run: reprieve prove --write-cases corpus/theorems";
}

}  // namespace
}  // namespace reprieve::smt
