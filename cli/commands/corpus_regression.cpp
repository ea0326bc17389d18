// reprieve corpus add-regression: what a fuzzer found becomes a case file with the decision to expect.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "reprieve/cli/command.h"
#include "reprieve/cli/commands/corpus_files.h"
#include "reprieve/cli/corpus.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/write.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string file;
  std::string name;
  std::string description;
  std::string folder;
};

/// As docs/SUBJECTS.md says of the two live schedulers; the reference where they are not built.
std::unique_ptr<subjects::Subject> judge_of(Release release) {
  const std::string real = "kube-scheduler-" + std::string(to_string(release));
  auto judge = subjects::make_subject(real);
  if (judge) return *std::move(judge);
  return *subjects::make_subject("reference");
}

bool is_kebab_case(const std::string& name) {
  return !name.empty() && name.find("--") == std::string::npos && name.front() != '-' && name.back() != '-' &&
         std::ranges::all_of(
             name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

int run(const Options& options) {
  if (!is_kebab_case(options.name)) return fail("NAME: a sentence in lower case, its words joined by '-'");
  if (options.description.size() < 20 || !options.description.ends_with('.')) {
    return fail("--description: one sentence that says what the case shows, with a full stop");
  }
  auto question = read_case_or_bytes(options.file);
  if (!question) return fail(question.error());
  question->name = options.name;
  manifest::CaseSpec spec;
  spec.name = options.name;
  spec.description = options.description;
  std::string by;
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    const auto judge = judge_of(release);
    Case asked = *question;
    asked.policy = kubernetes_policy(release);
    const Decision decision = judge->decide(asked);
    if (subjects::is_subject_failure(decision)) return fail(decision.reason);
    spec.expect_for[asked.policy.name] = expectation_of(decision);
    by += fmt::format("{}{} by {}", by.empty() ? "" : ", ", asked.policy.name, judge->name());
  }
  // A policy that is not Kubernetes' own has no real scheduler to ask.
  if (!spec.expect_for.contains(question->policy.name) && question->policy.name != "kubernetes") {
    spec.expect = expectation_of((*subjects::make_subject("reference"))->decide(*question));
    by += fmt::format(", {} by reference", question->policy.name);
  }
  const fs::path path = fs::path(options.folder) / (options.name + ".yaml");
  std::error_code failed;
  if (fs::exists(path, failed)) return fail(fmt::format("{}: is there already", path.string()));
  fs::create_directories(options.folder, failed);
  std::ofstream out(path, std::ios::binary);
  if (!(out << manifest::write_case_yaml(*question, &spec) << std::flush)) {
    return fail(fmt::format("{}: cannot be written", path.string()));
  }
  fmt::print("{}: decided under {}\nNow: reprieve corpus table corpus --into corpus/README.md\n",
             path.string(), by);
  return kHeld;
}

}  // namespace

void add_corpus_add_regression(CLI::App& corpus, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = corpus.add_subcommand("add-regression",
                                            "A fuzzer's finding as a case file with the decision to expect");
  command->footer(
      "FILE is what a fuzz target or `reprieve check` left behind: a case file, or a fuzzer's input. The\n"
      "decision is the real kube-scheduler's of each release where it is built (./dev kube-scheduler), else\n"
      "the reference's; read it before it is committed.\n\n"
      "Example:\n"
      "  reprieve corpus add-regression crash-0badc0de a-pod-that-left-is-not-charged \\\n"
      "    --description 'A pod that has left its node is charged to no budget.'");
  command->add_option("FILE", options->file, "A case file or a fuzzer's input")->required();
  command->add_option("NAME", options->name, "What it shows, as a name")->required();
  command->add_option("--description", options->description, "What it shows, as a sentence")->required();
  options->folder = find_corpus().empty() ? "corpus/regressions" : find_corpus() + "/regressions";
  command->add_option("--into", options->folder, "The folder; corpus/regressions unless given");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace reprieve::cli
