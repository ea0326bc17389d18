#include "reprieve/cli/check/keep.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string keep_cases(const std::string& folder, std::vector<NamedReport>& reports) {
  const bool any = std::ranges::any_of(reports, [](const NamedReport& named) {
    return std::ranges::any_of(named.second.findings,
                               [](const Finding& finding) { return !finding.case_yaml.empty(); });
  });
  if (!any) return {};
  const std::string into = made(folder);
  if (into.empty()) return fmt::format("--out: cannot make {}", folder.empty() ? "a folder" : folder);
  for (auto& [name, report] : reports) {
    int number = 0;
    for (Finding& finding : report.findings) {
      ++number;
      if (finding.case_yaml.empty()) continue;
      const std::string path = fmt::format("{}/{}-{}.yaml", into, name, number);
      std::ofstream file(path);
      file << finding.case_yaml;
      if (!file.flush()) return fmt::format("--out: cannot write {}", path);
      finding.file = path;
    }
  }
  return {};
}

}  // namespace reprieve::cli
