// From a name on the command line to a subject. HTTP extenders will be made here too.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "reprieve/subjects/builtin.h"
#include "reprieve/subjects/command_line.h"
#include "reprieve/subjects/process.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::subjects {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKubeScheduler = "kube-scheduler-";

/// build/kube-scheduler/ of the tree that this program was built in, or of the one it is run in;
/// REPRIEVE_KUBE_SCHEDULER_DIR comes first.
std::vector<fs::path> kube_scheduler_folders() {
  std::vector<fs::path> folders;
  if (const char* told = std::getenv("REPRIEVE_KUBE_SCHEDULER_DIR"); told != nullptr)
    folders.emplace_back(told);
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  for (fs::path up = failed ? fs::path() : self.parent_path(); up.has_relative_path();
       up = up.parent_path()) {
    folders.push_back(up / "kube-scheduler");
  }
  folders.emplace_back("build/kube-scheduler");
  return folders;
}

std::expected<std::unique_ptr<Subject>, std::string> kube_scheduler(std::string_view name, int time_out_ms) {
  for (const fs::path& folder : kube_scheduler_folders()) {
    const fs::path program = folder / name;
    std::error_code failed;
    if (!fs::is_regular_file(program, failed) || access(program.c_str(), X_OK) != 0) continue;
    return std::make_unique<ProcessSubject>(
        ProcessOptions{.name = std::string(name), .argv = {program.string()}, .time_out_ms = time_out_ms});
  }
  return std::unexpected(fmt::format(
      "{} is not built: `./dev kube-scheduler` builds build/kube-scheduler/{} (needs Go)", name, name));
}

}  // namespace

std::expected<std::unique_ptr<Subject>, std::string> make_subject(std::string_view name_or_command,
                                                                  int time_out_ms) {
  if (name_or_command == "engine") return std::make_unique<EngineSubject>();
  if (name_or_command == "reference") return std::make_unique<ReferenceSubject>();
  if (name_or_command.starts_with(kKubeScheduler) && name_or_command.find(' ') == std::string_view::npos) {
    return kube_scheduler(name_or_command, time_out_ms);
  }
  auto argv = split_command(name_or_command);
  if (!argv) return std::unexpected(fmt::format("subject '{}': {}", name_or_command, argv.error()));
  return std::make_unique<ProcessSubject>(
      ProcessOptions{.name = {}, .argv = std::move(*argv), .time_out_ms = time_out_ms});
}

}  // namespace reprieve::subjects
