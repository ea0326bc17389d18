#include "reprieve/manifest/error.h"

#include <fmt/core.h>

namespace reprieve::manifest {
namespace {

/// "dump.json:12:7: items[3].spec: " with what is known, or nothing.
std::string prefix(const Location& where) {
  std::string text;
  if (!where.file.empty()) {
    text = where.file;
    if (where.line > 0) text += fmt::format(":{}", where.line);
    if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
    text += ": ";
  }
  if (!where.field.empty()) text += where.field + ": ";
  return text;
}

}  // namespace

std::string to_string(const Error& error) { return prefix(error.where) + error.message; }

std::string to_string(const Warning& warning) {
  if (warning.count > 1) {
    return fmt::format("{}{} ({} times; this is the first)", prefix(warning.first), warning.message,
                       warning.count);
  }
  return prefix(warning.first) + warning.message;
}

}  // namespace reprieve::manifest
