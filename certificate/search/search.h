// Finds certificates for check.h. It is told which choice is the best one, by whoever knows (the engine's
// exact search, an enumeration); where that is wrong no certificate is found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/certificate/facts.h"
#include "reprieve/certificate/form.h"
#include "reprieve/model/case.h"

namespace reprieve::certificate {

/// The key of a choice by the checker's arithmetic; nothing when it names no node, or no victim there.
std::optional<CandidateKey> key_of(const Facts& cluster, const Case& question, const Choice& choice);

/// Leaves and divisions that are tried for one node, past which it is left open.
inline constexpr std::uint64_t kSearchSteps = 20'000;

/// A certificate that `decision` is the best choice, or if `better` is given, that this is and is
/// better than the decision. Without either: that there is no choice. Nodes for which nothing is found say
/// so. Nothing is promised of it but what check() says of it.
Certificate find_certificate(const Case& question, const std::optional<Choice>& decision,
                             const std::optional<Choice>& better, std::uint64_t steps = kSearchSteps);

}  // namespace reprieve::certificate
