// What a refutation shows is so: the engine and the reference decide the case as the rules say.
#include "reprieve/smt/theorems/witness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "reprieve/mutants/mutant.h"
#include "reprieve/properties/compare/compare.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::smt {
namespace {

std::string test_name(std::string name) {
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

class Refuted : public testing::TestWithParam<const Theorem*> {};

TEST_P(Refuted, ShowsAClusterThatEngineAndReferenceDecideAsTheRulesSay) {
  Terms terms;
  const Proof proof = run(*GetParam(), terms, Effort::kQuick, false, {});
  ASSERT_TRUE(proof.outcome.model) << proof.outcome.why;
  const auto shown = witness(*GetParam(), proof.bounds, terms, *proof.outcome.model);
  ASSERT_TRUE(shown);
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    Case question = shown->question;
    question.policy = kubernetes_policy(release);
    const manifest::Expectation& expected = shown->spec.expect_for.at(question.policy.name);
    subjects::EngineSubject engine;
    subjects::ReferenceSubject reference;
    for (subjects::Subject* subject :
         {static_cast<subjects::Subject*>(&engine), static_cast<subjects::Subject*>(&reference)}) {
      const auto differences = compare::compare(question, expected, subject->decide(question));
      EXPECT_TRUE(differences.empty()) << compare::to_string(differences, "rules", subject->name());
    }
  }
}

std::vector<const Theorem*> refuted() {
  std::vector<const Theorem*> list;
  for (const Theorem& theorem : theorems()) {
    if (!theorem.holds && theorem.shows != Shows::kNothing) list.push_back(&theorem);
  }
  return list;
}
INSTANTIATE_TEST_SUITE_P(All, Refuted, testing::ValuesIn(refuted()),
                         [](const auto& tested) { return test_name(tested.param->name); });

#ifdef REPRIEVE_MUTANTS

// A wrong change to the engine's core breaks the theorem about it, and the smallest cluster on which it
// does is one on which the engine that is so changed and the reference part.
struct Wrong {
  std::string mutant, theorem;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.mutant; }

class WrongCore : public testing::TestWithParam<Wrong> {};

TEST_P(WrongCore, BreaksATheoremOnAClusterThatShowsIt) {
  const Theorem* theorem = find_theorem(GetParam().theorem);
  ASSERT_TRUE(theorem);
  mutants::activate(GetParam().mutant);
  Terms terms;
  // As for the contrast of a theorem: fewest pods first.
  Proof proof;
  for (Bounds bounds = theorem->quick;;) {
    bounds.pods = proof.bounds.pods + (theorem->quick.pods > 0 ? 1 : 0);
    proof = run(*theorem, terms, bounds, false, {});
    if (proof.outcome.verdict == Verdict::kRefuted || bounds.pods >= theorem->quick.pods) break;
  }
  EXPECT_EQ(proof.outcome.verdict, Verdict::kRefuted) << proof.outcome.why;
  std::optional<Witness> shown;
  if (proof.outcome.model) shown = witness(*theorem, proof.bounds, terms, *proof.outcome.model);
  ASSERT_TRUE(shown) << proof.outcome.why;
  subjects::EngineSubject engine;
  subjects::ReferenceSubject reference;
  const Decision wrong = engine.decide(shown->question);
  mutants::activate("");
  EXPECT_FALSE(compare::compare(shown->question, wrong, reference.decide(shown->question)).empty());
  EXPECT_TRUE(compare::compare(shown->question, engine.decide(shown->question),
                               reference.decide(shown->question), {.story = true})
                  .empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongCore,
    testing::Values(Wrong{"fit-leaves-one-free", "engine-reprieve"},
                    Wrong{"violating-reprieved-last", "engine-reprieve"},
                    Wrong{"walk-misses-the-last", "engine-reprieve"},
                    Wrong{"budget-violated-at-zero", "engine-charging-1.36"},
                    Wrong{"budget-allows-one-more", "engine-charging-1.36"},
                    Wrong{"budget-counted-per-pod", "engine-charging-1.36"},
                    Wrong{"charging-stops-in-every-release", "engine-charging-1.36"},
                    Wrong{"charging-never-stops", "engine-charging-1.37"},
                    Wrong{"first-budget-only", "engine-charging-1.37"},
                    Wrong{"charged-once-per-pod", "engine-charging-1.36"},
                    Wrong{"disrupted-pods-charged-twice", "engine-charging-disrupted-1.36"},
                    Wrong{"importance-priority-reversed", "importance-is-an-order-1.37"},
                    Wrong{"importance-start-reversed", "importance-is-an-order-1.37"},
                    Wrong{"importance-missing-start-first", "importance-is-an-order-1.37"},
                    Wrong{"clock-read-once", "importance-is-an-order-1.36"},
                    Wrong{"victims-unsorted", "engine-lists-victims"},
                    Wrong{"classed-counted-for-victims", "engine-selection-1.36"},
                    Wrong{"nominated-load-dropped", "engine-reprieve"},
                    Wrong{"sum-not-shifted", "engine-ranking"},
                    Wrong{"lowest-for-highest-priority", "engine-ranking"},
                    Wrong{"start-of-any-victim", "engine-ranking"},
                    Wrong{"latest-start-of-the-highest", "engine-ranking"},
                    Wrong{"level-1-reversed", "engine-ranking"}, Wrong{"level-1-skipped", "engine-ranking"},
                    Wrong{"level-2-reversed", "engine-ranking"}, Wrong{"level-2-skipped", "engine-ranking"},
                    Wrong{"level-3-reversed", "engine-ranking"}, Wrong{"level-3-skipped", "engine-ranking"},
                    Wrong{"level-4-reversed", "engine-ranking"}, Wrong{"level-4-skipped", "engine-ranking"},
                    Wrong{"level-5-reversed", "engine-ranking"}, Wrong{"level-5-skipped", "engine-ranking"}),
    [](const auto& tested) { return test_name(tested.param.mutant); });

#endif

}  // namespace
}  // namespace reprieve::smt
