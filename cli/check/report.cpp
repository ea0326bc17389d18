#include "reprieve/cli/check/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/output/table.h"
#include "reprieve/cli/output/terminal.h"

namespace reprieve::cli {

namespace {

constexpr std::uint64_t kCampaign = 1000;  // cases
// So that a red run is read: of each stage so many findings in full and so many by their titles, and of each
// so many lines.
constexpr std::size_t kFindingsInFull = 3;
constexpr std::size_t kFindingsNamed = 10;
constexpr std::size_t kMostShares = 12;
constexpr int kDetailLines = 60;
constexpr int kCaseLines = 120;

/// As many lines as that, and how many are left out. `file` holds all of them; empty: none does.
std::string first_lines(std::string_view text, int most, const std::string& file) {
  std::string first;
  int lines = 0;
  while (!text.empty()) {  // its own lines stay
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (++lines <= most) first += printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (lines > most) {
    first +=
        fmt::format("... {} more lines{}\n", lines - most, file.empty() ? "" : " in " + shell_quoted(file));
  }
  return first;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHeld: return "held";
    case Verdict::kFailed: return "FAILED";
    case Verdict::kSkipped: return "skipped";
  }
  return "";
}

Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHeld: return Colour::kGreen;
    case Verdict::kFailed: return Colour::kRed;
    case Verdict::kSkipped: return Colour::kYellow;
  }
  return Colour::kPlain;
}

/// "nominated 61.2 %", "fits 20.0 %", ..., the most frequent first.
std::vector<std::string> shares(const reach::Counts& counts, std::uint64_t all) {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  for (const auto& [name, count] : counts) sorted.emplace_back(count, name);
  std::ranges::sort(sorted, std::ranges::greater());
  std::vector<std::string> parts;
  for (const auto& [count, name] : sorted) {
    parts.push_back(
        fmt::format("{} {:.1f} %", name, 100.0 * static_cast<double>(count) / static_cast<double>(all)));
  }
  return parts;
}

/// A line of shares of their sum; empty when there are none.
std::string shares_line(std::string_view what, const reach::Counts& counts) {
  if (counts.empty()) return {};
  std::uint64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return fmt::format("  {:<14} {}\n", what, fmt::join(shares(counts, sum), ", "));
}

using FeatureCount = std::uint64_t (reach::Reach::*)(generators::Feature) const;

/// How many cases have each feature; those that none has are left out.
reach::Counts features(const reach::Reach& reach, FeatureCount count) {
  reach::Counts counts;
  for (int i = 0; i < generators::kFeatureCount; ++i) {
    const auto feature = static_cast<generators::Feature>(i);
    if ((reach.*count)(feature) > 0) counts.emplace(to_string(feature), (reach.*count)(feature));
  }
  return counts;
}

/// "budgets 61.0 %, memory 40.2 %, ... and 3 more".
std::string largest_shares(const reach::Counts& counts, std::uint64_t all) {
  const std::vector<std::string> parts = shares(counts, all);
  const std::size_t most = std::min(parts.size(), kMostShares);
  return fmt::format("{}{}",
                     fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(most), ", "),
                     most == parts.size() ? "" : fmt::format(" and {} more (-o json)", parts.size() - most));
}

/// Features that no case with a nomination had: said aloud, since the run proves nothing of them.
std::string missing_features(const reach::Reach& reach) {
  std::vector<std::string_view> names;
  for (int i = 0; i < generators::kFeatureCount; ++i) {
    const auto feature = static_cast<generators::Feature>(i);
    if (feature == generators::Feature::kNeverPreempts) continue;  // it never can
    if (reach.nominated_with_feature(feature) == 0) names.push_back(to_string(feature));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "engine 101 of 108, reference 110 of 112; never: engine/...".
std::string rules_reached(const reach::Reach& reach) {
  std::map<std::string_view, std::pair<int, int>> sides;  // taken, all
  for (const auto& [name, taken] : reach.marks()) {
    auto& [reached, all] = sides[std::string_view(name).substr(0, name.find('/'))];
    reached += taken > 0 ? 1 : 0;
    ++all;
  }
  std::vector<std::string> parts;
  for (const auto& [side, numbers] : sides) {
    if (numbers.first > 0) parts.push_back(fmt::format("{} {} of {}", side, numbers.first, numbers.second));
  }
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  std::vector<std::string_view> never = reach.marks_never_taken();
  std::erase_if(never,
                [&](std::string_view name) { return sides[name.substr(0, name.find('/'))].first == 0; });
  if (!never.empty()) text += fmt::format("; never {}", fmt::join(never, ", "));
  return text;
}

/// The laws, with how often each held; the few that are broken stand out.
std::string law_table(const std::vector<LawCount>& laws) {
  Table table({"LAW", "HOLDS", "BROKEN", "EXCUSED", "SILENT"});
  for (const LawCount& law : laws) {
    if (law.beyond) {
      table.add({law.law, "-", "-", "-", "needs the story"}, Colour::kYellow);
      continue;
    }
    table.add({law.law, with_commas(law.holds), with_commas(law.broken), with_commas(law.excused),
               with_commas(law.silent)},
              law.broken > 0 ? Colour::kRed : Colour::kPlain);
  }
  return table.to_string(2);
}

nlohmann::ordered_json to_json(const std::vector<LawCount>& laws) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const LawCount& law : laws) {
    json.push_back({{"law", law.law},
                    {"holds", law.holds},
                    {"broken", law.broken},
                    {"excused", law.excused},
                    {"silent", law.silent},
                    {"needsStory", law.beyond}});
  }
  return json;
}

