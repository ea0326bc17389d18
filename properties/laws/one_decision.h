// The laws of one decision, each defined in the file of its name or of its small family.
#pragma once

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

// victims_have_lower_priority.cpp
extern const Law kVictimsHaveLowerPriority;

}  // namespace reprieve::laws
