// Random clusters as the command line asks for them, and the command that asks for one of them again.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "reprieve/cli/check/stage.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve::cli {

/// Whatever does not depend on the stage. The error is about --features.
std::expected<generators::GeneratorSettings, std::string> random_settings(const CheckOptions& options);

/// The same for one seed: now and then a cluster of many nodes, where something other than resources is in
/// the way. Counts by topology domain and the like are right on a few nodes and wrong on many, too.
generators::GeneratorSettings settings_of(const generators::GeneratorSettings& all, std::uint64_t seed);

/// The command that holds the stage to the case of that seed.
std::string repeat_random(std::string_view stage, const CheckOptions& options, std::uint64_t seed);

}  // namespace reprieve::cli
