// The laws of two decisions, each defined in the file of its name or of its small family.
#pragma once

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {}  // namespace reprieve::laws
