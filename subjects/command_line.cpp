#include "reprieve/subjects/command_line.h"

namespace reprieve::subjects {

namespace {

// Outside quotes these mean something to a shell that this file does not imitate.
constexpr std::string_view kShellCharacters = "|&;<>()$`*?[]{}~#!\n";

}  // namespace

std::expected<std::vector<std::string>, std::string> split_command(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' || c == '\t') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else if (c == '\'' || c == '"') {
      const std::size_t end = line.find(c, i + 1);
      if (end == std::string_view::npos) return std::unexpected("the command has an open quote");
      const std::string_view quoted = line.substr(i + 1, end - i - 1);
      if (c == '"' && quoted.find_first_of("$`\\") != std::string_view::npos) {
        return std::vector<std::string>{"/bin/sh", "-c", std::string(line)};
      }
      word += quoted;
      in_word = true;
      i = end;
    } else if (c == '\\' && i + 1 < line.size()) {
      word += line[++i];
      in_word = true;
    } else if (kShellCharacters.find(c) != std::string_view::npos) {
      return std::vector<std::string>{"/bin/sh", "-c", std::string(line)};
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  if (words.empty()) return std::unexpected("the command is empty");
  // NAME=value before a command sets a variable; only a shell does that.
  if (words.front().find('=') != std::string::npos) {
    return std::vector<std::string>{"/bin/sh", "-c", std::string(line)};
  }
  return words;
}

}  // namespace reprieve::subjects
