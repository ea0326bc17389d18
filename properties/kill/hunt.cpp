#include "reprieve/properties/kill/hunt.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "reprieve/mutants/mutant.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/shrink/shrink.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::kill {
namespace {

// What a stage says of the engine as it is now, right or wrong.
std::optional<std::string> ask(Stage& stage, const Case& question, const Decision& decision,
                               std::uint64_t seed) {
  // Depths that differ are an error, of which no law speaks; one of them is about just that.
  const bool full_alone = decision.outcome == Outcome::kError && !stage.judges_the_decision_alone();
  subjects::EngineSubject engine(full_alone ? subjects::EngineDepths::kFull : subjects::EngineDepths::kBoth);
  const Decision judged = full_alone ? engine.decide(question) : decision;
  generators::Random random(seed);
  laws::Facts facts(question, judged);
  return stage.finds({question, judged, engine, random, facts});
}

Decision decide(const Case& question) { return subjects::EngineSubject().decide(question); }

}  // namespace

Case case_of(std::uint64_t seed) {
  return generators::generate(seed, {.policies = generators::Policies::kMixed});
}

std::optional<Kill> hunt(const mutants::Mutant& mutant, Stage& stage, std::uint64_t seed,
                         std::uint64_t cases) {
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case question = case_of(seed + i);
    const mutants::Active active(mutant.name);
    const Decision decision = decide(question);
    std::optional<std::string> why = ask(stage, question, decision, seed + i);
    if (!why) continue;
    const mutants::Active none("");
    if (ask(stage, question, decide(question), seed + i)) continue;
    return Kill{.seed = seed + i, .cases = i + 1, .why = std::move(*why)};
  }
  return std::nullopt;
}

std::vector<std::optional<Kill>> hunt(const mutants::Mutant& mutant,
                                      std::span<const std::unique_ptr<Stage>> stages, std::uint64_t seed,
                                      std::uint64_t cases) {
  std::vector<std::optional<Kill>> kills(stages.size());
  const auto unfound = [](const std::optional<Kill>& kill) { return !kill; };
  for (std::uint64_t i = 0; i < cases && std::ranges::any_of(kills, unfound); ++i) {
    const Case question = case_of(seed + i);
    const Decision right = decide(question);
    const mutants::Active active(mutant.name);
    const Decision decision = decide(question);
    const bool same = decision == right;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      if (kills[s] || (same && stages[s]->judges_the_decision_alone())) continue;
      std::optional<std::string> why = ask(*stages[s], question, decision, seed + i);
      if (!why) continue;
      const mutants::Active none("");
      if (ask(*stages[s], question, right, seed + i)) continue;
      kills[s] = Kill{.seed = seed + i, .cases = i + 1, .why = std::move(*why)};
    }
  }
  return kills;
}

Case smallest(const mutants::Mutant& mutant, Stage& stage, std::uint64_t seed) {
  const auto still_fails = [&](const Case& question) {
    {
      const mutants::Active none("");
      if (ask(stage, question, decide(question), seed)) return false;
    }
    const mutants::Active active(mutant.name);
    return ask(stage, question, decide(question), seed).has_value();
  };
  return shrink::shrink(case_of(seed), still_fails).smallest;
}

}  // namespace reprieve::kill
