#include "reprieve/cli/check/again.h"

#include <filesystem>
#include <sstream>
#include <system_error>

namespace reprieve::cli {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  std::error_code failed;
  const fs::path full = fs::absolute(path, failed);
  return failed ? path : full.lexically_normal().string();
}

std::string shell_quoted(const std::string& text) {
  if (!text.empty() && text.find_first_of(" \t'\"\\|&;<>()$`*?[]{}~#!") == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string full_path(const std::string& path) { return shell_quoted(absolute(path)); }

std::string full_command(const std::string& command) {
  if (command.find_first_of("'\"\\") != std::string::npos) return command;
  std::istringstream words(command);
  std::string full;
  for (std::string word; words >> word;) {
    // The first word is looked for on the PATH unless it has a slash.
    const bool may_be_a_file = !full.empty() || word.find('/') != std::string::npos;
    std::error_code failed;
    if (may_be_a_file && fs::is_regular_file(word, failed)) word = absolute(word);
    full += (full.empty() ? "" : " ") + word;
  }
  return full;
}

}  // namespace reprieve::cli
