// The policies that a header names in one byte. Internal to codec/.
#pragma once

#include <cstdint>
#include <optional>

#include "reprieve/model/policy.h"

namespace reprieve::fuzz {

/// The built-in policies and the generators' sampled ones (whose sampling stands beside it); a byte beyond
/// them is one of the two releases.
const Policy& preset_policy(std::uint8_t byte);

/// The byte of a policy, its sampling apart; none: it takes a record of its own.
std::optional<std::uint8_t> preset_of(const Policy& policy);

}  // namespace reprieve::fuzz
