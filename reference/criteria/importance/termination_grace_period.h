// importance: terminationGracePeriod. The pod that takes longer to end is more important; in seconds,
// and 30 when it does not say (the API server's default).
#pragma once

#include "reprieve/reference/importance.h"

namespace reprieve::reference::termination_grace_period {

/// Negative: `a` is more important; 0: equal.
inline int compare(const Listed& a, const Listed& b) {
  const std::int64_t seconds_a = a.pod->termination_grace_period_s.value_or(30);
  const std::int64_t seconds_b = b.pod->termination_grace_period_s.value_or(30);
  if (seconds_a == seconds_b) return 0;
  return seconds_a > seconds_b ? -1 : 1;
}

}  // namespace reprieve::reference::termination_grace_period
