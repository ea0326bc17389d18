#include "reprieve/cli/check/laws.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/check/random_cases.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/shrink/shrink.h"

namespace reprieve::cli {

namespace {

constexpr int kDraws = 8;
constexpr int kCalls = 4000;
constexpr int kExternalCalls = 1000;

/// Each law draws for itself, so that one law asked alone draws as it did among all.
std::uint64_t draw_seed(const laws::Law& law, std::uint64_t seed) {
  return generators::seed_of(law.name) + seed;
}

}  // namespace

std::vector<const laws::Law*> chosen_laws(const std::vector<std::string>& names) {
  std::vector<const laws::Law*> chosen;
  for (const laws::Law* law : laws::all_laws()) {
    if (names.empty() || std::ranges::find(names, law->name) != names.end()) chosen.push_back(law);
  }
  return chosen;
}

std::vector<const laws::Law*> one_decision_laws(const std::vector<std::string>& names) {
  auto chosen = chosen_laws(names);
  std::erase_if(chosen, [](const laws::Law* law) { return law->arity != laws::Arity::kOneDecision; });
  return chosen;
}

std::string repeat_law(const laws::Law& law, const CheckOptions& options, std::uint64_t seed) {
  return repeat_random(fmt::format("laws --law {}", law.name), options, seed);
}

bool is_beyond(const laws::Law& law, const subjects::Subject& subject) {
  return law.needs_story && !subject.tells_story();
}

laws::Judgement hold_law(const laws::Law& law, const Case& question, const Decision& decision,
                         laws::Facts& facts, subjects::Subject& subject, std::uint64_t seed) {
  generators::Random random(draw_seed(law, seed));
  return laws::hold(law, {question, decision, subject, random, facts});
}

std::optional<std::string> how_broken(const laws::Law& law, const Case& question, subjects::Subject& subject,
                                      std::uint64_t seed) {
  const Decision decision = subject.decide(question);
  laws::Facts facts(question, decision);
  const int draws = law.arity == laws::Arity::kTwoDecisions ? kDraws : 1;
  for (int draw = 0; draw < draws; ++draw) {
    const auto judgement =
        hold_law(law, question, decision, facts, subject, seed + static_cast<std::uint64_t>(draw));
    if (judgement.verdict == laws::Verdict::kBroken) return judgement.why();
  }
  return std::nullopt;
}

Case smallest_breach(const laws::Law& law, const Case& question, subjects::Subject& subject,
                     std::uint64_t seed) {
  Case smallest =
      shrink::shrink(question,
                     [&](const Case& smaller) { return how_broken(law, smaller, subject, seed).has_value(); },
                     {.max_calls = subject.tells_story() ? kCalls : kExternalCalls})
          .smallest;
  smallest.name = question.name;
  return smallest;
}

Finding finding_of(const laws::Law& law, const Case& question, const std::string& where,
                   subjects::Subject& subject, std::uint64_t seed, std::string repeat) {
  const Case smallest = smallest_breach(law, question, subject, seed);
  const auto why = how_broken(law, smallest, subject, seed);
  return {
      .title = fmt::format("{} breaks the law {} on {}", subject.name(), law.name, where),
      .details = fmt::format("{}\n  {}\n{}\n", law.sentence, law.statement,
                             why.value_or("It holds when asked again: the subject is not deterministic.")),
      .case_yaml = manifest::write_case_yaml(smallest),
      .seed = {},
      .repeat = std::move(repeat)};
}

}  // namespace reprieve::cli
