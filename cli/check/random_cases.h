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

/// The command that holds the stage to the case of that seed.
std::string repeat_random(std::string_view stage, const CheckOptions& options, std::uint64_t seed);

}  // namespace reprieve::cli
