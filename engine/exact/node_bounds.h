// What evictions on a node must cost at least, read from the index alone: no filter is asked, and no
// budget is charged. A node that such a bound puts behind the best so far is not searched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/cover_proof.h"
#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/selection.h"

namespace reprieve::engine {

class NodeBounds {
 public:
  /// `levels`: those that the victims bound from below, in order. `guaranteed`: no budget may be violated.
  void begin(const Cycle& cycle, std::span<const NodeCriterion> levels, bool guaranteed);

  /// Puts nodes that look good first. Nothing depends on it but how soon the search ends.
  void sort(std::vector<NodeId>& nodes);

  /// Whether no set of victims on the node is as good as `best`.
  ///
  /// Sound for every filter: whoever is evicted must free what the preemptor lacks of each resource
  /// (nominated pods would only make that more). Level by level: if victims that are better there and
  /// as good before cannot free it, none are; if those as good up to there cannot, all are worse.
  /// A pod violates for sure when it is charged to a budget that allows nothing, whoever else goes; both
  /// rules of charging class it so.
  bool cannot_win(NodeId node, const Key<std::int64_t>& best);

 private:
  void enter(NodeId node);
  void read_up_to(double priority);
  void read_starts();
  bool clearly_impossible(const exact::Allowance& allowance, std::size_t kind);
  bool impossible(const exact::Allowance& allowance, std::size_t kind);

  Cycle cycle_;
  std::span<const NodeCriterion> levels_;
  bool guaranteed_ = false;
  std::vector<std::size_t> columns_;  // those asked for
  std::vector<double> unit_;          // one part of what is asked for
  exact::PriceFinder prices_;
  // The node that is asked about.
  std::span<const PodId> pods_;  // of lower priority, most important first
  exact::Evictable evictable_;   // as far as they were read
  std::size_t starts_ = 0;
  struct Ranked {
    double violations = 0;
    double priority = 0;
    std::size_t place = 0;
  };
  Ranked rank(NodeId node);
  std::vector<Ranked> ranked_;
  std::vector<NodeId> sorted_;
};

}  // namespace reprieve::engine
