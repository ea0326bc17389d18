#include "reprieve/properties/laws/two_decisions.h"

namespace reprieve::laws {

std::span<const Law* const> two_decisions_laws() { return {}; }

}  // namespace reprieve::laws
