#include "reprieve/cli/check/accident.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/in_a_child.h"
#include "reprieve/cli/check/laws.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/shrink/shrink.h"

namespace reprieve::cli {

namespace {

using subjects::Begun;
using subjects::Doing;

constexpr std::chrono::milliseconds kLongest{10'000};     // for one question that is asked again
constexpr std::chrono::milliseconds kLongestOfMany{500};  // while a case shrinks

/// "engine decides seed-7 under kubernetes-1.37", "the law L is held to seed-7 under ...".
std::string in_words(const Begun& begun) {
  const std::string where =
      fmt::format("{} under {}", begun.name.empty() ? "(unnamed)" : begun.name, begun.policy);
  switch (begun.doing) {
    case Doing::kDecide: return fmt::format("{} decides {}", begun.who, where);
    case Doing::kLaw: return fmt::format("the law {} is held to {}", begun.who, where);
    case Doing::kOther:
      return begun.policy.empty() ? fmt::format("{} {}", begun.who, begun.name)
                                  : fmt::format("{} {}", begun.who, where);
  }
  return {};
}

/// What a thread was at, and the case found again.
struct Suspect {
  Begun begun;
  const laws::Law* law = nullptr;  // that is held; null for a decision, or what is neither
  Located located;
};

std::optional<Suspect> suspect(const Stage& stage, const CheckOptions& options,
                               const subjects::ThreadPlace& place) {
  const auto at =
      std::ranges::find_if(place.begun, [](const Begun& begun) { return begun.doing != Doing::kOther; });
  const Begun& begun = at == place.begun.end() ? place.begun.back() : *at;
  const laws::Law* law = begun.doing == Doing::kLaw ? laws::find_law(begun.who) : nullptr;
  // The outermost one names the case: what is inside may be at one that is made of it.
  const Begun& outermost = place.begun.front();
  auto located = stage.locate(options, outermost.name, outermost.policy, law);
  if (!located) return std::nullopt;
  return Suspect{.begun = begun, .law = law, .located = std::move(*located)};
}

/// Asks what the thread was at once more, about this case.
bool ask(const Suspect& suspect, Pair& pair, const Case& question) {
  subjects::Subject& who = suspect.begun.who == pair.against().name() ? pair.against() : pair.subject();
  if (suspect.law == nullptr) return !who.decide(question).nodes.empty();
  return how_broken(*suspect.law, question, pair.subject(), suspect.located.draw).has_value();
}

/// How it dies of being asked about this case alone; nothing when it does not.
std::optional<Death> dies(const Suspect& suspect, Pair& pair, const Case& question,
                          std::chrono::milliseconds longest) {
  return in_a_child([&] { return ask(suspect, pair, question); }, longest).death;
}

Case smallest(const Suspect& suspect, Pair& pair, const Death& death, std::chrono::milliseconds longest) {
  const Case& question = suspect.located.question;
  const auto still = [&](const Case& smaller) {
    return dies(suspect, pair, smaller, std::min(longest, kLongestOfMany)) == death;
  };
  Case found = shrink::shrink(question, still, shrink_settings(true)).smallest;
  found.name = question.name;
  // What was only slow is no smaller case of what never ends.
  return dies(suspect, pair, found, longest) == death ? found : question;
}

std::string at_work(const Accident& accident) {
  std::string text;
  for (const subjects::ThreadPlace& place : accident.places) {
    text += "  ";
    for (std::size_t i = 0; i < place.begun.size(); ++i)
      text += (i == 0 ? "" : ": ") + in_words(place.begun[i]);
    text += "\n";
  }
  return text.empty() ? "  (nobody was at a case)\n" : text;
}

std::string how_it_was(const Accident& accident) {
  return fmt::format("The process that asked {}. Its threads were at:\n{}", to_string(accident.death),
                     at_work(accident));
}

std::optional<Finding> finding_of(const Suspect& suspect, const CheckOptions& options,
                                  const Accident& accident) {
  if (suspect.begun.doing == Doing::kOther) return std::nullopt;
  auto pair = Pair::make(options);
  if (!pair) return std::nullopt;
  const Case& question = suspect.located.question;
  const auto longest = std::min(kLongest, std::chrono::milliseconds{own_time_out_ms(options)});
  const auto death = dies(suspect, *pair, question, longest);
  if (!death) return std::nullopt;
  const Case shown = options.fail_fast ? question : smallest(suspect, *pair, *death, longest);
  const laws::Law* law = suspect.law;
  const std::string in_time =
      death->kind == Death::Kind::kHang ? fmt::format(" --time-out {}", longest.count()) : "";
  return Finding{
      .title = law == nullptr
                   ? fmt::format("{} {} on case {}", suspect.begun.who, to_string(*death), question.name)
                   : fmt::format("{} {} when the law {} is held to case {}", pair->subject().name(),
                                 to_string(*death), law->name, question.name),
      .details = how_it_was(accident),
      .case_yaml = manifest::write_case_yaml(shown),
      .seed = suspect.located.seed,
      .repeat = suspect.located.repeat + in_time,
      .alone = (law == nullptr ? std::string("reprieve check --only corpus")
                               : repeat_on_the_corpus(*law, suspect.located.draw)) +
               Pair::repeat_options(options) + in_time};
}

/// When nobody dies of one case alone: everything that is known.
Finding unexplained(const Stage& stage, const CheckOptions& options, const Accident& accident,
                    const std::vector<Suspect>& suspects) {
  Finding finding{
      .title = fmt::format("the stage {} {}", stage.name(), to_string(accident.death)),
      .details = how_it_was(accident),
      .case_yaml = {},
      .seed = {},
      .repeat = fmt::format("reprieve check --only {} --seed {}{}{}{}", stage.name(), options.seed,
                            options.effort == Effort::kQuick  ? " --quick"
                            : options.effort == Effort::kFull ? " --full"
                                                              : "",
                            options.cases ? fmt::format(" --cases {}", *options.cases) : "",
                            Pair::repeat_options(options))};
  if (suspects.empty()) return finding;
  const Suspect& first = suspects.front();
  if (first.begun.doing != Doing::kOther) {
    finding.details +=
        "Asked again in a process of its own, none of them does: it takes what came before, or "
        "a case that is made of one.\n";
  } else if (accident.places.size() == 1) {
    finding.repeat = first.located.repeat;
  }
  finding.case_yaml = manifest::write_case_yaml(first.located.question);
  finding.seed = first.located.seed;
  return finding;
}

}  // namespace

StageReport report_accident(const Stage& stage, const CheckOptions& options, const Accident& accident) {
  StageReport report = broken(fmt::format("the process {}", to_string(accident.death)));
  std::vector<Suspect> suspects;
  for (const subjects::ThreadPlace& place : accident.places) {
    if (auto found = suspect(stage, options, place)) suspects.push_back(std::move(*found));
  }
  for (const Suspect& one : suspects) {
    if (auto finding = finding_of(one, options, accident)) {
      report.findings.push_back(std::move(*finding));
      break;  // the other threads' cases are named in it
    }
  }
  if (report.findings.empty()) report.findings.push_back(unexplained(stage, options, accident, suspects));
  return report;
}

}  // namespace reprieve::cli
