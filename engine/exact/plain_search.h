// The plain search for the best victims on one node: every set of potential victims, but for those
// that no filter lets pass and those that are worse in what they have already. Nothing here is clever,
// so that the search that is can be held against it.
#pragma once

#include <cstdint>
#include <vector>

#include "reprieve/engine/exact/search_options.h"
#include "reprieve/engine/victims.h"

namespace reprieve::engine {

class PlainSearch {
 public:
  /// `node` was entered and its potential victims taken off. The best admissible set is chosen there
  /// and kCandidate returned; kGuaranteed when only sets that violate a budget are admissible and that
  /// is forbidden, kDoesNotFit when none is, kError when the empty one is. With `best`, kBeaten when
  /// no set is as good. When the effort is spent before the end, `proved()` is false and the result is
  /// that of the sets seen so far.
  DryRunResult run(DryRun& node, FilterChain& chain, std::span<const NodeCriterion> order, const Index& index,
                   const Key<std::int64_t>* best, Effort& effort);
  bool proved() const { return proved_; }

 private:
  void search(std::size_t i, const Key<std::int64_t>& partial);
  void take(bool fits);

  DryRun* node_ = nullptr;
  FilterChain* chain_ = nullptr;
  std::span<const NodeCriterion> order_;
  const Index* index_ = nullptr;
  const Key<std::int64_t>* best_ = nullptr;
  Effort* effort_ = nullptr;

  std::vector<std::uint8_t> evicted_;
  std::vector<std::uint8_t> found_;
  Key<std::int64_t> found_key_;  // empty: none
  bool refused_ = false;
  bool beaten_ = false;
  bool nobody_ = false;  // the empty set is admissible
  bool proved_ = true;
};

}  // namespace reprieve::engine