nlohmann::ordered_json to_json(const reach::Reach& reach) {
  return {{"cases", reach.cases()},
          {"outcomes", reach.outcomes()},
          {"decidedBy", reach.levels()},
          {"nodes", reach.statuses()},
          {"firstFailures", reach.first_failures()},
          {"emptiedFailures", reach.emptied_failures()},
          {"notReprieved", reach.not_reprieved()},
          {"nominations", reach.traits()},
          {"marks", reach.marks()},
          {"features", features(reach, &reach::Reach::with_feature)},
          {"featuresNominated", features(reach, &reach::Reach::nominated_with_feature)}};
}

/// What a green run does not say, a line each: stages that did not run, time that was over, laws that never
/// spoke. Empty when there is nothing.
std::string not_covered(const std::vector<NamedReport>& reports) {
  std::string text;
  const auto add = [&text](const std::string& name, const std::string& what) {
    text += fmt::format("  {:<14} {}\n", name, what);
  };
  for (const auto& [name, report] : reports) {
    if (report.verdict == Verdict::kSkipped) add(name, "not run: " + printable(report.what));
    for (const std::string& gap : report.gaps) add(name, printable(gap));
    std::vector<std::string_view> silent;
    for (const LawCount& law : report.laws) {
      if (law.holds + law.broken + law.excused == 0 && !law.beyond) silent.push_back(law.law);
    }
    if (!silent.empty())
      add(name, fmt::format("laws whose premise was never met: {}", fmt::join(silent, ", ")));
  }
  return text.empty() ? text : paint(Colour::kBold, "Not covered") + "\n" + text;
}

}  // namespace

std::string stage_line(const NamedReport& named) {
  const auto& [name, report] = named;
  const bool cut = report.cut && report.verdict == Verdict::kHeld;
  const std::string verdict = fmt::format("{:<8}", cut ? "cut" : to_string(report.verdict));
  const std::string time =
      report.verdict == Verdict::kSkipped ? "" : fmt::format("  {:.1f}s", report.seconds);
  return fmt::format("{:<10} {} {}{}\n", name,
                     paint(cut ? Colour::kYellow : colour_of(report.verdict), verdict),
                     printable(report.what), time);
}

std::string describe(const Finding& finding) {
  std::string text = paint(Colour::kBold, printable(finding.title)) + "\n";
  text += first_lines(finding.details, kDetailLines, {});
  if (!finding.case_yaml.empty()) {
    text += finding.file.empty() ? std::string("\nThe case:\n")
                                 : fmt::format("\nThe case, {}:\n", shell_quoted(finding.file));
    text += first_lines(finding.case_yaml, kCaseLines, finding.file);
  }
  if (finding.seed) text += fmt::format("\nSeed: {}", *finding.seed);
  if (!finding.repeat.empty()) text += fmt::format("\nRepeat: {}\n", finding.repeat);
  if (!finding.alone.empty() && !finding.file.empty())
    text += fmt::format("On the case alone: {}\n", alone(finding));
  return text + "\n";
}

std::string describe(const std::vector<NamedReport>& reports) {
  std::string text;
  for (const auto& [name, report] : reports) {
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      const Finding& finding = report.findings[i];
      if (i < kFindingsInFull) {
        text += "\n" + describe(finding);
        continue;
      }
      if (i == kFindingsInFull) text += fmt::format("\nAlso found by {}:\n", name);
      text += "  " + printable(finding.title) + "\n";
      if (i + 1 - kFindingsInFull == kFindingsNamed && i + 1 < report.findings.size()) {
        text += fmt::format("  and {} more\n", report.findings.size() - i - 1);
        break;
      }
    }
  }
  return text;
}

std::string alone(const Finding& finding) {
  if (finding.alone.empty() || finding.file.empty()) return {};
  return fmt::format("{} --corpus {}", finding.alone, shell_quoted(finding.file));
}

