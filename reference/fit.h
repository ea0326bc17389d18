// Does the preemptor fit on a node once some pods are gone? For judges of a decision (properties/laws),
// who trust nobody's own word for it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "reprieve/reference/filtering.h"

namespace reprieve::reference {

/// Answers for one case, whose preemptor is pending; the case outlives it. "Fits" means, as everywhere,
/// with and without the pods nominated to the node.
class Fit {
 public:
  Fit(const Case& question, const Pod& preemptor);

  /// What the filters say of each node as the cluster stands.
  std::vector<Status> as_it_stands() const { return filter_nodes(situation_).statuses; }

  /// Counted afresh: in a cluster that never had these pods of the node (PreFilter and all).
  Status afresh(std::size_t node, std::span<const Pod* const> gone);

  /// The same as a yes or no, for which a shortage of resources need not be looked at twice.
  bool fits_afresh(std::size_t node, std::span<const Pod* const> gone);

  /// Counted as the dry run does: all `potential_victims` are taken off the node, and those that are
  /// not `gone` put back, by patches of the counts that were made with all of them there.
  Status patched(std::size_t node, std::span<const Pod* const> potential_victims,
                 std::span<const Pod* const> gone) const;

 private:
  NodeInfo left_on(std::size_t node, std::span<const Pod* const> gone) const;

  Situation situation_;
  std::unique_ptr<Plugin> resources_;  // counts nothing beyond the node that it is given
};

}  // namespace reprieve::reference
