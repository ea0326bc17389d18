// The `reprieve` command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "reprieve/cli/arguments.h"
#include "reprieve/cli/command.h"
#include "reprieve/cli/output/message.h"
#ifdef REPRIEVE_MUTANTS
#include "reprieve/mutants/mutant.h"
#include "reprieve/mutants/registry.h"
#endif

namespace {

constexpr const char* kHelp =
    "Reprieve: a formal-verification and fuzzing bench for Kubernetes pod preemption.\n\n"
    "When a high-priority pod fits nowhere, the scheduler chooses a node and evicts lower-priority\n"
    "pods from it. Reprieve decides as kube-scheduler 1.36 and 1.37 do, says why, and checks that an\n"
    "implementation still does.";

constexpr const char* kFooter =
    "Exit codes: 0 all held, 1 something was found, 2 the input or the call was wrong.\n"
    "`reprieve COMMAND --help` explains a command.";

bool is_command(const CLI::App& app, const std::string& word) {
  const auto commands =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; });
  return !commands.empty();
}

// In a build with mutants: does wrong what REPRIEVE_MUTANT says, for the kill matrix and for whoever asks
// whether the gate would notice. A name that nobody has must not look like a mutant that survives.
bool activate_mutant() {
#ifdef REPRIEVE_MUTANTS
  const char* name = std::getenv("REPRIEVE_MUTANT");
  if (name == nullptr || *name == '\0') return true;
  if (reprieve::mutants::find_mutant(name) == nullptr) return false;
  reprieve::mutants::activate(name);
#endif
  return true;
}

int parse(CLI::App& app, int argc, char** argv) {
  // CLI11 would only say that a command is missing.
  const std::string word = argc > 1 ? argv[1] : "--help";
  const bool is_option = word.starts_with('-');
  if (is_option ? app.get_option_no_throw(word) == nullptr : !is_command(app, word)) {
    return reprieve::cli::fail(fmt::format("there is no {} '{}' (`reprieve --help` lists them)",
                                           is_option ? "option" : "command", word));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help and --version
    const int code = app.exit(asked);
    std::cout.flush();
    return std::cout ? code : reprieve::cli::fail("cannot write to standard output");
  } catch (const CLI::ParseError& wrong) {
    return reprieve::cli::fail(fmt::format("{} (`{} --help` explains)", wrong.what(), app.get_name()));
  }
  return -1;
}

}  // namespace

int main(int argc, char** argv) {
  reprieve::cli::keep_stderr_taken();
  int exit_code = reprieve::cli::kHeld;
  if (!activate_mutant()) return reprieve::cli::fail("REPRIEVE_MUTANT: there is no mutant of that name");
  CLI::App app(kHelp, "reprieve");
  app.footer(kFooter);
  app.set_version_flag("--version", "reprieve " REPRIEVE_VERSION);
  app.require_subcommand(1);
  reprieve::cli::add_decide(app, exit_code);
  reprieve::cli::add_explain(app, exit_code);
  reprieve::cli::add_check(app, exit_code);
  reprieve::cli::add_compare(app, exit_code);
  reprieve::cli::add_gen(app, exit_code);
  reprieve::cli::add_shrink(app, exit_code);
  reprieve::cli::add_policy(app, exit_code);
  reprieve::cli::add_corpus(app, exit_code);
  reprieve::cli::add_prove(app, exit_code);
  reprieve::cli::add_subject(app, exit_code);
  reprieve::cli::refuse_empty_values(app);
  try {
    const int parsed = parse(app, argc, argv);
    if (parsed >= 0) return parsed;
  } catch (const std::exception& failure) {
    // Nothing of ours throws; what a library throws (no memory, say) still ends in one clear line.
    return reprieve::cli::fail(failure.what());
  }
  if (std::fflush(stdout) != 0) return reprieve::cli::fail("cannot write to standard output");
  return exit_code;
}
