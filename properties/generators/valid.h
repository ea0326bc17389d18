// What a case must satisfy to be a fair question: the invariants of model/cluster.h, and what the
// API server's validation would refuse. Generators keep it, shrinkers keep it, codecs check it.
#pragma once

#include <optional>
#include <string>

#include "reprieve/model/case.h"

namespace reprieve::generators {

/// The first thing that is wrong, as a sentence that names the object; nothing: the case is valid.
/// Selectors are not judged: invalid ones can be stored, and the scheduler lives with them.
std::optional<std::string> find_fault(const Case& question);

}  // namespace reprieve::generators
