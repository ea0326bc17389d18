// YAML scalars as JSON, by the rules of YAML 1.1 as sigs.k8s.io/yaml applies them
// (goyaml.v2/resolve.go): yes and on are true, 010 is eight, a time is text. Unlike there, y and n
// are words: nobody means more by a node that is called n.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "reprieve/manifest/document.h"
#include "reprieve/manifest/yaml_tree.h"

namespace reprieve::manifest {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// A whole number of 64 bits with Go's prefixes (strconv.ParseInt of base 0), in decimal.
bool append_integer(std::string& out, std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    text.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return false;
  if (negative && value > std::uint64_t{1} << 63) return false;
  if (negative && value != 0) out += '-';
  out += std::to_string(value);
  return true;
}

/// A decimal fraction, rewritten so that JSON accepts it, digit for digit: a quantity is read from it.
bool append_float(std::string& out, std::string_view text) {
  const auto digits = [&] {
    std::size_t count = 0;
    while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
    const std::string_view found = text.substr(0, count);
    text.remove_prefix(count);
    return found;
  };
  const auto sign = [&] {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    return negative;
  };
  const bool negative = sign();
  std::string_view whole = digits();
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = digits();
  }
  if (whole.empty() && fraction.empty()) return false;
  std::string exponent;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    exponent = sign() ? "e-" : "e";
    const std::string_view its_digits = digits();
    if (its_digits.empty()) return false;
    exponent += its_digits;
  }
  if (!text.empty()) return false;
  while (whole.size() > 1 && whole.front() == '0') whole.remove_prefix(1);
  std::string number = negative ? "-" : "";
  number += whole.empty() ? "0" : whole;
  number += '.';
  number += fraction.empty() ? "0" : fraction;
  number += exponent;
  // Go prints a whole float64 without a fraction, so 1e3 may stand where a whole number must.
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool in_range = error == std::errc{};
  if (in_range && std::trunc(value) == value && std::abs(value) < 1e15) {
    out += std::to_string(static_cast<std::int64_t>(value));
  } else if (in_range) {
    out += number;
  } else {
    append_json_string(out, number);  // too large for JSON; whoever wants a quantity will say so
  }
  return true;
}

void append_plain(std::string& out, std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) {
    out += "null";
  } else if (is_one_of(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
    out += "true";
  } else if (is_one_of(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
    out += "false";
  } else {
    const char first = text.front();
    const bool may_be_number = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    if (may_be_number) {
      std::string number(text);
      std::erase(number, '_');
      if (append_integer(out, number) || append_float(out, text)) return;
    }
    append_json_string(out, text);
  }
}

void append_node(std::string& out, const YamlDocument& document, std::uint32_t index) {
  const YamlNode& node = document.nodes[index];
  switch (node.kind) {
    case YamlNode::Kind::kNull: out += "null"; return;
    case YamlNode::Kind::kPlain: append_plain(out, node.text); return;
    case YamlNode::Kind::kQuoted: append_json_string(out, node.text); return;
    case YamlNode::Kind::kList:
      out += '[';
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        if (i > 0) out += ',';
        append_node(out, document, node.children[i]);
      }
      out += ']';
      return;
    case YamlNode::Kind::kMap:
      out += '{';
      for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
        if (i > 0) out += ',';
        append_json_string(out, document.nodes[node.children[i]].text);
        out += ':';
        append_node(out, document, node.children[i + 1]);
      }
      out += '}';
      return;
  }
}

}  // namespace

std::string to_json(const YamlDocument& document) {
  std::string out;
  if (!document.nodes.empty()) append_node(out, document, document.root);
  return out;
}

}  // namespace reprieve::manifest
