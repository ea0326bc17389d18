#include "reprieve/cli/compare/witness.h"

#include <gtest/gtest.h>

#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/read.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::cli::comparison {
namespace {

TEST(Witness, IsASmallCaseOnWhichTheTwoStillDifferInTheSameKind) {
  subjects::EngineSubject engine;
  const Policy kubernetes = *manifest::find_policy("kubernetes");
  const Policy exact = *manifest::find_policy("exact");
  const Policy judge = judge_of(kubernetes, exact);
  const generators::GeneratorSettings settings{
      .features = generators::all_features() -
                  generators::FeatureSet{generators::Feature::kExtenders, generators::Feature::kSampling}};
  Case question;
  Pairing pairing;
  for (std::uint64_t seed = 0; pairing.by != NodeCriterion::kPdbViolations; ++seed) {
    ASSERT_LT(seed, 20'000U);
    question = generators::generate(seed, settings);
    pairing = pair(engine, question, kubernetes, exact, judge);
  }
  const Witness found = witness(engine, question, kubernetes, exact, false);
  EXPECT_EQ(found.kind, "new better by pdbViolations");
  ASSERT_EQ(found.words.size(), 3U);
  EXPECT_TRUE(found.words[0].starts_with("kubernetes nominates ")) << found.words[0];
  EXPECT_TRUE(found.words[1].starts_with("exact nominates ")) << found.words[1];
  EXPECT_TRUE(found.words[2].starts_with("exact is better by pdbViolations: ")) << found.words[2];

  const auto input = manifest::read_text(found.case_yaml, "case.yaml");
  ASSERT_TRUE(input) << manifest::to_string(input.error());
  Case small = *manifest::to_case(*input);
  EXPECT_LE(small.cluster.pods.size(), 6U) << found.case_yaml;
  EXPECT_EQ(pair(engine, small, kubernetes, exact, judge).difference(), found.kind);
  // What both decide stands in the file.
  ASSERT_EQ(input->case_spec->expect_for.size(), 2U);
  EXPECT_EQ(input->case_spec->expect_for.at("exact").outcome, Outcome::kNominated);
}

TEST(Witness, SaysWhatAPolicyThatFindsNobodySays) {
  EXPECT_EQ(
      in_words("mine", {.outcome = Outcome::kNoCandidate, .reason = "no candidate without"}, std::nullopt),
      "mine says no-candidate: no candidate without.");
  Choice choice{.node = "n1", .victims = {"default/a", "default/b"}, .reported = 2, .key = {.violations = 1}};
  EXPECT_EQ(in_words("mine", {.outcome = Outcome::kNominated}, choice),
            "mine nominates n1 and evicts default/a, default/b: 1 violates a budget, though it counts 2.");
}

}  // namespace
}  // namespace reprieve::cli::comparison
