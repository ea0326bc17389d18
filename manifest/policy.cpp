#include "reprieve/manifest/policy.h"

#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <map>
#include <system_error>
#include <utility>

#include "reprieve/manifest/builtin_policies.h"
#include "reprieve/manifest/decode_kinds.h"
#include "reprieve/manifest/read.h"

namespace reprieve::manifest {

namespace {

/// Read once. A policy of policies/ that does not read is left out, and the tests say so.
const std::map<std::string, Policy, std::less<>>& builtin_policies() {
  static const auto policies = [] {
    std::map<std::string, Policy, std::less<>> result;
    for (const BuiltinPolicy& builtin : kBuiltinPolicies) {
      auto input = read_text(builtin.yaml, std::string(builtin.name));
      if (input && input->policy) result.emplace(builtin.name, *std::move(input->policy));
    }
    return result;
  }();
  return policies;
}

std::string known_names() {
  std::string names;
  for (const std::string& name : builtin_policy_names()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

}  // namespace

std::vector<std::string> builtin_policy_names() {
  std::vector<std::string> names;
  names.reserve(kBuiltinPolicies.size());
  for (const BuiltinPolicy& builtin : kBuiltinPolicies) names.emplace_back(builtin.name);
  return names;
}

std::optional<Policy> builtin_policy(std::string_view name) {
  const auto found = builtin_policies().find(name);
  if (found == builtin_policies().end()) return std::nullopt;
  return found->second;
}

std::expected<Policy, Error> find_policy(std::string_view name_or_path) {
  if (auto policy = builtin_policy(name_or_path)) return *std::move(policy);
  const std::string path(name_or_path);
  const auto wrong = [&](std::string message) {
    return std::unexpected(
        Error{.where = {.file = path, .line = 0, .column = 0, .field = {}}, .message = std::move(message)});
  };
  std::error_code ignored;
  if (path != "-" && !std::filesystem::exists(path, ignored)) {
    return std::unexpected(Error{
        .where = {},
        .message =
            fmt::format("no policy and no file of the name \"{}\"; built in are {}", path, known_names())});
  }
  auto input = read_files({path});
  if (!input) return std::unexpected(std::move(input.error()));
  if (!input->policy) return wrong("no PreemptionPolicy document in this file");
  return *std::move(input->policy);
}

std::optional<Error> validate(const Policy& policy) {
  const auto wrong = [](std::string field, std::string message) {
    return Error{.where = {.file = {}, .line = 0, .column = 0, .field = std::move(field)},
                 .message = std::move(message)};
  };
  if (policy.importance.empty()) return wrong("spec.importance", "must name at least one criterion");
  if (policy.node_order.empty()) return wrong("spec.nodeOrder", "must name at least one criterion");
  for (std::size_t i = 0; i < policy.importance.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (policy.importance[i] == policy.importance[j]) {
        return wrong("spec.importance", fmt::format("names {} twice", to_string(policy.importance[i])));
      }
    }
  }
  for (std::size_t i = 0; i < policy.node_order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (policy.node_order[i] == policy.node_order[j]) {
        return wrong("spec.nodeOrder", fmt::format("names {} twice", to_string(policy.node_order[i])));
      }
    }
  }
  if (policy.victims == VictimSearch::kExact && policy.violations == ViolationCount::kClassified) {
    return wrong(
        "spec.violations",
        "must be actual when victims is exact: only the reprieve in order classes pods as violating");
  }
  if (!policy.budgets.guaranteed && policy.budgets.below_priority) {
    return wrong("spec.budgets", "belowPriority needs a guarantee");
  }
  if (policy.sampling) {
    // ValidateDefaultPreemptionArgs of pkg/scheduler/apis/config/validation.
    const Sampling& sampling = *policy.sampling;
    if (sampling.min_percentage < 0 || sampling.min_percentage > 100) {
      return wrong("spec.sampling.minPercentage", "must be between 0 and 100");
    }
    if (sampling.min_absolute < 0) return wrong("spec.sampling.minAbsolute", "must not be negative");
    if (sampling.min_percentage == 0 && sampling.min_absolute == 0) {
      return wrong("spec.sampling", "minPercentage and minAbsolute must not both be 0");
    }
    if (sampling.offset < 0) return wrong("spec.sampling.offset", "must not be negative");
  }
  return std::nullopt;
}

}  // namespace reprieve::manifest
