// For tests of relations: every one is drawn for many generated cases.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/generators/valid.h"

namespace reprieve::relations::testing {

/// Calls `visit(case, random)` for each of a number of seeds.
template <class Visit>
void for_each_case(Visit visit, std::uint64_t cases = 500) {
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE(seed);
    const Case question = generators::generate(seed, {});
    generators::Random random(seed);
    visit(question, random);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

inline void expect_valid(const Case& question) {
  const auto fault = generators::find_fault(question);
  EXPECT_FALSE(fault.has_value()) << *fault;
}

/// The lists hold the same objects, in any order.
template <class T>
bool is_permutation(const std::vector<T>& a, const std::vector<T>& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

inline const Pod& find_pod(const Case& question, std::string_view name) {
  return *std::ranges::find(question.cluster.pods, name, full_name);
}

}  // namespace reprieve::relations::testing
