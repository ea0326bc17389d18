// reprieve corpus: the case files as a table, for people.
#include "reprieve/cli/corpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "reprieve/cli/command.h"

namespace reprieve::cli {

namespace {

/// "nominated n1", with the level in brackets; what the file expects, not what anybody decides.
std::string outcome_of(const manifest::Expectation& expected) {
  std::string text;
  if (expected.outcome) text = to_string(*expected.outcome);
  if (expected.nominated && !expected.nominated->empty()) {
    text += fmt::format(" {}", fmt::join(*expected.nominated, "/"));
  }
  if (expected.decided_by) text += fmt::format(" ({})", to_string(*expected.decided_by));
  return text;
}

std::string outcomes(const CorpusCase& corpus_case) {
  std::vector<std::pair<std::string, std::string>> by_policy;  // release, outcome
  for (const Judged& judged : corpus_case.judged) {
    std::string name = judged.question.policy.name;
    if (name.starts_with("kubernetes-")) name.erase(0, 11);
    by_policy.emplace_back(std::move(name), outcome_of(judged.expected));
  }
  const bool same =
      std::ranges::all_of(by_policy, [&](const auto& one) { return one.second == by_policy[0].second; });
  // The same words can hide other victims; the sentence says so where that is the point.
  if (same) return by_policy.empty() ? "" : by_policy[0].second;
  std::vector<std::string> parts;
  for (const auto& [name, outcome] : by_policy) parts.push_back(fmt::format("{}: {}", name, outcome));
  return fmt::format("{}", fmt::join(parts, "; "));
}

int table(const std::string& folder) {
  const auto files = corpus_files(folder);
  if (files.empty()) return fail(fmt::format("{} holds no case files", folder));
  fmt::print("| case | what it shows | decision |\n|---|---|---|\n");
  for (const std::string& file : files) {
    const auto corpus_case = read_corpus_case(file);
    if (!corpus_case) return fail(corpus_case.error());
    const std::string path = std::filesystem::path(file).lexically_relative(folder).string();
    fmt::print("| [{}]({}) | {} | {} |\n", corpus_case->spec.name, path, corpus_case->spec.description,
               outcomes(*corpus_case));
  }
  return kHeld;
}

}  // namespace

void add_corpus(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("corpus", "The case files and what each shows");
  command->require_subcommand(1);
  auto folder = std::make_shared<std::string>("corpus");
  CLI::App* table_command =
      command->add_subcommand("table", "A Markdown table of the case files in a folder");
  table_command->add_option("FOLDER", *folder, "\"corpus\" unless given");
  table_command->callback([folder, &exit_code] { exit_code = table(*folder); });
}

}  // namespace reprieve::cli
