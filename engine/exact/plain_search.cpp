#include "reprieve/engine/exact/plain_search.h"

#include <algorithm>

#include "reprieve/engine/exact/downward_closed.h"

namespace reprieve::engine {

DryRunResult PlainSearch::run(DryRun& node, FilterChain& chain, std::span<const NodeCriterion> order,
                              const Index& index, const Key<std::int64_t>* best, Effort& effort) {
  node_ = &node;
  chain_ = &chain;
  order_ = order;
  index_ = &index;
  best_ = best;
  effort_ = &effort;
  evicted_.assign(node.potential().size(), 0);
  found_key_ = {};
  refused_ = beaten_ = nobody_ = false;
  proved_ = true;
  search(0, {});
  if (nobody_) return DryRunResult::kError;
  if (!found_key_.empty) {
    node.choose(found_);
    return DryRunResult::kCandidate;
  }
  if (beaten_) return DryRunResult::kBeaten;
  return refused_ ? DryRunResult::kGuaranteed : DryRunResult::kDoesNotFit;
}

// Whether pod i is spared or evicted, sparing it first: so of two sets that the levels do not tell
// apart the one that spares the most important pods is found first. The pods from i on are off.
void PlainSearch::search(std::size_t i, const Key<std::int64_t>& partial) {
  if (!proved_) return;
  if (!effort_->spend()) {
    proved_ = false;
    return;
  }
  if (i == evicted_.size()) return take(chain_->check_again().fits());
  const PodId pod = node_->potential()[i];

  chain_->patch(pod, 1);
  if (const Verdict verdict = chain_->check_again(); verdict.fits() || !is_downward_closed(verdict)) {
    search(i + 1, partial);
  }
  chain_->patch(pod, -1);

  Key<std::int64_t> more = partial;
  const Importance<std::int64_t> importance = index_->importance_of(pod);
  more.add(importance.priority, importance.start, 0);
  const Key<std::int64_t>* incumbent = found_key_.empty ? best_ : &found_key_;
  if (incumbent && is_beaten(more, *incumbent, node_->bounded_levels())) {
    beaten_ = true;
    return;
  }
  evicted_[i] = 1;
  search(i + 1, more);
  evicted_[i] = 0;
}

void PlainSearch::take(bool fits) {
  if (!fits) return;
  if (std::ranges::find(evicted_, 1) == evicted_.end()) {
    nobody_ = true;
    return;
  }
  node_->choose(evicted_);
  const Key<std::int64_t>& key = node_->key();
  if (node_->guaranteed() && key.violations > 0) {
    refused_ = true;
    return;
  }
  if (best_ && compare_keys(key, *best_, order_) > 0) {
    beaten_ = true;
    return;
  }
  if (!found_key_.empty && compare_keys(key, found_key_, order_) >= 0) return;
  found_key_ = key;
  found_ = evicted_;
}

}  // namespace reprieve::engine
