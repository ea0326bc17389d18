// Every law, held against the engine's decision of a case.
#include <fmt/format.h>

#include "reprieve/fuzz/finding.h"
#include "reprieve/fuzz/oracle.h"
#include "reprieve/fuzz/statistics.h"
#include "reprieve/properties/laws/facts.h"
#include "reprieve/properties/laws/law.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::fuzz {
namespace {

subjects::EngineSubject& engine() {
  static subjects::EngineSubject shared(subjects::EngineDepths::kFull);
  return shared;
}

/// The first law that does not hold, the related cases drawn from `seed`.
Fault broken_law(const Case& question, const Decision& decision, std::uint64_t seed) {
  laws::Facts facts(question, decision);
  for (const laws::Law* law : laws::all_laws()) {
    generators::Random random(seed);
    const laws::Judgement judgement = laws::hold(
        *law,
        {.question = question, .decision = decision, .subject = engine(), .random = random, .facts = facts});
    if (judgement.verdict != laws::Verdict::kBroken) continue;
    return {.kind = fmt::format("law {} is broken", law->name),
            .details = fmt::format("{}\n{}\n", law->sentence, judgement.why())};
  }
  return {};
}

}  // namespace

int hold_laws(const Case& question, std::uint64_t seed) {
  const auto look = [&](const Case& asked) { return broken_law(asked, engine().decide(asked), seed); };
  const Decision decision = engine().decide(question);
  const bool worth_keeping = statistics().add(decision);
  if (const Fault fault = broken_law(question, decision, seed)) found(question, fault, look);
  return worth_keeping ? kMayKeep : kDoNotKeep;
}

}  // namespace reprieve::fuzz
