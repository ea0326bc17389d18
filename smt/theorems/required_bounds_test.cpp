// The bounds that the tests owe beyond the quick ones: the phases at 5 x 2 x 2 and 4 x 2 x 3, shipped code
// against the direct encoding at 4 x 2 x 2, engine against reference at 3 x 2 x 2 and 4 x 1 x 2, direct
// encodings at 8 x 2 x 2. CTest runs it in parts (smt/CMakeLists.txt), each alone on its processor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reprieve/smt/theorems/theorem.h"

namespace reprieve::smt {
namespace {

struct Owed {
  const Theorem* theorem;
  Bounds bounds;
};

class RequiredBounds : public testing::TestWithParam<Owed> {};

TEST_P(RequiredBounds, AreDecided) {
  Terms terms;
  ProofSettings settings;
  settings.time_ms = 3'000'000;  // unknown is a failure; a slow machine alone is none
  settings.solver.time_out_ms = 600'000;
  const Proof proof = run(*GetParam().theorem, terms, GetParam().bounds, false, settings);
  EXPECT_TRUE(proof.as_expected) << GetParam().theorem->sentence << "\n"
                                 << to_string(proof.outcome.verdict) << ": " << proof.outcome.why;
}

std::vector<Owed> owed() {
  std::vector<Owed> list;
  for (const Theorem& theorem : theorems()) {
    for (const Bounds& bounds : theorem.required) list.push_back({&theorem, bounds});
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, RequiredBounds, testing::ValuesIn(owed()), [](const auto& param) {
  const Bounds& bounds = param.param.bounds;
  std::string name =
      fmt::format("{}_{}x{}x{}", param.param.theorem->name, bounds.pods, bounds.resources, bounds.budgets);
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

}  // namespace
}  // namespace reprieve::smt
