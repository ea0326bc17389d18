#include "reprieve/manifest/policy.h"

namespace reprieve::manifest {

std::vector<std::string> builtin_policy_names() {
  return {"exact", "guaranteed-budgets", "kubernetes", "kubernetes-1.36", "kubernetes-1.37"};
}

std::expected<Policy, Error> find_policy(std::string_view name) {
  if (name == "kubernetes-1.36") return kubernetes_policy(Release::k1_36);
  if (name == "kubernetes-1.37") return kubernetes_policy(Release::k1_37);
  if (name == "kubernetes") return Policy{};
  return std::unexpected(Error{{}, "unknown policy"});
}

std::optional<Error> validate(const Policy&) { return std::nullopt; }

}  // namespace reprieve::manifest
