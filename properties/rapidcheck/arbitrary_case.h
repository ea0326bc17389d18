// Cases for RapidCheck: our generator by a seed that RapidCheck draws, our shrinker for the way back. A
// property asks for a `reprieve::Case` as for any other value:
//
//   RC_GTEST_PROP(Decisions, AreTheSameTwice, (const Case& question)) { RC_ASSERT(...); }
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/shrink/shrink.h"

namespace reprieve::rapidcheck {

/// What the shrinker would try next, simplest first: RapidCheck takes the first that still fails and asks
/// again. The shrinker does not tell its steps, so it is asked with a predicate that refuses all of them.
inline std::vector<Case> smaller_cases(const Case& question) {
  constexpr int kMostSteps = 400;
  std::vector<Case> steps;
  bool first = true;  // the case itself, which has to fail
  shrink::shrink(question,
                 [&](const Case& step) {
                   if (std::exchange(first, false)) return true;
                   if (step != question) steps.push_back(step);
                   return false;
                 },
                 {.max_calls = kMostSteps});
  return steps;
}

/// Any case of the default mix, or of these settings.
inline rc::Gen<Case> case_of(const generators::GeneratorSettings& settings = {}) {
  return rc::Gen<Case>([settings](const rc::Random& random, int) {
    rc::Random source = random;
    return rc::shrinkable::shrinkRecur(
        generators::generate(source.next(), settings),
        [](const Case& question) { return rc::seq::fromContainer(smaller_cases(question)); });
  });
}

}  // namespace reprieve::rapidcheck

namespace reprieve {

/// For RapidCheck's report; the case of that name is `reprieve gen --seed N`, and it is printed as YAML by
/// the test that fails.
inline std::ostream& operator<<(std::ostream& out, const Case& question) {
  return out << "case " << question.name << " (" << question.cluster.nodes.size() << " nodes, "
             << question.cluster.pods.size() << " pods)";
}

}  // namespace reprieve

template <>
struct rc::Arbitrary<reprieve::Case> {
  static rc::Gen<reprieve::Case> arbitrary() { return reprieve::rapidcheck::case_of(); }
};
