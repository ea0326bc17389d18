// The tree and its JSON form.
#include "reprieve/manifest/document.h"

#include <cassert>

namespace reprieve::manifest {

Document Document::texts(const std::vector<std::string>& values) {
  Document result = list();
  for (const std::string& value : values) result.add(text(value));
  return result;
}

Document& Document::add(Document value) {
  assert(kind_ == Kind::kList);
  items_.push_back(std::move(value));
  return *this;
}

Document& Document::set(std::string_view key, Document value) {
  assert(kind_ == Kind::kMap);
  keys_.emplace_back(key);
  items_.push_back(std::move(value));
  return *this;
}

Document& Document::set_unless_empty(std::string_view key, Document value) {
  if (value.is_collection() && value.items_.empty()) return *this;
  return set(key, std::move(value));
}

namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// The length of the well-formed UTF-8 sequence at `i`, or 0. Table 3-7 of the Unicode standard:
/// overlong forms, surrogates and what lies above U+10FFFF are ill-formed.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const unsigned char lead = byte_at(text, i);
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (i + length > text.size()) return 0;
  if (byte_at(text, i + 1) < low || byte_at(text, i + 1) > high) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if (byte_at(text, i + k) < 0x80 || byte_at(text, i + k) > 0xBF) return 0;
  }
  return length;
}

bool is_plain_ascii(unsigned char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

void append_escape(std::string& out, unsigned char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

void append_newline(std::string& out, int indent, int depth) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t start = 0;  // of the run that needs no change: nearly always the whole text
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned char c = byte_at(text, i);
    if (is_plain_ascii(c)) {
      ++i;
      continue;
    }
    const std::size_t length = c >= 0x80 ? utf8_length(text, i) : 0;
    if (length > 0) {
      i += length;
      continue;
    }
    out.append(text, start, i - start);
    if (c >= 0x80) {
      out += "\xEF\xBF\xBD";
    } else {
      append_escape(out, c);
    }
    start = ++i;
  }
  out.append(text, start);
  out += '"';
}

void append_json(std::string& out, const Document& document, int indent, int depth) {
  switch (document.kind()) {
    case Document::Kind::kText:
    case Document::Kind::kAmount: append_json_string(out, document.scalar()); return;
    case Document::Kind::kBare: out += document.scalar(); return;
    case Document::Kind::kList:
    case Document::Kind::kMap: break;
  }
  const bool is_map = document.kind() == Document::Kind::kMap;
  out += is_map ? '{' : '[';
  for (std::size_t i = 0; i < document.items().size(); ++i) {
    if (i > 0) out += ',';
    append_newline(out, indent, depth + 1);
    if (is_map) {
      append_json_string(out, document.keys()[i]);
      out += indent < 0 ? ":" : ": ";
    }
    append_json(out, document.items()[i], indent, depth + 1);
  }
  if (!document.items().empty()) append_newline(out, indent, depth);
  out += is_map ? '}' : ']';
}

}  // namespace reprieve::manifest
