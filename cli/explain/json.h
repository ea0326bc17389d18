// An Explanation for machines: every node, whatever its status. Field names are stable.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reprieve/cli/explain/explain.h"

namespace reprieve::cli::explain {

/// kind: Explanation. README.md lists the fields.
nlohmann::ordered_json to_json(const Explanation& told);

}  // namespace reprieve::cli::explain
