// reprieve shrink: the smallest case that shows what a large one does.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>

#include "reprieve/cli/arguments.h"
#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/laws.h"
#include "reprieve/cli/command.h"
#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/terminal.h"
#include "reprieve/manifest/error.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/write.h"

namespace reprieve::cli {

namespace {

constexpr const char* kHelp =
    R"(Shrinks a failing case until nothing more can be left out of it, and writes it as a case file. What
fails is either a law that the subject breaks (--law; `reprieve check --list --only laws` names them),
or the answer of another subject that the subject's differs from (--against). Each smaller case fails
in the same way: the same law is broken, or the same field differs.

Exit code: 0 the case was shrunk, 2 the call was wrong, or the case does not fail.

Examples:
  reprieve shrink case.yaml --law no-victim-can-be-spared --subject './mine --flag'
  reprieve shrink case.yaml --against reference
  reprieve shrink case.yaml --subject reference --against kube-scheduler-1.37 -o smallest.yaml)";

constexpr std::uint64_t kDayMs = 86'400'000;

struct Options {
  std::vector<std::string> files;
  std::string law;
  CheckOptions check;
  std::uint64_t seed = 1;
  std::string output;
};

/// The shrunk case with what it shows as its first lines, or why there is none.
struct Shrunk {
  std::string shows;
  std::string yaml;
  std::string error;
};

Shrunk shrink_under_law(const Options& options, const Case& question) {
  const laws::Law* law = laws::find_law(options.law);
  if (law == nullptr) {
    return {.shows = {}, .yaml = {}, .error = fmt::format("--law: there is no law '{}'", options.law)};
  }
  auto subject =
      subjects::make_subject(options.check.subject, options.check.time_out_ms.value_or(kOutsideTimeOutMs));
  if (!subject) return {.shows = {}, .yaml = {}, .error = subject.error()};
  const std::string_view name = (*subject)->name();
  if (is_beyond(*law, **subject)) {
    return {.shows = {},
            .yaml = {},
            .error = fmt::format("{} needs each node's story, which {} does not tell", law->name, name)};
  }
  if (!how_broken(*law, question, **subject, options.seed)) {
    return {
        .shows = {}, .yaml = {}, .error = fmt::format("{} does not break {} on this case", name, law->name)};
  }
  const Case smallest = smallest_breach(*law, question, **subject, options.seed);
  const auto broken = how_broken(*law, smallest, **subject, options.seed);
  return {.shows = fmt::format("{} breaks {}\n{}\n", name, law->name, broken ? broken->why : std::string()),
          .yaml = manifest::write_case_yaml(smallest),
          .error = {}};
}

Shrunk shrink_against(const Options& options, const Case& question) {
  auto pair = Pair::make(options.check);
  if (!pair) return {.shows = {}, .yaml = {}, .error = pair.error()};
  if (!pair->decides(question.policy)) {
    return {
        .shows = {},
        .yaml = {},
        .error = fmt::format("the two cannot decide under {}; --policy names another", question.policy.name)};
  }
  if (pair->ask(question).empty()) {
    return {
        .shows = {},
        .yaml = {},
        .error = fmt::format("{} and {} agree on this case", pair->subject().name(), pair->against().name())};
  }
  Finding finding = pair->finding(question, {});
  return {.shows = finding.title + "\n" + finding.details, .yaml = std::move(finding.case_yaml), .error = {}};
}

/// Each line as a comment of YAML.
std::string commented(const std::string& text) {
  std::string lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines += "# " + printable(text.substr(from, end - from)) + "\n";
    from = end + 1;
  }
  return lines;
}

int run(const Options& options) {
  if (options.law.empty() == (options.check.against.empty())) {
    return fail("either --law or --against says what fails");
  }
  const auto input = load(options.files);
  if (!input) return kWrongInput;
  auto question = manifest::to_case(*input);
  if (!question) return fail(manifest::to_string(question.error()));
  if (!options.check.policy_name.empty()) {
    const auto policy = manifest::find_policy(options.check.policy_name);
    if (!policy) return fail("--policy: " + manifest::to_string(policy.error()));
    question->policy = *policy;
  }
  const Shrunk shrunk =
      options.law.empty() ? shrink_against(options, *question) : shrink_under_law(options, *question);
  if (!shrunk.error.empty()) return fail(shrunk.error);
  const std::string text = commented(shrunk.shows) + shrunk.yaml;
  if (options.output.empty()) {
    fmt::print("{}", text);
    return kHeld;
  }
  std::ofstream file(options.output, std::ios::binary);
  file << text;
  file.close();
  return file ? kHeld : fail("cannot write " + options.output);
}

}  // namespace

void add_shrink(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->check.against.clear();
  CLI::App* command = app.add_subcommand("shrink", "Make a failing case as small as it can be");
  command->footer(kHelp);
  command
      ->add_option("case", options->files, "The case: a file with a PreemptionCase, or - for standard input")
      ->required();
  command->add_option("--law", options->law, "The law that is broken");
  command->add_option("--against", options->check.against, "The subject that decides otherwise");
  command->add_option("--subject", options->check.subject, "Who decides the case; engine unless given");
  command->add_option("--policy", options->check.policy_name,
                      "Ask under this policy instead of the case's: a built-in one or a file");
  command->add_flag("--choice-only", options->check.choice_only,
                    "Compare the outcome, the chosen node and its victims only");
  command->add_option("--seed", options->seed, "Of what a law of two decisions draws")->check(whole_number());
  command
      ->add_option("--time-out", options->check.time_out_ms,
                   "Milliseconds for one decision of an external program")
      ->check(whole_number(1, kDayMs));
  command->add_option("-o,--output", options->output, "The file to write; standard output unless given");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace reprieve::cli
