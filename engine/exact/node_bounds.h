// What evictions on a node must cost at least, read from the index alone: no filter is asked, no budget
// charged. A node that such a bound puts behind the best so far is not tried.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/selection.h"

namespace reprieve::engine {

class NodeBounds {
 public:
  /// `levels`: those that the victims bound from below, in order.
  void begin(const Cycle& cycle, std::span<const NodeCriterion> levels);

  /// Whether no set of victims on the node is as good as `best`.
  ///
  /// Sound for every filter and for both ways of choosing victims: whoever is evicted must free what the
  /// preemptor lacks of each resource (nominated pods would only make that more), so
  /// - where the pods that violate no budget for sure do not free it, there is a violation;
  /// - if as few violations as `best` has are none, all victims are such pods; counted up from the least
  ///   important they free it only with one of the priority `highest_priority` or above;
  /// - with fewer than `victim_count` of these pods the largest of each resource do not free it.
  /// A pod violates for sure when it is charged to a budget that allows nothing, whoever else goes; both
  /// rules of charging class it so.
  bool cannot_win(NodeId node, const Key<std::int64_t>& best);

 private:
  bool covers(std::span<const PodId> pods, bool without_violation, std::size_t& first);
  std::int64_t least_count(std::span<const PodId> pods, bool without_violation, std::int64_t enough);

  Cycle cycle_;
  std::span<const NodeCriterion> levels_;
  std::vector<std::size_t> columns_;
  std::vector<std::int64_t> request_;
  // Of the node that is asked about.
  std::vector<std::int64_t> need_;  // by column asked for; not positive: enough is free
  std::vector<std::int64_t> left_;
  std::vector<std::int64_t> largest_;
};

}  // namespace reprieve::engine
