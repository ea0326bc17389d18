// YAML as a person would write it: block style for the frame, flow style for what fits on a line.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "reprieve/manifest/document.h"

namespace reprieve::manifest {
namespace {

constexpr std::size_t kLineWidth = 110;
// Deeper nesting than this on one line is hard to read even when it fits:
// {name: c, resources: {requests: {cpu: 1}}} is the deepest that people write.
constexpr int kFlowHeight = 3;

/// How many collections are nested in each other, at most.
int height(const Document& document) {
  if (!document.is_collection()) return 0;
  int deepest = 0;
  for (const Document& item : document.items()) deepest = std::max(deepest, height(item));
  return deepest + 1;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Words that YAML 1.1 readers take for a boolean or null ("no" and "y" among them).
bool is_yaml_word(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kWords = {"y",    "n",     "yes", "no", "true",
                                                             "null", "false", "on",  "off"};
  std::string lower(text);
  for (char& c : lower) c = (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

/// Whether `text` can stand without quotes and is read back as this very string, in block and in
/// flow style. Narrow on purpose: a text that starts with a digit could be a number or a date.
bool may_be_plain(std::string_view text) {
  if (text.empty() || (!is_letter(text.front()) && text.front() != '/')) return false;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c) && std::string_view("._/-").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return !is_yaml_word(text);
}

void append_scalar_text(std::string& out, std::string_view text) {
  if (may_be_plain(text)) {
    out += text;
  } else {
    append_json_string(out, text);  // every JSON string is a double-quoted YAML string
  }
}

void append_flow(std::string& out, const Document& document) {
  switch (document.kind()) {
    case Document::Kind::kText: append_scalar_text(out, document.scalar()); return;
    case Document::Kind::kAmount:
    case Document::Kind::kBare: out += document.scalar(); return;
    case Document::Kind::kList:
    case Document::Kind::kMap: break;
  }
  const bool is_map = document.kind() == Document::Kind::kMap;
  out += is_map ? '{' : '[';
  for (std::size_t i = 0; i < document.items().size(); ++i) {
    if (i > 0) out += ", ";
    if (is_map) {
      append_scalar_text(out, document.keys()[i]);
      out += ": ";
    }
    append_flow(out, document.items()[i]);
  }
  out += is_map ? '}' : ']';
}

/// Appends the flow form if the line that starts at `line_start` stays short enough.
bool append_flow_if_small(std::string& out, std::size_t line_start, const Document& document) {
  if (height(document) > kFlowHeight) return false;
  const std::size_t before = out.size();
  append_flow(out, document);
  if (!document.is_collection() || out.size() - line_start <= kLineWidth) return true;
  out.resize(before);
  return false;
}

void append_block(std::string& out, const Document& document, std::size_t indent, bool first_line_begun);

/// The value of a key, or an item of a list, after "key:" or "-".
void append_block_value(std::string& out, std::size_t line_start, const Document& value, std::size_t indent) {
  out += ' ';
  if (append_flow_if_small(out, line_start, value)) {
    out += '\n';
    return;
  }
  out.pop_back();
  out += '\n';
  append_block(out, value, indent, false);
}

void append_block(std::string& out, const Document& document, std::size_t indent, bool first_line_begun) {
  const bool is_map = document.kind() == Document::Kind::kMap;
  for (std::size_t i = 0; i < document.items().size(); ++i) {
    const Document& item = document.items()[i];
    std::size_t line_start = out.size();
    if (i == 0 && first_line_begun) {
      line_start -= indent;  // "- " of the list that holds this map is already there
    } else {
      out.append(indent, ' ');
    }
    if (is_map) {
      append_scalar_text(out, document.keys()[i]);
      out += ':';
      // kubectl writes a list at the indentation of its key.
      append_block_value(out, line_start, item, item.kind() == Document::Kind::kList ? indent : indent + 2);
      continue;
    }
    out += "- ";
    if (append_flow_if_small(out, line_start, item)) {
      out += '\n';
    } else {
      append_block(out, item, indent + 2, true);
    }
  }
}

}  // namespace

void append_yaml(std::string& out, const Document& document) { append_block(out, document, 0, false); }

}  // namespace reprieve::manifest
