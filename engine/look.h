// A node as the cluster stands, before anything is evicted.
// Source: pkg/scheduler/schedule_one.go (findNodesThatPassFilters, evaluateNominatedNode).
#pragma once

#include <vector>

#include "reprieve/engine/filters/chain.h"
#include "reprieve/engine/nominated.h"
#include "reprieve/marks/mark.h"

namespace reprieve::engine {

/// Refers to the filters, which have begun the cycle, and to scratch memory.
class Look {
 public:
  Look(const Cycle& cycle, FilterChain& chain, std::vector<PodId>& nominated)
      : cycle_(cycle), chain_(chain), nominated_(nominated) {}

  /// What the filters say of the node; they have then entered it, unless it is left out.
  Verdict at(NodeId node) {
    if (is_left_out(node)) {
      REPRIEVE_MARK("engine/filter/node-is-excluded");
      return {Code::kUnresolvable, Plugin::kNodeAffinity};
    }
    counted_nominated(cycle_, node, nominated_);
    chain_.enter(node, nominated_);
    return chain_.check();
  }

  /// A pre-filter left the node out. The node that the preemptor is nominated to is filtered all the
  /// same, before the others (evaluateNominatedNode).
  bool is_left_out(NodeId node) const {
    if (!chain_.excludes(node)) return false;
    if (cycle_.node(node).name_id != cycle_.record().nominated_node) return true;
    REPRIEVE_MARK("engine/filter/nominated-node-though-excluded");
    return false;
  }

  const Cycle& cycle() const { return cycle_; }
  FilterChain& chain() { return chain_; }
  const FilterChain& chain() const { return chain_; }

 private:
  Cycle cycle_;
  FilterChain& chain_;
  std::vector<PodId>& nominated_;
};

}  // namespace reprieve::engine
