#include "reprieve/manifest/policy.h"

#include <fmt/core.h>

#include "reprieve/manifest/decode_kinds.h"

namespace reprieve::manifest {

std::vector<std::string> builtin_policy_names() {
  return {"kubernetes-1.36", "kubernetes-1.37", "kubernetes", "exact", "guaranteed-budgets"};
}

std::optional<Policy> builtin_policy(std::string_view name) {
  if (name == "kubernetes-1.36") return kubernetes_policy(Release::k1_36);
  if (name == "kubernetes-1.37") return kubernetes_policy(Release::k1_37);
  if (name == "kubernetes") return Policy{};
  return std::nullopt;
}

std::expected<Policy, Error> find_policy(std::string_view name) {
  if (auto policy = builtin_policy(name)) return *std::move(policy);
  return std::unexpected(Error{{}, "unknown policy"});
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
