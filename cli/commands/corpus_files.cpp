// reprieve corpus convert and import: case files and fuzzers' inputs as files of each other.
#include "reprieve/cli/commands/corpus_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "reprieve/cli/command.h"
#include "reprieve/cli/output/terminal.h"
#include "reprieve/fuzz/seeds.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/write.h"

namespace reprieve::cli {

namespace fs = std::filesystem;

namespace {

/// A name that a PreemptionCase and a file may have.
std::string plain_name(const std::string& file) {
  std::string name = fs::path(file).stem().string();
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    } else if (!plain) {
      c = '-';
    }
  }
  return name.empty() ? "case" : name;
}

int write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  if (!(out << text << std::flush)) return fail(fmt::format("{}: cannot be written", path));
  return kHeld;
}

struct Conversion {
  std::vector<std::string> files;
  std::string into;
  std::string policy;
};

/// The other form of a file: a case file's bytes, or the case file of bytes.
std::expected<std::string, std::string> other_form(const std::string& file,
                                                   const std::optional<Policy>& policy) {
  auto question = read_case_or_bytes(file);
  if (!question) return std::unexpected(question.error());
  if (policy) question->policy = *policy;
  if (!is_case_file(file)) return manifest::write_case_yaml(*question);
  const auto bytes = fuzz::encode(*question);
  if (!bytes) return std::unexpected(fmt::format("{}: {}", file, bytes.error()));
  return std::string(bytes->begin(), bytes->end());
}

int run_convert(const Conversion& options) {
  std::optional<Policy> policy;
  if (!options.policy.empty()) {
    const auto found = manifest::find_policy(options.policy);
    if (!found) return fail(manifest::to_string(found.error()));
    policy = *found;
  }
  const auto files = all_files(options.files);
  if (files.empty()) return fail(fmt::format("{}: holds no files", options.files.front()));
  std::error_code failed;
  const bool folder = fs::is_directory(options.into, failed);
  if (files.size() > 1 && !folder) return fail("--into: several files need a folder, which must be there");
  for (const std::string& file : files) {
    const auto text = other_form(file, policy);
    if (!text) return fail(text.error());
    if (options.into.empty()) {
      if (is_case_file(file) && is_terminal(STDOUT_FILENO))
        return fail("bytes are not for a terminal: --into FILE");
      std::fwrite(text->data(), 1, text->size(), stdout);
      continue;
    }
    const std::string extension = is_case_file(file) ? "" : ".yaml";
    const std::string path =
        folder ? (fs::path(options.into) / (fs::path(file).stem().string() + extension)).string()
               : options.into;
    if (const int code = write_text(path, *text); code != kHeld) return code;
  }
  return kHeld;
}

struct Import {
  std::vector<std::string> paths;
  std::string into;
};

/// What two cases that are the same have in common.
std::string identity(Case question) {
  question.name = "case";
  return manifest::write_case_yaml(question);
}

int run_import(const Import& options) {
  std::error_code failed;
  if (!fs::is_directory(options.into, failed))
    return fail(fmt::format("--into: {} is no folder", options.into));
  std::set<std::string> there;
  for (const std::string& file : all_files({options.into})) {
    if (!is_case_file(file)) continue;
    if (const auto question = read_case_or_bytes(file)) there.insert(identity(*question));
  }
  std::size_t added = 0, known = 0;
  for (const std::string& file : all_files(options.paths)) {
    auto question = read_case_or_bytes(file);
    if (!question) return fail(question.error());
    if (!there.insert(identity(*question)).second) {
      ++known;
      continue;
    }
    const std::string stem = question->name;
    fs::path path;
    for (int number = 1;; ++number) {
      question->name = number == 1 ? stem : fmt::format("{}-{}", stem, number);
      path = fs::path(options.into) / (question->name + ".yaml");
      if (!fs::exists(path, failed)) break;
    }
    if (const int code = write_text(path.string(), manifest::write_case_yaml(*question)); code != kHeld)
      return code;
    ++added;
  }
  fmt::print("{} added to {}, {} were there already\n", added, options.into, known);
  return kHeld;
}

}  // namespace

bool is_case_file(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

std::vector<std::string> all_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path, failed)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (auto at = fs::recursive_directory_iterator(path, failed); !failed && at != fs::end(at);
         at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (name.starts_with('.')) {
        at.disable_recursion_pending();
      } else if (at->is_regular_file(failed) && at->path().extension() != ".md") {
        found.push_back(at->path().string());
      }
    }
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::expected<Case, std::string> read_case_or_bytes(const std::string& file) {
  if (is_case_file(file)) return fuzz::read_case_file(file);
  const auto bytes = fuzz::read_bytes(file);
  if (!bytes) return std::unexpected(bytes.error());
  Case question = fuzz::decode(*bytes);
  question.name = plain_name(file);
  return question;
}

void add_corpus_convert(CLI::App& corpus, int& exit_code) {
  auto options = std::make_shared<Conversion>();
  CLI::App* command =
      corpus.add_subcommand("convert", "A case file as a fuzzer's input, or the other way round");
  command->footer(
      "*.yaml, *.yml and *.json are case files; every other file is bytes, of which any are a case.\n\n"
      "Examples:\n"
      "  reprieve corpus convert crash-0badc0de --policy kubernetes-1.36 > case.yaml\n"
      "  reprieve corpus convert corpus --into build/seeds");
  command->add_option("PATH", options->files, "Files, and folders of them")->required();
  command->add_option("--into", options->into,
                      "A file, or a folder that is there; standard output unless given");
  command->add_option(
      "--policy", options->policy,
      "Of the case: a built-in policy or a file, as the target had it (its own unless given)");
  command->callback([options, &exit_code] { exit_code = run_convert(*options); });
}

void add_corpus_import(CLI::App& corpus, int& exit_code) {
  auto options = std::make_shared<Import>();
  CLI::App* command = corpus.add_subcommand("import", "Add cases found elsewhere to a folder of case files");
  command->footer(
      "Takes case files and fuzzers' inputs. What is there already, under whatever name, is not added "
      "again.\n\n"
      "Examples:\n"
      "  reprieve corpus import build/fuzz-corpus/kubernetes_1_37_fuzzer --into found\n"
      "  reprieve corpus import someones-case.yaml --into corpus/regressions");
  command->add_option("PATH", options->paths, "Files, and folders of them")->required();
  command->add_option("--into", options->into, "The folder")->required();
  command->callback([options, &exit_code] { exit_code = run_import(*options); });
}

}  // namespace reprieve::cli
