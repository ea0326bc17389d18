#include "reprieve/cli/check/random_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/check/differential.h"
#include "reprieve/properties/generators/features.h"

namespace reprieve::cli {

std::expected<generators::GeneratorSettings, std::string> random_settings(const CheckOptions& options) {
  const auto features = generators::parse_features(options.features);
  if (!features) return std::unexpected(features.error());
  generators::GeneratorSettings settings;
  settings.features = *features;
  settings.policy = options.policy;
  if (options.pods_per_node) settings.max_pods_per_node = *options.pods_per_node;
  return settings;
}

generators::GeneratorSettings settings_of(const generators::GeneratorSettings& all, std::uint64_t seed) {
  constexpr std::uint64_t kCrowdedEvery = 64;
  constexpr int kManyNodes = 40;
  constexpr int kFewPods = 2;  // on a node
  generators::GeneratorSettings settings = all;
  if (seed % kCrowdedEvery != 1) return settings;
  settings.max_nodes = kManyNodes;
  settings.max_pods_per_node = std::min(settings.max_pods_per_node, kFewPods);
  settings.flavour = generators::Flavour::kConflicts;
  return settings;
}

std::string repeat_random(std::string_view stage, const CheckOptions& options, std::uint64_t seed) {
  return fmt::format("reprieve check --only {} --seed {} --cases 1{}{}", stage, seed,
                     options.features == "all" ? "" : " --features=" + options.features,
                     Pair::repeat_options(options));
}

}  // namespace reprieve::cli
