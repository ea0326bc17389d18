// importance: priority. The higher priority is more important.
// Source: pkg/scheduler/util/utils.go (MoreImportantPod), pkg/scheduler/framework/preemption/util.go.
#pragma once

#include "reprieve/reference/importance.h"

namespace reprieve::reference::priority {

/// Negative: `a` is more important; 0: equal.
inline int compare(const Listed& a, const Listed& b) {
  if (a.pod->priority == b.pod->priority) return 0;
  return a.pod->priority > b.pod->priority ? -1 : 1;
}

}  // namespace reprieve::reference::priority
