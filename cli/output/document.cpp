#include "reprieve/cli/output/document.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>

namespace reprieve::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Plain only if no YAML reader, 1.1 or 1.2, takes it for a number, a boolean, null or syntax.
bool is_safe_plain(const std::string& text) {
  if (text.empty()) return false;
  if (std::isalpha(static_cast<unsigned char>(text.front())) == 0 && text.front() != '/') return false;
  for (const std::string_view word :
       {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan"}) {
    if (std::ranges::equal(text, word,
                           [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; })) {
      return false;
    }
  }
  if (text.find(": ") != std::string::npos || text.find(" #") != std::string::npos) return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  return std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(" ._-/:()'+=,;").find(c) != std::string_view::npos;
  });
}

std::string scalar(const Json& value) {
  if (value.is_string() && is_safe_plain(value.get<std::string>())) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);  // JSON scalars are YAML
}

void write(const Json& value, std::size_t indent, std::string& out);

void write_child(const Json& value, std::size_t indent, std::string& out) {
  if (value.is_structured() && !value.empty()) {
    out += '\n';
    write(value, indent, out);
  } else {
    out += ' ' + scalar(value) + '\n';
  }
}

void write(const Json& value, std::size_t indent, std::string& out) {
  const std::string blanks(indent, ' ');
  if (value.is_object() && !value.empty()) {
    for (const auto& [key, child] : value.items()) {
      out += blanks + scalar(Json(key)) + ':';
      // kubectl writes lists at the indent of their key.
      write_child(child, child.is_array() ? indent : indent + 2, out);
    }
  } else if (value.is_array() && !value.empty()) {
    for (const Json& item : value) {
      std::string text;
      if (item.is_object() && !item.empty()) {
        write(item, indent + 2, text);
        text.replace(indent, 1, "-");  // "  key" becomes "- key"
      } else {
        text = blanks + '-';
        write_child(item, indent + 2, text);
      }
      out += text;
    }
  } else {
    out += blanks + scalar(value) + '\n';
  }
}

Json convert(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Map: {
      Json object = Json::object();
      for (const auto& entry : node) object[entry.first.as<std::string>()] = convert(entry.second);
      return object;
    }
    case YAML::NodeType::Sequence: {
      Json array = Json::array();
      for (const auto& item : node) array.push_back(convert(item));
      return array;
    }
    case YAML::NodeType::Scalar: {
      const auto& text = node.Scalar();
      if (node.Tag() == "!") return text;  // it was quoted
      if (text == "true" || text == "false") return text == "true";
      Json number = Json::parse(text, nullptr, /*allow_exceptions=*/false);
      return number.is_number() ? number : Json(text);
    }
    case YAML::NodeType::Null:
    case YAML::NodeType::Undefined: return nullptr;
  }
  return nullptr;
}

}  // namespace

std::string to_yaml(const nlohmann::ordered_json& value) {
  std::string out;
  write(value, 0, out);
  return out;
}

std::string render(const nlohmann::ordered_json& value, Format format) {
  if (format == Format::kYaml) return to_yaml(value);
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::expected<nlohmann::ordered_json, std::string> yaml_to_json(const std::string& text) try {
  return convert(YAML::Load(text));
} catch (const std::exception& failure) {
  return std::unexpected(std::string(failure.what()));
}

}  // namespace reprieve::cli
