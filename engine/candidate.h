// A node that eviction makes room on, as the ranking and the extenders see it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/engine/index.h"

namespace reprieve::engine {

struct Candidate {
  NodeId node = kNone;
  std::vector<PodId> victims;
  Key<std::int64_t> key;
};

/// kube-scheduler's words for a dry run that could spare every victim: the filters contradict themselves.
inline std::string without_victims(std::string_view node) {
  return "expected at least one victim pod on node \"" + std::string(node) + "\"";
}

}  // namespace reprieve::engine
