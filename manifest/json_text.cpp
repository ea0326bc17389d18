#include "reprieve/manifest/json_text.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstring>

#include "reprieve/manifest/scan.h"

namespace reprieve::manifest {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

/// The offset behind the closing quote of the string whose opening quote is at `begin`.
std::size_t string_end(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  while (true) {
    at = text.find('"', at);
    if (at == std::string_view::npos) return kIncomplete;
    std::size_t backslashes = 0;
    while (at - backslashes > begin + 1 && text[at - backslashes - 1] == '\\') ++backslashes;
    ++at;
    if (backslashes % 2 == 0) return at;
  }
}

bool is_plain_word(std::string_view key) {
  if (key.empty()) return false;
  for (const char c : key) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain) return false;
  }
  return true;
}

}  // namespace

void append_path(std::string& out, std::span<const Step> path) {
  for (const Step& step : path) {
    if (step.key.data() == nullptr) {
      out += fmt::format("[{}]", step.index);
    } else if (is_plain_word(step.key)) {
      if (!out.empty()) out += '.';
      out += step.key;
    } else {
      out += fmt::format("[{}]", step.key);
    }
  }
}

std::size_t value_end(std::string_view text, std::size_t begin) {
  if (begin >= text.size()) return kIncomplete;
  if (text[begin] == '"') return string_end(text, begin);
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    switch (text[at]) {
      case '"':
        if (depth == 0) return at;
        at = string_end(text, at);
        if (at == kIncomplete) return kIncomplete;
        --at;
        break;
      case '{':
      case '[':
        if (++depth > kMaxDepth) return kHopeless;
        break;
      case '}':
      case ']':
        if (depth == 0) return at;  // ends a number or a word
        if (--depth == 0) return at + 1;
        break;
      case ',':
      case ':':
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        if (depth == 0) return at;
        break;
      default: break;
    }
  }
  return kIncomplete;
}

std::size_t indented_value_end(std::string_view text, std::size_t begin, std::string_view indentation,
                               char close) {
  // A newline cannot stand inside a JSON string, so a line that consists of the opening line's
  // indentation and a closing bracket ends the value, if indentation means anything in this text.
  const std::size_t width = indentation.size();
  const char blank = indentation.starts_with('\t') ? '\t' : ' ';
  for (std::size_t at = scan::skip_indented_lines(text, begin, width, blank); at != std::string_view::npos;
       at = scan::skip_indented_lines(text, at, width, blank)) {
    ++at;
    if (text.size() - at <= width) return kIncomplete;
    if (std::memcmp(text.data() + at, indentation.data(), width) != 0) return kHopeless;
    const char next = text[at + width];
    if (next == close) return at + width + 1;
    // One object on each line: looking on would look through the same text again for each of them.
    if (!is_space(next)) return kHopeless;
  }
  return kIncomplete;
}

std::size_t find_value(std::string_view text, std::span<const Step> path) {
  std::size_t here = skip_spaces(text, 0);
  for (const Step& step : path) {
    const bool in_list = step.key.data() == nullptr;
    if (here >= text.size() || text[here] != (in_list ? '[' : '{')) return here;
    std::size_t at = skip_spaces(text, here + 1);
    std::size_t found = kIncomplete;
    for (std::size_t index = 0; at < text.size() && text[at] != ']' && text[at] != '}'; ++index) {
      std::string_view key;
      if (!in_list) {
        const std::size_t key_end = text[at] == '"' ? string_end(text, at) : kIncomplete;
        if (key_end == kIncomplete) return here;
        key = text.substr(at + 1, key_end - at - 2);
        at = skip_spaces(text, key_end);
        if (at >= text.size() || text[at] != ':') return here;
        at = skip_spaces(text, at + 1);
      }
      if (in_list ? index == step.index : key == step.key) {
        found = at;
        // Of the last key's occurrences the last is meant: it is the one that is reported.
        if (in_list || &step != &path.back()) break;
      }
      at = value_end(text, at);
      if (at == kIncomplete || at == kHopeless) break;
      at = skip_spaces(text, at);
      if (at >= text.size() || text[at] != ',') break;
      at = skip_spaces(text, at + 1);
    }
    if (found == kIncomplete) return here;
    here = found;
  }
  return here;
}

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t last = before.rfind('\n');
  return {.line = scan::count_newlines(before) + 1,
          .column = last == std::string_view::npos ? before.size() + 1 : before.size() - last};
}

std::size_t find_invalid_utf8(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  std::size_t at = 0;
  while (at < text.size()) {
    const unsigned lead = byte(at);
    if (lead < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return at;
    std::uint32_t code = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(at + i) & 0xc0) != 0x80) return at;
      code = (code << 6) | (byte(at + i) & 0x3fU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (overlong || surrogate || code > 0x10ffff) return at;
    at += length;
  }
  return std::string_view::npos;
}

}  // namespace reprieve::manifest
