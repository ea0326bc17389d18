// reprieve corpus minimise: only those inputs of a fuzz target that reach something the others do not.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "reprieve/cli/command.h"
#include "reprieve/cli/commands/corpus_files.h"

namespace reprieve::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string target;
  std::string folder;
  std::string program;
};

/// Not "quoted": for a std::string the standard library has one of that name.
std::string shell_word(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Whether a program is built with libFuzzer: the others replay files and know no -help.
bool is_libfuzzer(const std::string& program) {
  std::FILE* pipe = ::popen((shell_word(program) + " -help=1 2>&1").c_str(), "r");
  if (pipe == nullptr) return false;
  std::string said;
  std::array<char, 4096> buffer;
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    said.append(buffer.data(), got);
  }
  ::pclose(pipe);
  return said.find("\n merge ") != std::string::npos;  // a flag's line
}

/// Where `./dev fuzz` puts it.
std::string find_target(const std::string& target) {
  std::error_code failed;
  for (const char* preset : {"fuzz-fast", "fuzz"}) {
    const fs::path program = fs::path("build") / preset / "bin" / target;
    if (fs::exists(program, failed)) return program.string();
  }
  return {};
}

struct Size {
  std::size_t files = 0;
  std::uintmax_t bytes = 0;
};

Size size_of(const std::string& folder) {
  Size size;
  std::error_code failed;
  for (const std::string& file : all_files({folder})) {
    ++size.files;
    size.bytes += fs::file_size(file, failed);
  }
  return size;
}

int run(Options options) {
  if (options.folder.empty()) options.folder = "build/fuzz-corpus/" + options.target;
  if (options.program.empty()) options.program = find_target(options.target);
  std::error_code failed;
  if (options.program.empty() || !is_libfuzzer(options.program)) {
    return fail(
        fmt::format("there is no libFuzzer build of {}; to make one: cmake --preset fuzz-fast && cmake "
                    "--build build/fuzz-fast --target {}",
                    options.target, options.target));
  }
  if (!fs::is_directory(options.folder, failed)) return fail(fmt::format("{}: is no folder", options.folder));
  const Size before = size_of(options.folder);
  if (before.files == 0) return fail(fmt::format("{}: holds no files", options.folder));
  const std::string minimal = options.folder + ".minimal";
  fs::remove_all(minimal, failed);
  fs::create_directories(minimal, failed);
  const std::string command = fmt::format("{} -merge=1 {} {} >&2", shell_word(options.program),
                                          shell_word(minimal), shell_word(options.folder));
  const int code = std::system(command.c_str());
  const Size after = size_of(minimal);
  if (code != 0 || after.files == 0) {
    fs::remove_all(minimal, failed);
    return fail(fmt::format("{} could not merge; its words are above", options.program));
  }
  fs::remove_all(options.folder, failed);
  fs::rename(minimal, options.folder, failed);
  if (failed) return fail(fmt::format("{}: {}", minimal, failed.message()));
  fmt::print("{}: {} files with {} bytes, now {} with {}\n", options.folder, before.files, before.bytes,
             after.files, after.bytes);
  return kHeld;
}

}  // namespace

void add_corpus_minimise(CLI::App& corpus, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      corpus.add_subcommand("minimise", "Keep only the inputs that reach something the others do not");
  command->footer(
      "Runs the libFuzzer build of a target over its inputs and keeps the smallest that together cover as\n"
      "much. Regressions are case files of corpus/ and are never thrown away.\n\n"
      "Example:\n"
      "  reprieve corpus minimise kubernetes_1_37_fuzzer");
  command->add_option("TARGET", options->target, "A fuzz target (fuzz/README.md lists them)")->required();
  command->add_option("FOLDER", options->folder, "Its inputs; build/fuzz-corpus/TARGET unless given");
  command->add_option("--with", options->program,
                      "The program; that of build/fuzz-fast or build/fuzz unless given");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace reprieve::cli
