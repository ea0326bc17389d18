#include "reprieve/manifest/error.h"

#include <fmt/core.h>

#include <cstdint>
#include <optional>

#include "reprieve/manifest/json_text.h"

namespace reprieve::manifest {
namespace {

constexpr std::size_t kMaxField_bytes = 400;
constexpr std::size_t kMaxMessage_bytes = 2000;

/// The character at the beginning of `text`: how many bytes it has, and its number; invalid UTF-8 is
/// one byte, and no character.
struct Character {
  std::size_t size = 1;
  std::optional<std::uint32_t> code;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {.size = 1, .code = lead};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (size > text.size() || find_invalid_utf8(text.substr(0, size)) != std::string_view::npos) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (const char c : text.substr(1, size - 1)) code = (code << 6) | (static_cast<unsigned char>(c) & 0x3fU);
  return {.size = size, .code = code};
}

/// C0, DEL and C1; the separators of lines and paragraphs; and Unicode's marks of direction, which make
/// a name look like another one.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f || code == 0xfeff;
}

/// "dump.json:12:7: items[3].spec: " with what is known, or nothing.
std::string prefix(const Location& where) {
  std::string text;
  if (!where.file.empty()) {
    text = printable(where.file);
    if (where.line > 0) text += fmt::format(":{}", where.line);
    if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
    text += ": ";
  }
  if (!where.field.empty()) text += printable(where.field, kMaxField_bytes) + ": ";
  return text;
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    const Character next = first_character(text);
    if (out.size() + next.size > max_bytes) return out + "...";
    if (!next.code) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (*next.code == '\n') {
      out += "\\n";
    } else if (*next.code == '\t') {
      out += "\\t";
    } else if (*next.code == '\r') {
      out += "\\r";
    } else if (!is_control(*next.code)) {
      out += text.substr(0, next.size);
    } else {
      out += *next.code < 0x80 ? fmt::format("\\x{:02x}", *next.code) : fmt::format("\\u{:04x}", *next.code);
    }
    text.remove_prefix(next.size);
  }
  return out;
}

std::string to_string(const Error& error) {
  return prefix(error.where) + printable(error.message, kMaxMessage_bytes);
}

std::string to_string(const Warning& warning) {
  const std::string text = prefix(warning.first) + printable(warning.message, kMaxMessage_bytes);
  return warning.count > 1 ? fmt::format("{} ({} times; this is the first)", text, warning.count) : text;
}

}  // namespace reprieve::manifest
