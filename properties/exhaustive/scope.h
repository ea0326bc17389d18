// Which clusters an exhaustive run looks at: every one up to these sizes, once up to symmetry.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/decision.h"

namespace reprieve::exhaustive {

/// Clusters of one resource (CPU). What is not named here is the same in all: no other filter fails,
/// nothing is nominated or terminating, no extender is asked.
struct Scope {
  int nodes = 2;                 // exactly so many; one that is too small for the preemptor may be empty
  int pods = 4;                  // at most so many on all nodes together; the preemptor comes on top
  int budgets = 2;               // exactly so many; a pod may be under any of them, or several
  std::vector<int> sizes{1, 2};  // of the pods, ascending
  int priorities = 2;            // of the potential victims; the preemptor's is above
  int starts = 2;                // start times that are given
  bool missing_starts = false;   // a start time may also be missing
  int peers = 0;                 // at most so many of the pods have the preemptor's priority

  bool operator==(const Scope&) const = default;
};

/// "nodes=2,pods=4,budgets=2,sizes=2,priorities=2,starts=2": what is left out keeps its default.
/// `sizes` is how many (1, 2, ...) or which ("1:3"); `starts=2+` has a missing one too. The error names
/// the key and what it may be.
std::expected<Scope, std::string> parse_scope(std::string_view text);

/// What parse_scope reads as this scope, with every key.
std::string to_string(const Scope& scope);

}  // namespace reprieve::exhaustive
