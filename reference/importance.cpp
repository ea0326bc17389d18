#include "reprieve/reference/importance.h"

#include <utility>

#include "reprieve/reference/criteria/importance/priority.h"
#include "reprieve/reference/criteria/importance/requested_share.h"
#include "reprieve/reference/criteria/importance/start_time.h"
#include "reprieve/reference/criteria/importance/termination_grace_period.h"

namespace reprieve::reference {
namespace {

// One line for each file of criteria/importance/. Negative: `a` is more important.
int compare(ImportanceCriterion criterion, Release release, const NodeInfo& node, const Listed& a,
            const Listed& b) {
  switch (criterion) {
    case ImportanceCriterion::kPriority: return priority::compare(a, b);
    case ImportanceCriterion::kStartTime: return start_time::compare(release, a, b);
    case ImportanceCriterion::kRequestedShare: return requested_share::compare(release, node, a, b);
    case ImportanceCriterion::kTerminationGracePeriod: return termination_grace_period::compare(a, b);
  }
  std::unreachable();
}

}  // namespace

bool more_important(const Policy& policy, const NodeInfo& node, const Listed& a, const Listed& b) {
  for (const ImportanceCriterion criterion : policy.importance) {
    const int order = compare(criterion, policy.release, node, a, b);
    if (order != 0) return order < 0;
  }
  return false;
}

void sort_by_importance(const Policy& policy, const NodeInfo& node, std::vector<Listed>& pods) {
  for (std::size_t i = 1; i < pods.size(); ++i) {
    for (std::size_t j = i; j > 0 && more_important(policy, node, pods[j], pods[j - 1]); --j) {
      std::swap(pods[j], pods[j - 1]);
    }
  }
}

}  // namespace reprieve::reference
