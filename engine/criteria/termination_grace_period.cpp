// terminationGracePeriod: a pod that is given longer to end is the more important.
#include "reprieve/engine/criteria/criteria.h"

namespace reprieve::engine::criteria {

Order by_termination_grace_period(const Index& index, PodId a, PodId b) {
  const std::int64_t first = index.pods[a].termination_grace_period_s;
  const std::int64_t second = index.pods[b].termination_grace_period_s;
  return first > second ? Order::kBefore : (first < second ? Order::kAfter : Order::kTie);
}

}  // namespace reprieve::engine::criteria
