// The registry as a table in Markdown, for README.md.
#pragma once

#include <string>

namespace reprieve::laws {

/// One row for each law, then one for each exception, in the order of the registry.
std::string markdown_tables();

}  // namespace reprieve::laws
