// Policies by name or as manifests.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/manifest/error.h"
#include "reprieve/model/policy.h"

namespace reprieve::manifest {

/// Built-in names: "kubernetes-1.36", "kubernetes-1.37", "kubernetes" (the newest), "exact",
/// "guaranteed-budgets".
std::vector<std::string> builtin_policy_names();

/// The built-in policy of that name, or the policy in the file of that path. The error lists the names.
std::expected<Policy, Error> find_policy(std::string_view name_or_path);

/// A contradiction or a value out of range inside a policy, naming the field; no error: fine.
std::optional<Error> validate(const Policy& policy);

}  // namespace reprieve::manifest
