// How an extender that stands behind a URL is asked; the engine itself speaks no HTTP.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "reprieve/model/extender.h"

namespace reprieve::engine {

/// The victims of each candidate node, as given to an extender and as answered. An answer may name
/// any node of the cluster, and any pod of that node.
using ExtenderNodes = std::map<std::string, ExtenderVictims, std::less<>>;

/// Asks one extender about the preemptor ("namespace/name"); the error is what the call failed with.
using AskExtender = std::function<std::expected<ExtenderNodes, std::string>(
    const Extender& extender, std::string_view preemptor, const ExtenderNodes& nodes)>;

}  // namespace reprieve::engine
