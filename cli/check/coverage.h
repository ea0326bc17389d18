// What the cases of a run have reached: a green run that never evicted anybody proves nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli {

struct Coverage {
  using Counts = std::map<std::string, std::uint64_t>;

  Counts outcomes;
  Counts levels;    // what decided: a level, "total tie", or "single candidate"; nominated only
  Counts statuses;  // of nodes
  Counts plugins;   // first failing filter of a node
  Counts policies;
  Counts traits;  // "violations", "several victims", "cleared", "nominated pods", ...

  /// Counts one case and its decision (with the nodes' stories where it has them).
  void count(const Case& question, const Decision& decision);
  void merge(const Coverage& other);
};

}  // namespace reprieve::cli
