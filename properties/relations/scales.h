// The same case in other units: amounts, priorities, times. Where an amount, a priority or a time decides
// by a threshold, the threshold moves along.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

/// Factor by resource name.
using Factors = std::map<std::string, std::int64_t, std::less<>>;

struct Scaled {
  Case question;
  Factors factors;
};

/// Every amount of each resource times a factor of its own, requests, statuses and allocatable alike. Not
/// "pods", which are counted; nor a resource of which some pod asks a part of a unit, since sums are
/// rounded up (CPU is counted in thousandths). Nothing when an amount would not fit.
std::optional<Scaled> with_resources_scaled(Case question, generators::Random& random);

/// The decision in the old units: shortfalls divided.
Decision unscaled(Decision decision, const Factors& factors);

struct Shifted {
  Case question;
  std::int32_t by = 0;
};

/// Every priority, the classes' and the guarantee's too, plus the same number; none leaves int32.
Shifted with_priorities_shifted(Case question, generators::Random& random);

/// The decision in the old priorities.
Decision unshifted(Decision decision, std::int32_t by);

/// How far all priorities can be shifted down and up.
struct Room {
  std::int64_t down = 0;  // <= 0
  std::int64_t up = 0;    // >= 0
};
Room room_to_shift(const Case& question);

/// Every time earlier by the same amount. Later ones might lie in the future, where a missing start time
/// would be the earlier one.
Shifted with_times_shifted(Case question, generators::Random& random);
Decision later(Decision decision, std::int64_t seconds);

/// Every priority at or above the preemptor's becomes another such one, the preemptor's own apart.
Case with_priorities_above_redrawn(Case question, generators::Random& random);

/// Some containers become two that ask for the same in sum. Pods with container statuses (of init containers
/// too), which may count in their place, stay.
Case with_containers_split(Case question, generators::Random& random);

}  // namespace reprieve::relations
