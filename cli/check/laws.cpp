#include "reprieve/cli/check/laws.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/in_a_child.h"
#include "reprieve/cli/check/random_cases.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/shrink/shrink.h"
#include "reprieve/subjects/place.h"

namespace reprieve::cli {

namespace {

constexpr int kDraws = 8;

/// Each law draws for itself, so that one law asked alone draws as it did among all.
std::uint64_t draw_seed(const laws::Law& law, std::uint64_t seed) {
  return generators::seed_of(law.name) + seed;
}

/// A law about a way to the case (updates-like-rebuilding) may be broken before its end. A draw that breaks
/// it at the end shows it on the case that is printed, and so is the better one.
bool is_on_the_way(const Broken& broken) { return broken.why.starts_with("on the way"); }

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

std::string repeat_on_the_corpus(const laws::Law& law, std::uint64_t draw) {
  return fmt::format("reprieve check --only laws --law {} --cases 1{}", law.name,
                     draw == 0 ? "" : fmt::format(" --draw {}", draw));
}

std::string repeat_law(const laws::Law& law, const CheckOptions& options, std::uint64_t seed) {
  return repeat_random(fmt::format("laws --law {}", law.name), options, seed);
}

bool is_beyond(const laws::Law& law, const subjects::Subject& subject) {
  return law.needs_story && !subject.tells_story();
}

laws::Judgement hold_law(const laws::Law& law, const Case& question, const Decision& decision,
                         laws::Facts& facts, subjects::Subject& subject, std::uint64_t seed) {
  const subjects::Place here(subjects::Doing::kLaw, law.name, question.name, question.policy.name);
  generators::Random random(draw_seed(law, seed));
  return laws::hold(law, {question, decision, subject, random, facts});
}

std::optional<Broken> how_broken(const laws::Law& law, const Case& question, subjects::Subject& subject,
                                 std::uint64_t seed) {
  const Decision decision = subject.decide(question);
  laws::Facts facts(question, decision);
  const int draws = law.arity == laws::Arity::kTwoDecisions ? kDraws : 1;
  std::optional<Broken> aside;
  for (int draw = 0; draw < draws; ++draw) {
    const std::uint64_t of = seed + static_cast<std::uint64_t>(draw);
    const auto judgement = hold_law(law, question, decision, facts, subject, of);
    if (judgement.verdict != laws::Verdict::kBroken) continue;
    const Broken found{.why = judgement.why(), .draw = of};
    if (!is_on_the_way(found)) return found;
    if (!aside) aside = found;
  }
  return aside;
}

namespace {

/// By a subject that has decided nothing before, where that costs nothing.
std::optional<Broken> how_broken_anew(const laws::Law& law, const Case& question, subjects::Subject& subject,
                                      std::uint64_t seed) {
  return subject.tells_story() ? how_broken(law, question, *subject.clone(), seed)
                               : how_broken(law, question, subject, seed);
}

}  // namespace

Case smallest_breach(const laws::Law& law, const Case& question, subjects::Subject& subject,
                     std::uint64_t seed) {
  const auto first = how_broken_anew(law, question, subject, seed);
  const bool aside = first && is_on_the_way(*first);
  const auto breaks = [&](const Case& smaller) {
    const auto broken = how_broken_anew(law, smaller, subject, seed);
    return broken && (aside || !is_on_the_way(*broken));
  };
  const auto still = [&](const Case& smaller) {
    return holds_of_smaller(subject.tells_story(), [&] { return breaks(smaller); });
  };
  Case smallest = shrink::shrink(question, still, shrink_settings(subject.tells_story())).smallest;
  smallest.name = question.name;
  return smallest;
}

namespace {

/// What the law adds to how it is broken; empty: nothing.
std::string explained(const laws::Law& law, const Case& question, subjects::Subject& subject,
                      std::uint64_t draw) {
  if (law.explain == nullptr) return {};
  const Decision decision = subject.decide(question);
  laws::Facts facts(question, decision);
  generators::Random random(draw_seed(law, draw));
  return law.explain({question, decision, subject, random, facts});
}

}  // namespace

Finding finding_of(const laws::Law& law, const Case& question, const std::string& where,
                   subjects::Subject& subject, std::uint64_t seed, const CheckOptions& options,
                   std::string repeat) {
  const Case smallest = options.fail_fast ? question : smallest_breach(law, question, subject, seed);
  Finding finding{.title = fmt::format("{} breaks the law {} on {}", subject.name(), law.name, where),
                  .details = fmt::format("{}\n  {}\n", law.sentence, law.statement),
                  .case_yaml = manifest::write_case_yaml(smallest),
                  .seed = {},
                  .repeat = std::move(repeat),
                  .alone = {},
                  .file = {}};
  const auto broken = how_broken_anew(law, smallest, subject, seed);
  if (!broken) {
    finding.details += kAgreeAlone;
    return finding;
  }
  finding.details += broken->why + "\n";
  if (const std::string more = explained(law, smallest, subject, broken->draw); !more.empty())
    finding.details += more + "\n";
  finding.alone = repeat_on_the_corpus(law, broken->draw) + Pair::repeat_options(options);
  return finding;
}

}  // namespace reprieve::cli
