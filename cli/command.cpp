#include "reprieve/cli/command.h"

#include <cstdio>

#include "reprieve/cli/output/message.h"
#include "reprieve/manifest/error.h"
#include "reprieve/manifest/policy.h"

namespace reprieve::cli {

int fail(std::string_view message) {
  std::fflush(stdout);
  say("error", message);
  return kWrongInput;
}

std::optional<manifest::Input> load(const std::vector<std::string>& paths) {
  auto input = manifest::read_files(paths);
  if (!input) {
    fail(manifest::to_string(input.error()));
    return std::nullopt;
  }
  for (const manifest::Warning& warning : input->warnings) {
    say("warning", manifest::to_string(warning));
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

std::string namespace_conflict(const std::string& pod, const std::string& name_space) {
  const std::size_t slash = pod.find('/');
  if (slash == std::string::npos || name_space.empty() || pod.substr(0, slash) == name_space) return {};
  return pod + " is not in the namespace " + name_space + " that -n names";
}

}  // namespace reprieve::cli
