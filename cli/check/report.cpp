#include "reprieve/cli/check/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/output/terminal.h"

namespace reprieve::cli {

namespace {

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

/// "nominated 61.2 %, fits 20.0 %, ...", the most frequent first.
std::string shares(const Coverage::Counts& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  std::uint64_t total = 0;
  for (const auto& [name, count] : counts) {
    sorted.emplace_back(count, name);
    total += count;
  }
  std::ranges::sort(sorted, std::ranges::greater());
  std::vector<std::string> parts;
  for (const auto& [count, name] : sorted) {
    parts.push_back(
        fmt::format("{} {:.1f} %", name, 100.0 * static_cast<double>(count) / static_cast<double>(total)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string numbers(const Coverage::Counts& counts) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} {}", name, with_commas(count)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

nlohmann::ordered_json to_json(const Coverage& coverage) {
  return {{"outcomes", coverage.outcomes}, {"decidedBy", coverage.levels},  {"statuses", coverage.statuses},
          {"filters", coverage.plugins},   {"policies", coverage.policies}, {"traits", coverage.traits}};
}

}  // namespace

std::string stage_line(const NamedReport& named) {
  const auto& [name, report] = named;
  const std::string verdict = fmt::format("{:<8}", to_string(report.verdict));
  const std::string time =
      report.verdict == Verdict::kSkipped ? "" : fmt::format("  {:.1f}s", report.seconds);
  return fmt::format("{:<10} {} {}{}\n", name, paint(colour_of(report.verdict), verdict), report.what, time);
}

std::string describe(const Finding& finding) {
  std::string text = paint(Colour::kBold, finding.title) + "\n";
  text += finding.details;
  if (!text.ends_with('\n')) text += '\n';
  if (!finding.case_yaml.empty()) text += "\nThe case:\n" + finding.case_yaml;
  if (finding.seed) text += fmt::format("\nSeed: {}", *finding.seed);
  if (!finding.repeat.empty()) text += fmt::format("\nRepeat: {}\n", finding.repeat);
  return text + "\n";
}

std::string summary(const std::vector<NamedReport>& reports) {
  std::string text;
  std::vector<std::string> not_run;
  std::vector<std::string> failing;
  std::uint64_t decisions = 0;
  for (const auto& [name, report] : reports) {
    if (report.verdict == Verdict::kSkipped) not_run.push_back(fmt::format("{} ({})", name, report.what));
    if (report.verdict == Verdict::kFailed) failing.push_back(name);
    decisions += report.decisions;
    const Coverage& coverage = report.coverage;
    if (coverage.outcomes.empty()) continue;
    text += fmt::format("\n{}\n", paint(Colour::kBold, "Reached by " + name));
    text += fmt::format("  outcomes    {}\n", shares(coverage.outcomes));
    text += fmt::format("  decided by  {}\n", shares(coverage.levels));
    text += fmt::format("  nodes       {}\n", shares(coverage.statuses));
    text += fmt::format("  filters     {}\n", numbers(coverage.plugins));
    text += fmt::format("  policies    {}\n", numbers(coverage.policies));
    text += fmt::format("  cases with  {}\n", numbers(coverage.traits));
  }
  text += '\n';
  if (!not_run.empty()) text += fmt::format("Not run: {}\n", fmt::join(not_run, "; "));
  text += failing.empty()
              ? paint(Colour::kGreen, fmt::format("Held on {} decisions.", with_commas(decisions)))
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
      findings.push_back(std::move(entry));
    }
    stages.push_back({{"stage", name},
                      {"verdict", report.verdict == Verdict::kFailed ? "failed" : to_string(report.verdict)},
                      {"what", report.what},
                      {"decisions", report.decisions},
                      {"seconds", report.seconds},
                      {"reached", to_json(report.coverage)},
                      {"findings", std::move(findings)}});
  }
  return {{"apiVersion", "reprieve.dev/v1alpha1"},
          {"kind", "CheckReport"},
          {"held", !failed(reports)},
          {"subject", options.subject},
          {"against", options.against},
          {"seed", options.seed},
          {"stages", std::move(stages)}};
}

bool failed(const std::vector<NamedReport>& reports) {
  return std::ranges::any_of(reports,
                             [](const auto& named) { return named.second.verdict == Verdict::kFailed; });
}

}  // namespace reprieve::cli
