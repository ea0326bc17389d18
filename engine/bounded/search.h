// The answer without trying every node: each is bounded by its line first, and those with the lowest
// bound are tried first. A node whose bound is behind the best so far is skipped.
//
// Why a bound is right, for every filter. The victims of a candidate have freed what the preemptor lacks
// of each resource; other filters and other resources only ask for more.
// - If all pods that are not classed violating do not free that much, a victim is classed violating.
// - A candidate without violations has victims of the others alone. If those of lower priority than P do
//   not free enough, some victim has priority P or above.
// - If all potential victims do not free enough, the node is no candidate.
// The classes are those of the dry run itself, so this holds for both rules of charging.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "reprieve/engine/bounded/behind.h"
#include "reprieve/engine/bounded/summaries.h"
#include "reprieve/engine/selection.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::bounded {

/// The five levels as numbers.
struct Cost {
  std::int64_t violations = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest_priority = 0;
  std::int64_t priority_sum = 0;
  std::int64_t victim_count = 0;
  std::int64_t start = 0;

  Key<std::int64_t> key() const {
    Key<std::int64_t> key;
    key.violations = violations;
    key.highest_priority = highest_priority;
    key.priority_sum = priority_sum;
    key.victim_count = victim_count;
    key.earliest_start = {start != kNow, start == kNow ? 0 : start};
    key.empty = false;
    return key;
  }
  static Cost of(const Key<std::int64_t>& key) {
    return {key.violations, key.highest_priority, key.priority_sum, key.victim_count,
            key.earliest_start.given ? key.earliest_start.time : kNow};
  }
};

/// Less than zero when `a` is better.
inline int compare_costs(const Cost& a, const Cost& b) {
  if (a.violations != b.violations) return a.violations < b.violations ? -1 : 1;
  if (a.highest_priority != b.highest_priority) return a.highest_priority < b.highest_priority ? -1 : 1;
  if (a.priority_sum != b.priority_sum) return a.priority_sum < b.priority_sum ? -1 : 1;
  if (a.victim_count != b.victim_count) return a.victim_count < b.victim_count ? -1 : 1;
  if (a.start != b.start) return a.start > b.start ? -1 : 1;
  return 0;
}

/// What the preemptor asks for, as the summaries tell it. 0: not looked at.
struct Ask {
  std::array<std::int64_t, 2> amount{};
  std::array<std::uint16_t, 2> code{};
};

/// Bounds are a class, 0: maybe without violations, 1: with one at least, then 16 bits of a priority's code,
/// then 4 bits of the position in the line that gave it, which says nothing of the order.
using NodeBound = std::uint32_t;
inline constexpr NodeBound kViolating = 0x100000;
inline constexpr NodeBound kPositionMask = 0xf;
inline constexpr NodeBound kHopeless = 0xffffffffU;
inline constexpr NodeBound kMustTry = 0;  // of no priority

NodeBound bound_of(const Line& line, const Ask& ask, bool& maybe_fits);

/// Not behind `best`: the greatest bound with which a node may be as good.
NodeBound bound_limit(const Cost& best);

/// The greedy reprieve on a plain node where resources alone decide. False when the node is no candidate,
/// or is worse than `best`.
bool try_plain(const Summaries& summaries, NodeId node, const Ask& ask, const Cost& best, Cost& cost);

/// False where try_plain would be, of a node with a victim classed violating: without reading what its pods
/// request. Where true, it asks memory for that.
bool may_be_as_good(const Summaries& summaries, NodeId node, const Ask& ask, const Cost& best);

/// The victims of a candidate without violations, in order of importance.
void list_plain(const Summaries& summaries, NodeId node, const Ask& ask, std::vector<PodId>& victims);

/// Whether a plain node has room as it stands, of the two resources and the number of pods.
inline bool has_room(const Head& head, const Ask& ask) {
  return head.pods_over <= 0 && (ask.amount[0] <= 0 || ask.amount[0] <= head.free[0]) &&
         (ask.amount[1] <= 0 || ask.amount[1] <= head.free[1]);
}

