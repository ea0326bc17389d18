#include "reprieve/reference/importance.h"

#include <utility>

namespace reprieve::reference {
namespace {

// Negative: `a` starts first.
int compare_start(Release release, const Listed& a, const Listed& b) {
  const std::optional<TimeUs>& start_a = a.pod->start_time_us;
  const std::optional<TimeUs>& start_b = b.pod->start_time_us;
  if (start_a && start_b) return *start_a < *start_b ? -1 : (*start_a > *start_b ? 1 : 0);
  if (start_a || start_b) return start_a ? -1 : 1;
  if (release == Release::k1_36) return -1;
  return a.place < b.place ? -1 : 1;
}

}  // namespace

bool more_important(const Policy& policy, const Listed& a, const Listed& b) {
  for (const ImportanceCriterion criterion : policy.importance) {
    if (criterion == ImportanceCriterion::kPriority && a.pod->priority != b.pod->priority) {
      return a.pod->priority > b.pod->priority;
    }
    if (criterion == ImportanceCriterion::kStartTime) {
      const int order = compare_start(policy.release, a, b);
      if (order != 0) return order < 0;
    }
  }
  return false;
}

void sort_by_importance(const Policy& policy, std::vector<Listed>& pods) {
  for (std::size_t i = 1; i < pods.size(); ++i) {
    for (std::size_t j = i; j > 0 && more_important(policy, pods[j], pods[j - 1]); --j) {
      std::swap(pods[j], pods[j - 1]);
    }
  }
}

}  // namespace reprieve::reference
