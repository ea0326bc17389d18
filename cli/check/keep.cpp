#include "reprieve/cli/check/keep.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "reprieve/cli/check/again.h"

namespace reprieve::cli {

namespace {

namespace fs = std::filesystem;

/// The folder, made; empty when it cannot be.
std::string made(const std::string& folder) {
  std::error_code failed;
  if (!folder.empty()) {
    fs::create_directories(folder, failed);
    return failed ? std::string() : absolute(folder);
  }
  std::string name = (fs::temp_directory_path(failed) / "reprieve-check-XXXXXX").string();
  if (failed || mkdtemp(name.data()) == nullptr) return {};
  return name;
}

}  // namespace

std::string CaseFiles::keep(NamedReport& named) {
  auto& [name, report] = named;
  int number = 0;
  for (Finding& finding : report.findings) {
    ++number;
    if (finding.case_yaml.empty()) continue;
    if (into_.empty()) into_ = made(folder_);
    if (into_.empty()) return fmt::format("--out: cannot make {}", folder_.empty() ? "a folder" : folder_);
    const std::string path = fmt::format("{}/{}-{}.yaml", into_, name, number);
    std::ofstream file(path);
    file << finding.case_yaml;
    if (!file.flush()) return fmt::format("--out: cannot write {}", path);
    finding.file = path;
  }
  return {};
}

}  // namespace reprieve::cli
