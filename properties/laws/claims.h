// For which policies a law is claimed: the conditions that several laws share.
#pragma once

#include <string_view>

#include "reprieve/model/policy.h"

namespace reprieve::laws {

inline bool every_policy(const Policy&) { return true; }
inline constexpr std::string_view kEveryPolicy = "every policy";

}  // namespace reprieve::laws
