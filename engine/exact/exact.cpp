#include "reprieve/engine/exact/exact.h"

#include <algorithm>
#include <limits>

namespace reprieve::engine {
namespace {

/// Search nodes for the story of one node.
constexpr std::uint64_t kStoryLimit = 200'000;

using exact::kNow;

// The chain with a node entered and its potential victims taken off.
class ChainFilters final : public exact::Filters {
 public:
  ChainFilters(FilterChain& chain, std::span<const PodId> pods) : chain_(chain), pods_(pods) {}
  void spare(std::size_t pod) override { chain_.patch(pods_[pod], 1); }
  void unspare(std::size_t pod) override { chain_.patch(pods_[pod], -1); }
  bool fit() override { return chain_.check_again().fits(); }
  bool fit_never_again() override {
    const Verdict verdict = chain_.check_again();
    return !verdict.fits() && is_downward_closed(verdict);
  }

 private:
  FilterChain& chain_;
  std::span<const PodId> pods_;
};

}  // namespace

void ExactSearch::begin(const Cycle& cycle, FilterChain& chain, const Policy& policy,
                        const SearchOptions& options, DryRun& node) {
  cycle_ = cycle;
  chain_ = &chain;
  policy_ = &policy;
  options_ = options;
  node_ = &node;
  effort_.left = options.limit;
  stories_ = false;
  open_.clear();
  bounds_.begin(cycle, node.bounded_levels(), node.guaranteed());
  solver_.begin(policy);
}

void ExactSearch::sort(std::vector<NodeId>& nodes) {
  if (!options_.plain && nodes.size() > 1) bounds_.sort(nodes);
}

void ExactSearch::tell_stories() { stories_ = true; }

DryRunResult ExactSearch::run(NodeId node, const Key<std::int64_t>* best, NodeDecision* story) {
  if (best && !options_.plain && bounds_.cannot_win(node, *best)) return DryRunResult::kBeaten;
  if (!node_->enter(node, story)) return DryRunResult::kNoVictims;
  if (!options_.plain) reader_.read(*cycle_.index, *chain_, *policy_, node_->potential(), problem_);
  if (!node_->take_all_off(story)) {
    if (node_->verdict().code == Code::kError) return DryRunResult::kError;
    if (is_downward_closed(node_->verdict())) return DryRunResult::kDoesNotFit;
  }
  Effort own{kStoryLimit};
  bool proved = true;
  DryRunResult result = search(best, stories_ ? own : effort_, proved);
  if (!proved) {
    take_greedy(result);
    if (!stories_) {
      bound_open();
      Candidate& seen = open_.emplace_back();
      seen.node = node;
      if (result == DryRunResult::kCandidate) {
        seen.victims = node_->victims();
        seen.key = node_->key();
      }
    }
  }
  if (story && result != DryRunResult::kDoesNotFit && result != DryRunResult::kError) {
    story->emptied_failure.reset();  // another set is admissible, and what fails there is no reason
  }
  if (story && result == DryRunResult::kCandidate) node_->tell_charges(*story);
  return result;
}

void ExactSearch::tell(const Candidate& candidate, NodeDecision& story) {
  node_->enter(candidate.node, &story);
  const std::vector<PodId>& potential = node_->potential();
  kept_.assign(potential.size(), 0);
  for (std::size_t i = 0; i < potential.size(); ++i) {
    if (std::ranges::find(candidate.victims, potential[i]) != candidate.victims.end()) kept_[i] = 1;
  }
  node_->choose(kept_);
  node_->tell_charges(story);
}

DryRunResult ExactSearch::search(const Key<std::int64_t>* best, Effort& effort, bool& proved) {
  DryRunResult result = DryRunResult::kUnknown;
  if (options_.plain) {
    result = plain_.run(*node_, *chain_, policy_->node_order, *cycle_.index, best, effort);
    proved = plain_.proved();
  } else {
    ChainFilters filters(*chain_, node_->potential());
    result = solver_.solve(*node_, problem_, problem_.checked ? &filters : nullptr, best, effort);
    proved = solver_.proved();
  }
  return result;
}

// The search ended early with a result of its own; what the greedy reprieve finds may be better. The
// chain is as after take_all_off().
void ExactSearch::take_greedy(DryRunResult& result) {
  const bool found = result == DryRunResult::kCandidate;
  const Key<std::int64_t> key = node_->key();
  if (found) kept_.assign(node_->evicted().begin(), node_->evicted().end());
  bool better = false;
  if (chain_->check_again().fits() &&
      node_->reprieve_in_order(nullptr, nullptr) == DryRunResult::kCandidate) {
    node_->choose(std::vector<std::uint8_t>(node_->evicted().begin(), node_->evicted().end()));
    const bool allowed = !node_->guaranteed() || node_->key().violations == 0;
    better = allowed && (!found || compare_keys(node_->key(), key, std::span(policy_->node_order)) < 0);
  }
  if (better) {
    result = DryRunResult::kCandidate;
  } else if (found) {
    node_->choose(kept_);
  } else {
    result = DryRunResult::kUnknown;
  }
}

// Of the node that is being tried: a victim at least, and none of lower priority or later start than
// there is; and what each row by itself asks for.
void ExactSearch::bound_open() {
  const Index& index = *cycle_.index;
  const std::vector<PodId>& potential = node_->potential();
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  StartTime<std::int64_t> latest{true, std::numeric_limits<std::int64_t>::min()};
  for (const PodId pod : potential) {
    lowest = std::min<std::int64_t>(lowest, index.pod_priority[pod]);
    if (!index.has(pod, kHasStart)) latest.given = false;
    if (latest.given) latest.time = std::max(latest.time, index.pod_start[pod]);
  }
  std::int64_t violations = 0;
  std::int64_t count = 1;
  if (!options_.plain) {
    root_.read(problem_, std::vector<std::uint8_t>(potential.size(), 1));
    const auto size = static_cast<std::int64_t>(potential.size());
    violations = std::min(root_.least_violations(), size);
    count = std::clamp<std::int64_t>(root_.least_count(exact::kUnlimited), 1, size);
  }
  Key<std::int64_t> here;
  here.add(lowest, latest, violations);
  here.victim_count = count;
  here.priority_sum *= count;
  if (open_.empty()) {
    least_ = here;
    return;
  }
  least_.violations = std::min(least_.violations, here.violations);
  least_.highest_priority = std::min(least_.highest_priority, here.highest_priority);
  least_.priority_sum = std::min(least_.priority_sum, here.priority_sum);
  least_.victim_count = std::min(least_.victim_count, here.victim_count);
  if (compare_level(here, least_, NodeCriterion::kLatestStart) < 0) least_.earliest_start = latest;
}

std::vector<Bound> ExactSearch::bounds(const Key<std::int64_t>& found) {
  Key<std::int64_t> least = least_;
  least.further.fill({0, 1});
  std::vector<Bound> bounds;
  for (const NodeCriterion level : policy_->node_order) {
    const Key<std::int64_t>& best = compare_level(least, found, level) < 0 ? least : found;
    bounds.push_back({level, told_level(found, level, true), told_level(best, level, false)});
  }
  return bounds;
}

std::int64_t told_level(const Key<std::int64_t>& key, NodeCriterion level, bool round_up) {
  switch (level) {
    case NodeCriterion::kPdbViolations: return key.violations;
    case NodeCriterion::kHighestPriority: return key.highest_priority;
    case NodeCriterion::kPrioritySum: return key.priority_sum;
    case NodeCriterion::kVictimCount: return key.victim_count;
    case NodeCriterion::kLatestStart: return key.earliest_start.given ? key.earliest_start.time : kNow;
    case NodeCriterion::kRequestedShare: {
      const Fraction<std::int64_t>& share = key.further[further_place(level)];
      if (share.denominator == 0) return std::numeric_limits<std::int64_t>::max();
      using Product = ProductOf<std::int64_t>::type;
      const Product millionths = Product(share.numerator) * 1'000'000;
      const Product rounded = (millionths + (round_up ? share.denominator - 1 : 0)) / share.denominator;
      return static_cast<std::int64_t>(std::min<Product>(rounded, std::numeric_limits<std::int64_t>::max()));
    }
    case NodeCriterion::kBudgetsTouched: return key.further[further_place(level)].numerator;
  }
  return 0;
}

}  // namespace reprieve::engine
