// reprieve corpus: the case files as a table, for people; the other commands are in corpus_*.cpp.
#include "reprieve/cli/corpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "reprieve/cli/command.h"
#include "reprieve/cli/commands/corpus_files.h"

namespace reprieve::cli {

namespace {

constexpr std::string_view kBegin = "<!-- begin: reprieve corpus table -->";
constexpr std::string_view kEnd = "<!-- end -->";

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

/// The Markdown table; the error is one line.
std::expected<std::string, std::string> table(const std::string& folder) {
  const auto files = corpus_files(folder);
  if (files.empty()) return std::unexpected(fmt::format("{} holds no case files", folder));
  std::string text = "| case | what it shows | decision |\n|---|---|---|\n";
  for (const std::string& file : files) {
    const auto corpus_case = read_corpus_case(file);
    if (!corpus_case) return std::unexpected(corpus_case.error());
    const std::string path = std::filesystem::path(file).lexically_relative(folder).string();
    text += fmt::format("| [{}]({}) | {} | {} |\n", corpus_case->spec.name, path,
                        corpus_case->spec.description, outcomes(*corpus_case));
  }
  return text;
}

/// Puts the table in the place of what stands between the two marks of a file.
int write_into(const std::string& path, const std::string& table) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(fmt::format("{}: cannot be read", path));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    return fail(fmt::format("{}: lacks the lines {} and {}", path, kBegin, kEnd));
  }
  const std::size_t from = begin + kBegin.size();
  text.replace(from, end - from, "\n" + table);
  std::ofstream out(path, std::ios::binary);
  if (!(out << text << std::flush)) return fail(fmt::format("{}: cannot be written", path));
  return kHeld;
}

int run_table(const std::string& folder, const std::string& into) {
  const auto text = table(folder);
  if (!text) return fail(text.error());
  if (!into.empty()) return write_into(into, *text);
  fmt::print("{}", *text);
  return kHeld;
}

}  // namespace

void add_corpus(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("corpus", "Case files and fuzzers' inputs");
  command->require_subcommand(1);
  auto folder = std::make_shared<std::string>("corpus");
  auto into = std::make_shared<std::string>();
  CLI::App* table_command =
      command->add_subcommand("table", "A Markdown table of the case files in a folder");
  table_command->add_option("FOLDER", *folder, "\"corpus\" unless given");
  table_command->add_option("--into", *into,
                            fmt::format("Write it into this file, between {} and {}", kBegin, kEnd));
  table_command->callback([folder, into, &exit_code] { exit_code = run_table(*folder, *into); });
  add_corpus_convert(*command, exit_code);
  add_corpus_import(*command, exit_code);
  add_corpus_add_regression(*command, exit_code);
  add_corpus_minimise(*command, exit_code);
}

}  // namespace reprieve::cli
