#include "reprieve/cli/command.h"

#include <fmt/format.h>

#include <cstdio>

#include "reprieve/manifest/error.h"
#include "reprieve/manifest/policy.h"

namespace reprieve::cli {

int fail(std::string_view message) {
  std::fflush(stdout);
  fmt::print(stderr, "error: {}\n", message);
  return kWrongInput;
}

std::optional<manifest::Input> load(const std::vector<std::string>& paths) {
  auto input = manifest::read_files(paths);
  if (!input) {
    fail(manifest::to_string(input.error()));
    return std::nullopt;
  }
  for (const manifest::Warning& warning : input->warnings) {
    fmt::print(stderr, "warning: {}\n", manifest::to_string(warning));
  }
  return std::move(*input);
}

std::optional<Policy> choose_policy(const std::string& name_or_path, const manifest::Input& input) {
  if (name_or_path.empty()) {
    if (input.policy) return input.policy;
    if (input.case_spec) return input.case_spec->policy;
  }
  auto policy = manifest::find_policy(name_or_path.empty() ? "kubernetes" : name_or_path);
  if (!policy) {
    fail(manifest::to_string(policy.error()));
    return std::nullopt;
  }
  return std::move(*policy);
}

std::string qualified(const std::string& pod, const std::string& name_space) {
  if (pod.find('/') != std::string::npos) return pod;
  return (name_space.empty() ? "default" : name_space) + "/" + pod;
}

}  // namespace reprieve::cli
