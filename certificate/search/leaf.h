// Multipliers for a leaf: guessed, then held to what the checker itself asks. Nothing here has to be right.
#pragma once

#include <optional>

#include "reprieve/certificate/check.h"

namespace reprieve::certificate {

/// Multipliers that exclude every set of the region, if some are found.
std::optional<Multipliers> find_multipliers(const Facts& cluster, const NodeFacts& facts,
                                            const Region& region);

}  // namespace reprieve::certificate
