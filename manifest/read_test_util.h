// For the tests of reading: what reads, what does not, and where it says so.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "reprieve/manifest/read.h"

namespace reprieve::manifest {

/// What a text reads as; a failure of the test, and nothing, when it does not.
inline Input must_read(std::string_view text) {
  auto input = read_text(text, "in.yaml");
  if (!input) {
    ADD_FAILURE() << to_string(input.error());
    return {};
  }
  return *std::move(input);
}

/// "in.yaml:3:7: spec.field: message" of a text that must not read.
inline std::string must_fail(std::string_view text) {
  const auto input = read_text(text, "in.yaml");
  if (input) return "it was read";
  return to_string(input.error());
}

/// One pod with the given lines of YAML as its spec (indent 0).
inline std::string pod_yaml(std::string_view spec) {
  std::string text = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {app: a}}\nspec:\n";
  std::size_t at = 0;
  while (at < spec.size()) {
    const std::size_t end = std::min(spec.find('\n', at), spec.size());
    text += "  " + std::string(spec.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return text;
}

inline Pod read_pod(std::string_view spec) {
  Input input = must_read(pod_yaml(spec));
  return input.cluster.pods.size() == 1 ? input.cluster.pods.front() : Pod{};
}

/// Whether some warning holds the words.
inline bool warns(const Input& input, std::string_view words) {
  for (const Warning& warning : input.warnings) {
    if (to_string(warning).find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace reprieve::manifest