std::string summary(const std::vector<NamedReport>& reports, const CheckOptions& options) {
  std::string text;
  std::vector<std::string> failing;
  std::uint64_t decisions = 0;
  std::uint64_t compared = 0;
  for (const auto& [name, report] : reports) {
    if (report.verdict == Verdict::kFailed) failing.push_back(name);
    decisions += report.decisions;
    compared += report.compared;
    // The stage that is about laws shows them all; of another one those that are broken are findings.
    if (!report.laws.empty() && (name == laws_stage()->name() || report.laws.size() == 1)) {
      text += fmt::format(
          "\n{}\n{}",
          paint(Colour::kBold, fmt::format("Laws, held to {} decisions", with_commas(report.decisions))),
          law_table(report.laws));
    }
    if (report.reach.cases() == 0) continue;
    text += fmt::format("\n{}\n", paint(Colour::kBold, fmt::format("Reached by {}, {} cases", name,
                                                                   with_commas(report.reach.cases()))));
    text += shares_line("outcomes", report.reach.outcomes());
    text += shares_line("decided by", report.reach.levels());
    text += shares_line("nodes", report.reach.statuses());
    text += shares_line("failed first", report.reach.first_failures());
    text += shares_line("not reprieved", report.reach.not_reprieved());
    // A folder of a few hundred cases is not meant to have everything; a campaign is.
    if (report.reach.cases() < kCampaign) continue;
    const auto nominated = report.reach.outcomes().find("nominated");
    if (nominated != report.reach.outcomes().end()) {
      text += fmt::format("  nominations    {}\n", largest_shares(report.reach.traits(), nominated->second));
    }
    text += fmt::format(
        "  cases with     {}\n",
        largest_shares(features(report.reach, &reach::Reach::with_feature), report.reach.cases()));
    text += fmt::format("  rules reached  {}\n", rules_reached(report.reach));
    const std::string missing = missing_features(report.reach);
    if (!missing.empty()) {
      text += fmt::format("  never with a nomination  {}\n", missing);
    }
  }
  text += '\n';
  text += not_covered(reports);
  if (options.commit.empty())
    text += fmt::format("Seed: {}\n", options.seed);
  else
    text += fmt::format("Seed: {}, of {}\n", options.seed, printable(options.commit));
  text += failing.empty()
              ? paint(Colour::kGreen,
                      fmt::format(
                          "Held on {} decisions{}.", with_commas(decisions),
                          compared == 0 ? "" : fmt::format(" and {} other things", with_commas(compared))))
              : paint(Colour::kRed, fmt::format("Failed: {}.", fmt::join(failing, ", ")));
  return text + "\n";
}

nlohmann::ordered_json to_json(const std::vector<NamedReport>& reports, const CheckOptions& options) {
  nlohmann::ordered_json stages = nlohmann::ordered_json::array();
  for (const auto& [name, report] : reports) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const Finding& finding : report.findings) {
      nlohmann::ordered_json entry = {{"title", finding.title}, {"details", finding.details}};
      if (!finding.case_yaml.empty()) entry["case"] = finding.case_yaml;
      if (finding.seed) entry["seed"] = *finding.seed;
      entry["repeat"] = finding.repeat;
      if (!finding.file.empty()) entry["caseFile"] = finding.file;
      if (const std::string again = alone(finding); !again.empty()) entry["repeatCase"] = again;
      findings.push_back(std::move(entry));
    }
    stages.push_back({{"stage", name},
                      {"verdict", report.verdict == Verdict::kFailed ? "failed" : to_string(report.verdict)},
                      {"what", report.what},
                      {"cutShort", report.cut},
                      {"decisions", report.decisions},
                      {"seconds", report.seconds},
                      {"reached", to_json(report.reach)},
                      {"notCovered", report.gaps},
                      {"findings", std::move(findings)}});
    if (!report.laws.empty()) stages.back()["laws"] = to_json(report.laws);
  }
  nlohmann::ordered_json document = {{"apiVersion", "reprieve.dev/v1alpha1"},
                                     {"kind", "CheckReport"},
                                     {"held", !failed(reports)},
                                     {"subject", options.subject},
                                     {"against", options.against},
                                     {"seed", options.seed}};
  if (!options.commit.empty()) document["commit"] = options.commit;
  if (options.policy) document["policy"] = options.policy->name;
  document["stages"] = std::move(stages);
  return document;
}

bool failed(const std::vector<NamedReport>& reports) {
  return std::ranges::any_of(reports,
                             [](const auto& named) { return named.second.verdict == Verdict::kFailed; });
}

}  // namespace reprieve::cli
