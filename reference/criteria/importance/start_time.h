// importance: startTime. The earlier start is more important; a missing one is "now".
// Source: pkg/scheduler/util/utils.go (MoreImportantPod, GetPodStartTime; 1.36),
// pkg/scheduler/framework/preemption (MoreImportantVictim in util.go, NewVictim in types.go; 1.37).
#pragma once

#include "reprieve/marks/mark.h"
#include "reprieve/reference/importance.h"

namespace reprieve::reference::start_time {

/// Negative: `a` is more important; 0: equal. Between two missing starts 1.36 reads the clock for `a`
/// and then for `b`, so `a` comes out earlier whichever it is; 1.37 has read the clock once for each,
/// in the order of the list.
inline int compare(Release release, const Listed& a, const Listed& b) {
  const std::optional<TimeUs>& start_a = a.pod->start_time_us;
  const std::optional<TimeUs>& start_b = b.pod->start_time_us;
  if (start_a && start_b) return *start_a < *start_b ? -1 : (*start_a > *start_b ? 1 : 0);
  if (start_a || start_b) {
    REPRIEVE_MARK("reference/importance/one-start-is-missing");
    return start_a ? -1 : 1;
  }
  if (release == Release::k1_36) {
    REPRIEVE_MARK("reference/importance/both-starts-are-missing-1.36");
    return -1;
  }
  REPRIEVE_MARK("reference/importance/both-starts-are-missing-1.37");
  return a.place < b.place ? -1 : 1;
}

}  // namespace reprieve::reference::start_time
