// Machine-readable output: one JSON document, or the same as YAML.
#pragma once

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace reprieve::cli {

enum class Format { kTable, kJson, kYaml };

/// Block-style YAML of any JSON value; strings that YAML would read as something else are quoted.
std::string to_yaml(const nlohmann::ordered_json& value);

/// Indented JSON or YAML with a newline at the end.
std::string render(const nlohmann::ordered_json& value, Format format);

/// One YAML document as JSON; plain scalars become numbers and booleans as in YAML 1.2's core
/// schema. The error is one sentence.
std::expected<nlohmann::ordered_json, std::string> yaml_to_json(const std::string& text);

}  // namespace reprieve::cli
