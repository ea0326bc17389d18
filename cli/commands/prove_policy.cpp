// reprieve prove POLICY, and --differ: what holds of a policy, and where two differ.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reprieve/cli/command.h"
#include "reprieve/cli/commands/prove_files.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/output/table.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/write.h"
#include "reprieve/report/junit.h"
#include "reprieve/smt/policy/invariants.h"

namespace reprieve::cli {
namespace {

namespace fs = std::filesystem;

// One line of the answer.
struct Line {
  std::string name, sentence;
  smt::Finding finding;
  std::string case_yaml = {}, case_file = {};
  bool good() const { return finding.verdict == smt::Verdict::kProved; }
};

smt::Effort effort_of(const PolicyOptions& options) {
  return options.effort == "quick"     ? smt::Effort::kQuick
         : options.effort == "nightly" ? smt::Effort::kNightly
                                       : smt::Effort::kDefault;
}

smt::ProofSettings settings_of(const PolicyOptions& options) {
  smt::ProofSettings settings;
  settings.solver = {
      .time_out_ms = options.time_s * 1000, .memory_mb = options.memory_mb, .seed = options.seed};
  return settings;
}

std::string scope_of(const Line& line) {
  return (line.finding.shown ? "" : "up to ") + smt::to_string(line.finding.shape);
}

// Makes the case of a line, and writes it where that was asked for; false when it cannot be written.
bool keep_case(Line& line, const std::string& name, const std::string& sentence,
               const PolicyOptions& options) {
  if (!line.finding.shown) return true;
  Case& question = *line.finding.shown;
  question.name = name;
  std::ranges::replace(question.name, '.', '-');
  const manifest::CaseSpec spec{.name = question.name,
                                .description = sentence,
                                .preemptor = question.preemptor,
                                .policy = question.policy};
  line.case_yaml = manifest::write_case_yaml(question, &spec);
  if (options.write_cases.empty()) return true;
  const fs::path path = fs::path(options.write_cases) / (question.name + ".yaml");
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  std::ofstream out(path);
  out << line.case_yaml;
  out.close();
  line.case_file = path.string();
  return static_cast<bool>(out);
}

bool write_report(const std::vector<Line>& lines, const std::string& suite, const std::string& repeat,
                  const PolicyOptions& options) {
  if (options.junit.empty()) return true;
  report::Suite result{.name = suite, .cases = {}};
  for (const Line& line : lines) {
    const smt::Verdict verdict = line.finding.verdict;
    report::Case each{.name = line.name,
                      .class_name = suite,
                      .outcome = line.good()                         ? report::Outcome::kPassed
                                 : verdict == smt::Verdict::kRefuted ? report::Outcome::kFailed
                                                                     : report::Outcome::kError,
                      .message = fmt::format("{}: {}", smt::to_string(verdict), line.sentence),
                      .details = {},
                      .output = {},
                      .time_s = static_cast<double>(line.finding.time_us) / 1e6};
    (line.good() ? each.output : each.details) =
        fmt::format("{}\n{}\n{}\nagain: {}\n", scope_of(line), line.finding.why, line.case_yaml, repeat);
    result.cases.push_back(std::move(each));
  }
  return report::write_junit(options.junit, "reprieve prove", {result});
}

nlohmann::ordered_json to_json(const Line& line) {
  const smt::Verdict verdict = line.finding.verdict;
  nlohmann::ordered_json json = {{"name", line.name},
                                 {"sentence", line.sentence},
                                 {"verdict", smt::to_string(verdict)},
                                 {"scope", scope_of(line)},
                                 {"seconds", static_cast<double>(line.finding.time_us) / 1e6}};
  if (verdict != smt::Verdict::kProved && verdict != smt::Verdict::kRefuted) json["why"] = line.finding.why;
  if (!line.case_file.empty()) json["caseFile"] = line.case_file;
  if (!line.case_yaml.empty()) json["case"] = line.case_yaml;
  return json;
}

void print_table(const std::vector<Line>& lines) {
  Table table({"NAME", "VERDICT", "SCOPE", "TIME", "SHOWN BY"});
  for (const Line& line : lines) {
    const std::string shown = !line.case_file.empty() ? line.case_file
                              : line.finding.shown    ? "a cluster"
                                                      : "-";
    table.add({line.name, std::string(smt::to_string(line.finding.verdict)), scope_of(line),
               fmt::format("{:.2f} s", static_cast<double>(line.finding.time_us) / 1e6), shown},
              line.good() ? Colour::kPlain : Colour::kRed);
  }
  fmt::print("{}", table.to_string());
}

int cannot_write(const std::string& path) { return fail(fmt::format("cannot write {}", path)); }

}  // namespace

bool is_policy_name(const std::string& name) {
  const std::vector<std::string> names = manifest::builtin_policy_names();
  return std::ranges::count(names, name) > 0;
}

int prove_policy(const std::string& name, const PolicyOptions& options) {
  const auto policy = manifest::find_policy(name);
  return policy ? prove_policy(*policy, options) : fail(manifest::to_string(policy.error()));
}

int prove_policy(const Policy& policy, const PolicyOptions& options) {
  if (const std::string what = smt::not_encoded(policy); !what.empty())
    return fail(
        fmt::format("{} of policy {} has no formula, so nothing can be proved of it", what, policy.name));
  const std::vector<smt::Invariant> invariants = smt::invariants(policy);
  Progress progress("prove", invariants.size());
  std::vector<Line> lines;
  for (const smt::Invariant& invariant : invariants) {
    lines.push_back({.name = invariant.name,
                     .sentence = invariant.sentence,
                     .finding = smt::decide(policy, invariant, effort_of(options), settings_of(options))});
    const bool shows = invariant.shown_by_a_cluster;
    if (!keep_case(lines.back(), fmt::format("{}-{}{}", policy.name, shows ? "" : "not-", invariant.name),
                   (shows ? "" : "The smallest cluster on which this is false: ") + invariant.sentence,
                   options))
      return cannot_write(lines.back().case_file);
    progress.add(1);
    progress.draw();
  }
  progress.clear();
  const std::string repeat =
      fmt::format("reprieve prove POLICY --effort {} --seed {}", options.effort, options.seed);
  if (!write_report(lines, policy.name, repeat, options)) return cannot_write(options.junit);
  const auto proved = std::ranges::count_if(lines, &Line::good);
  if (options.output == "json") {
    nlohmann::ordered_json document = {{"policy", policy.name},
                                       {"solver", smt::Solver::version()},
                                       {"effort", options.effort},
                                       {"invariants", nlohmann::ordered_json::array()}};
    for (const Line& line : lines) document["invariants"].push_back(to_json(line));
    fmt::print("{}", render(document, Format::kJson));
  } else {
    print_table(lines);
    fmt::print("\n{} of {} hold for {}, by {}; the filter is that of resources, start times are given.\n",
               proved, lines.size(), policy.name, smt::Solver::version());
    for (const Line& line : lines) {
      if (line.good()) continue;
      const bool refuted = line.finding.verdict == smt::Verdict::kRefuted;
      fmt::print("\n{}: {}\n  {}\n", line.name, refuted ? "refuted" : line.finding.why, line.sentence);
    }
  }
  return proved == std::ssize(lines) ? kHeld : kFound;
}

int prove_differ(const std::string& before, const std::string& after, const PolicyOptions& options) {
  const auto a = manifest::find_policy(before), b = manifest::find_policy(after);
  if (!a) return fail(manifest::to_string(a.error()));
  if (!b) return fail(manifest::to_string(b.error()));
  if (const std::string why = smt::not_comparable(*a, *b); !why.empty()) return fail(why);
  std::vector<Line> lines;
  for (const smt::Difference in :
       {smt::Difference::kViolations, smt::Difference::kVictims, smt::Difference::kNode}) {
    const std::string name(smt::to_string(in));
    lines.push_back({.name = name,
                     .sentence = fmt::format("{} and {} never differ in the {}.", a->name, b->name, name),
                     .finding = smt::differ(*a, *b, in, effort_of(options), settings_of(options))});
    if (!keep_case(
            lines.back(), fmt::format("{}-and-{}-differ-in-{}", a->name, b->name, name),
            fmt::format("The smallest cluster on which {} and {} differ in the {}.", a->name, b->name, name),
            options))
      return cannot_write(lines.back().case_file);
  }
  const std::string repeat =
      fmt::format("reprieve prove --differ {} {} --effort {}", before, after, options.effort);
  if (!write_report(lines, fmt::format("{} and {}", a->name, b->name), repeat, options))
    return cannot_write(options.junit);
  if (options.output == "json") {
    nlohmann::ordered_json document = {
        {"before", a->name}, {"after", b->name}, {"differ", nlohmann::ordered_json::array()}};
    for (const Line& line : lines) {
      document["differ"].push_back(to_json(line));
      document["differ"].back()["differs"] = line.finding.verdict == smt::Verdict::kRefuted;
    }
    fmt::print("{}", render(document, Format::kJson));
  } else {
    for (const Line& line : lines) {
      const smt::Verdict verdict = line.finding.verdict;
      if (verdict == smt::Verdict::kProved) {
        fmt::print("{}: the same, {}\n", line.name, scope_of(line));
      } else if (verdict == smt::Verdict::kRefuted) {
        fmt::print("{}: they differ, on {}\n{}\n", line.name, scope_of(line),
                   line.case_file.empty() ? line.case_yaml : line.case_file);
      } else {
        fmt::print("{}: {}: {}\n", line.name, smt::to_string(verdict), line.finding.why);
      }
    }
  }
  return std::ranges::all_of(lines, &Line::good) ? kHeld : kFound;
}

}  // namespace reprieve::cli