/// Which nodes that the line leaves as good as the best so far are worse all the same, where resources
/// alone decide.
///
/// The most important victim of a candidate without violations is the first to go (try_plain), one of the
/// pods between its position in the line and the one before. So all victims are among those gone at that
/// position, none of them frees more than the largest of these, and the start is not later than the latest
/// between the two. If the best frees what it must with n victims, and the largest n of a node do not free
/// what is lacking there, it has n + 1 or more; each adds at least the lowest priority that there is.
class Behind {
 public:
  void set(const Summaries& summaries, const Ask& ask, const Cost& best);
  bool holds(const Summaries& summaries, NodeId node, NodeBound bound) const {
    const std::size_t position = bound & kPositionMask;
    if ((bound >> 4) != code_ || !is_sure(summaries, node, position)) return false;
    const Detail& detail = summaries.detail(node);
    return sums_.is_behind([&](std::int64_t count) { return frees(summaries, detail, position, count); },
                           [&] { return detail.latest[position] < start_; });
  }

 private:
  // Codes are rounded down: where they are equal there may still be too little room at the position, so
  // that the first to go is one further up.
  bool is_sure(const Summaries& summaries, NodeId node, std::size_t position) const {
    const Line& line = summaries.line(node);
    for (std::size_t resource = 0; resource < 2; ++resource) {
      const std::uint16_t room = line.room[resource][position];
      const bool exact = summaries.shift(resource) == 0 && room != 0xffff;
      if (ask_.amount[resource] > 0 && room <= ask_.code[resource] &&
          !(exact && room == ask_.code[resource])) {
        return false;
      }
    }
    return summaries.head(node).pods_over <= 0;  // nor does the line look at the pod limit
  }

  // Whether so many victims may free what is lacking.
  bool frees(const Summaries& summaries, const Detail& detail, std::size_t position,
             std::int64_t count) const {
    for (std::size_t resource = 0; resource < 2; ++resource) {
      const std::int64_t lack = ask_.amount[resource] - detail.free[resource];
      const std::uint16_t largest = detail.largest[resource][position];
      if (ask_.amount[resource] > 0 && largest != 0xffff &&
          lack >= count * summaries.above(resource, largest)) {
        return false;
      }
    }
    return true;
  }

  Ask ask_;
  NodeBound code_ = kHopeless;  // of the best's priority; kHopeless: nothing is known
  BehindSums<std::int64_t> sums_;
  std::uint16_t start_ = 0;
};

/// Several may share the nodes: each has a range of them, and they tell each other what they found when all
/// have scanned, and when all have tried the nodes of the lowest bound (in answer.cpp).
class Search {
 public:
  /// Bounds every node from `begin` up to `end`. `now(node)` is asked where there may be room as things
  /// stand; it says how the node is to be seen: kFits ends the scan. False: some node fits.
  enum class Now : std::uint8_t { kFits, kUnresolvable, kUnschedulable };
  template <class Fits>
  bool scan(const Summaries& summaries, const Ask& ask, NodeId begin, NodeId end, Fits&& now) {
    const std::span<const Line> lines = summaries.lines();
    begin_ = begin;
    end_ = end;
    if (bounds_.size() < end - begin) bounds_.resize(end - begin);
    lowest_ = kHopeless;
    for (NodeId node = begin; node < end; ++node) {
      bool maybe_fits = false;
      NodeBound bound = bound_of(lines[node], ask, maybe_fits);
      if (maybe_fits) [[unlikely]] {
        const Head& head = summaries.head(node);
        if (head.kind == Kind::kOdd || (head.kind == Kind::kPlain && has_room(head, ask))) {
          const Now seen = now(node);
          if (seen == Now::kFits) return false;
          bound = seen == Now::kUnresolvable ? kHopeless : kMustTry;
        }
      }
      bounds_[node - begin] = bound;
      if (bound != kMustTry) lowest_ = bound < lowest_ ? bound : lowest_;
    }
    return true;
  }

  /// Nothing is known of the node: it must be tried.
  void must_try(NodeId node) { bounds_[node - begin_] = kMustTry; }
  void leave_out(NodeId node) { bounds_[node - begin_] = kHopeless; }
  NodeBound lowest() const { return lowest_; }
  std::size_t size() const { return end_ - begin_; }

  /// Nothing has been tried.
  void start() {
    best_ = Cost{};
    behind_ = Behind{};
    tie_.clear();
    tried_ = 0;
    later_.fill(kNone);
  }

