// Every theorem at the bounds of the tests: the statement and its contrast.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reprieve/smt/theorems/theorem.h"

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

}  // namespace
}  // namespace reprieve::smt
