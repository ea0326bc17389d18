// The spelling of a Share: "3/4", "1/0" for a request of a resource of which the node has none.
#pragma once

#include <string>

#include "reprieve/model/decision.h"

namespace reprieve {

std::string to_string(const Share& share);

}  // namespace reprieve