  /// Tries the nodes whose bound is as low as `lowest`. `attempt(node, best, cost)` says whether the node is
  /// a candidate and not behind.
  template <class Attempt>
  void try_lowest(const Summaries& summaries, const Ask& ask, bool resources_alone, NodeBound lowest,
                  Attempt&& attempt) {
    for (NodeId node = begin_; node < end_ && lowest != kHopeless; ++node) {
      if ((bound(node) >> 4) == (lowest >> 4)) consider(summaries, ask, resources_alone, node, attempt);
    }
    try_later(summaries, ask, resources_alone, attempt);
  }

  /// Then the others, until all that are left are behind.
  template <class Attempt>
  void try_others(const Summaries& summaries, const Ask& ask, bool resources_alone, NodeBound lowest,
                  Attempt&& attempt) {
    NodeBound limit = bound_limit(best_);
    for (NodeId node = begin_; node < end_; ++node) {
      if (bound(node) > limit || (bound(node) >> 4) == (lowest >> 4)) continue;
      if (consider(summaries, ask, resources_alone, node, attempt)) limit = bound_limit(best_);
    }
    try_later(summaries, ask, resources_alone, attempt);
  }

  /// Another search has found this: what is worse need not be tried.
  void know(const Summaries& summaries, const Ask& ask, const Cost& best) {
    if (compare_costs(best, best_) >= 0) return;
    tie_.clear();
    best_ = best;
    behind_.set(summaries, ask, best_);
  }
  /// What another search has found in the end.
  void join(const Search& other) {
    const int order = compare_costs(other.best_, best_);
    if (order > 0) return;
    if (order < 0) tie_.clear();
    best_ = other.best_;
    tie_.insert(tie_.end(), other.tie_.begin(), other.tie_.end());
  }

  const Cost& best() const { return best_; }
  std::vector<NodeId>& tie() { return tie_; }
  std::span<const NodeId> tie() const { return tie_; }
  std::size_t tried() const { return tried_; }

 private:
  NodeBound bound(NodeId node) const { return bounds_[node - begin_]; }

  // Whether the best so far has become better. Where a violating pod must go most nodes are behind by what is
  // kept of their smallest pods; the others come some nodes later, once memory has given what they hold.
  template <class Attempt>
  bool consider(const Summaries& summaries, const Ask& ask, bool resources_alone, NodeId node,
                Attempt&& attempt) {
    if (behind_.holds(summaries, node, bound(node))) return false;
    if (node + kAhead < end_) summaries.prefetch(node + kAhead);
    ++tried_;
    if (resources_alone && (bound(node) & kViolating) != 0) {
      if (!may_be_as_good(summaries, node, ask, best_)) return false;
      std::swap(node, later_[next_later_++ % later_.size()]);
      if (node == kNone) return false;
    }
    return take(summaries, ask, resources_alone, node, attempt);
  }

  template <class Attempt>
  void try_later(const Summaries& summaries, const Ask& ask, bool resources_alone, Attempt&& attempt) {
    for (NodeId& node : later_) {
      if (REPRIEVE_MUTANT("nodes-put-off-are-forgotten", node != kNone, false))
        take(summaries, ask, resources_alone, node, attempt);
      node = kNone;
    }
  }

  template <class Attempt>
  bool take(const Summaries& summaries, const Ask& ask, bool resources_alone, NodeId node,
            Attempt&& attempt) {
    Cost cost;
    if (!attempt(node, best_, cost)) return false;
    const int order = compare_costs(cost, best_);
    if (order > 0) return false;
    if (order < 0) {
      tie_.clear();
      best_ = cost;
      if (resources_alone) behind_.set(summaries, ask, best_);
    }
    tie_.push_back(node);
    return order < 0;
  }

  static constexpr NodeId kAhead = 10;
  NodeId begin_ = 0, end_ = 0;
  std::vector<NodeBound> bounds_;  // from begin_ on
  NodeBound lowest_ = kHopeless;
  Cost best_;
  Behind behind_;
  std::vector<NodeId> tie_;
  std::size_t tried_ = 0;
  std::array<NodeId, 4> later_{};
  std::size_t next_later_ = 0;
};

}  // namespace reprieve::engine::bounded
