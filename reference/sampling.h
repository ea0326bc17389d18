// Step 7: how many nodes are tried, and from where.
// Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go
// (calculateNumCandidates), pkg/scheduler/framework/preemption/preemption.go (DryRunPreemption),
// types.go (candidateList). Upstream starts at a random node and many workers race; here the offset
// is given and one worker walks.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reprieve/model/policy.h"

namespace reprieve::reference {

/// The candidates that count, as the walk finds them.
class Shortlist {
 public:
  Shortlist(const std::optional<Sampling>& sampling, std::size_t potential_nodes);

  /// Where the walk is after `step` nodes: an index into the potential nodes.
  std::size_t at(std::size_t step) const;

  /// Whether the candidate is kept: each of the two lists, with and without violations, holds no
  /// more than the number wanted, and what comes later is lost.
  bool keeps(bool has_violations);

  /// Whether the walk may end: some candidate has no violations, and both lists together are enough.
  bool is_enough() const;

 private:
  std::size_t potential_nodes_;
  std::size_t offset_ = 0;
  std::size_t wanted_;
  std::size_t without_violations_ = 0;
  std::size_t with_violations_ = 0;
};

}  // namespace reprieve::reference
