// A node that eviction makes room on, as the ranking and the extenders see it.
#pragma once

#include <cstdint>
#include <vector>

#include "reprieve/engine/index.h"

namespace reprieve::engine {

struct Candidate {
  NodeId node = kNone;
  std::vector<PodId> victims;
  Key<std::int64_t> key;
};

}  // namespace reprieve::engine
