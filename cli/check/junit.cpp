// A run of `check` as JUnit XML.
#include "reprieve/report/junit.h"

#include <fmt/format.h>

#include "reprieve/cli/check/report.h"

namespace reprieve::cli {

namespace {

/// As describe() says it, without the colours of a terminal.
std::string text_of(const Finding& finding) {
  std::string text = finding.title + "\n" + finding.details;
  if (!finding.case_yaml.empty()) text += "\nThe case:\n" + finding.case_yaml;
  if (!finding.repeat.empty()) text += "\nRepeat: " + finding.repeat + "\n";
  if (const std::string again = alone(finding); !again.empty()) text += "On the case alone: " + again + "\n";
  return text;
}

report::Case case_of(const std::string& name, const StageReport& stage) {
  report::Case entry{
      .name = name, .class_name = "reprieve.check", .message = stage.what, .time_s = stage.seconds};
  switch (stage.verdict) {
    case Verdict::kHeld:
      entry.outcome = report::Outcome::kPassed;
      entry.output = stage.what;
      entry.message.clear();
      for (const std::string& gap : stage.gaps) entry.output += "\nnot covered: " + gap;
      break;
    case Verdict::kSkipped: entry.outcome = report::Outcome::kSkipped; break;
    case Verdict::kFailed:
      // Without a finding it is not known what is wrong: nothing was compared, or it could not be.
      entry.outcome = stage.findings.empty() ? report::Outcome::kError : report::Outcome::kFailed;
      for (const Finding& finding : stage.findings) entry.details += text_of(finding) + "\n";
      break;
  }
  return entry;
}

}  // namespace

std::string write_junit(const std::string& file, const std::vector<NamedReport>& reports) {
  if (file.empty()) return {};
  report::Suite suite{.name = "check", .cases = {}};
  for (const auto& [name, stage] : reports) suite.cases.push_back(case_of(name, stage));
  if (report::write_junit(file, "reprieve", {suite})) return {};
  return fmt::format("--junit: cannot write {}", file);
}

}  // namespace reprieve::cli
