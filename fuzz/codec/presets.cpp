#include "reprieve/fuzz/codec/presets.h"

#include <vector>

#include "reprieve/manifest/policy.h"

namespace reprieve::fuzz {
namespace {

const std::vector<Policy>& presets() {
  static const std::vector<Policy> all = [] {
    std::vector<Policy> policies = {kubernetes_policy(Release::k1_37), kubernetes_policy(Release::k1_36)};
    // What does not read is a fault of policies/, and found by its tests.
    for (const char* name : {"kubernetes", "exact", "guaranteed-budgets"}) {
      policies.push_back(manifest::find_policy(name).value_or(policies.front()));
    }
    for (const std::size_t release : {0U, 1U}) {
      policies.push_back(policies[release]);
      policies.back().name = "sampled";
    }
    return policies;
  }();
  return all;
}

}  // namespace

const Policy& preset_policy(std::uint8_t byte) {
  const auto& all = presets();
  return all[byte < all.size() ? byte : byte % 2U];
}

std::optional<std::uint8_t> preset_of(const Policy& policy) {
  Policy unsampled = policy;
  unsampled.sampling.reset();
  const auto& all = presets();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == unsampled) return static_cast<std::uint8_t>(i);
  }
  return std::nullopt;
}

}  // namespace reprieve::fuzz
