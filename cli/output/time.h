// Times as Kubernetes prints them.
#pragma once

#include <string>

#include "reprieve/model/pod.h"

namespace reprieve::cli {

/// "2026-01-01T00:00:00Z", with six more digits when the microseconds are not zero.
std::string format_time(TimeUs time_us);

}  // namespace reprieve::cli
