// Which policies the engine decides; for the others it says so, and never guesses.
#pragma once

#include <optional>
#include <string>

#include "reprieve/model/policy.h"

namespace reprieve::engine {

/// The first field of the policy that contradicts another, in words; nothing when none does.
std::optional<std::string> unsupported(const Policy& policy);

}  // namespace reprieve::engine
