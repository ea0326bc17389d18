// For which policies a law of two decisions is claimed.
#pragma once

#include <algorithm>
#include <string_view>

#include "reprieve/properties/laws/claims.h"

namespace reprieve::laws {

inline bool looks_at_every_node(const Policy& policy) { return !policy.sampling; }
inline constexpr std::string_view kLooksAtEveryNode = "sampling: none";

inline bool samples(const Policy& policy) { return policy.sampling.has_value(); }
inline constexpr std::string_view kSamples = "with sampling";

inline bool names(const Policy& policy, NodeCriterion criterion) {
  return std::ranges::find(policy.node_order, criterion) != policy.node_order.end();
}

}  // namespace reprieve::laws
