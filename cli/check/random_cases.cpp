#include "reprieve/cli/check/random_cases.h"

#include <fmt/format.h>

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

std::string repeat_random(std::string_view stage, const CheckOptions& options, std::uint64_t seed) {
  return fmt::format("reprieve check --only {} --seed {} --cases 1{}{}", stage, seed,
                     options.features == "all" ? "" : " --features=" + options.features,
                     Pair::repeat_options(options));
}

}  // namespace reprieve::cli
