// How all nodes stand for preemptors of one shape, kept between decisions: in a burst of equal pods each
// decision looks again only at the nodes that changed since the last, and at those that come first then.
//
// What is kept is a lower bound of a node's cost until the node comes first, and its cost from then on. A
// tournament holds which node is best. Whatever a bound or a cost depends on touches the node in the
// snapshot's log when it changes (a spent budget too), and is then read again: nothing kept is older than
// what it was made from.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "reprieve/engine/bounded/search.h"

namespace reprieve::engine::bounded {

class Standing {
 public:
  /// Whether the preemptor is of the shape that is kept: it would stand alike on every node.
  bool is_for(const SummaryKey& key, const Ask& ask, const Preemptor& preemptor) const {
    return key == key_ && ask.amount == amount_ && preemptor.node_selector == node_selector_ &&
           preemptor.tolerations == tolerations_ && preemptor.node_affinity_source == node_affinity_;
  }

  /// Begins with another shape, of which nothing is known.
  void begin(const SummaryKey& key, const Ask& ask, const Preemptor& preemptor) {
    built_ = false;
    key_ = key;
    amount_ = ask.amount;
    node_selector_ = preemptor.node_selector;
    tolerations_ = preemptor.tolerations;
    node_affinity_ = preemptor.node_affinity_source;
  }

  /// Bounds the nodes that changed, or all. `now` as in Search::scan. False: some node fits.
  template <class Now>
  bool update(const Summaries& summaries, const Ask& ask, const ChangeLog& changes, Now&& now) {
    const std::size_t nodes = summaries.lines().size();
    if (!built_ || winner_.size() < 2 * std::bit_ceil(nodes)) {
      const std::size_t places = std::bit_ceil(nodes);
      ranks_.assign(places, kLast);
      costs_.resize(places);
      winner_.resize(2 * places);
      for (NodeId node = 0; node < places; ++node) {
        winner_[places + node] = node;
        if (node < nodes && !look(summaries, ask, node, now)) return built_ = false;
      }
      for (std::size_t place = places; place-- > 1;) play(place);
      built_ = true;
    } else {
      bool fits = false;
      changes.for_each_since(seen_, [&](NodeId node) {
        if (fits) return;
        fits = !look(summaries, ask, node, now);
        replay(node);
      });
      if (fits) return built_ = false;
    }
    seen_ = changes.size();
    return true;
  }

  /// The best nodes, in no order; how many were tried. `attempt(node, best, cost)` as in Search::try_lowest.
  template <class Attempt>
  std::size_t choose(Attempt&& attempt, std::vector<NodeId>& tie) {
    tie.clear();
    std::size_t tried = 0;
    for (;; ++tried) {
      const NodeId first = winner_[1];
      if (ranks_[first] == kLast) return tried;
      if ((ranks_[first] & kKnown) != 0) break;
      Cost& cost = costs_[first];
      cost = Cost{};
      ranks_[first] = attempt(first, Cost{}, cost) ? rank_of(cost) : kLast;
      replay(first);
    }
    best_ = costs_[winner_[1]];
    gather(1, tie);
    return tried;
  }

  const Cost& best() const { return best_; }

 private:
  // Class, code of a priority and whether the cost is known. Of the same class and code those of which only
  // a bound is known come first, as they may be better. With more than one violation the cost is known.
  using Rank = std::uint32_t;
  static constexpr Rank kKnown = 1;
  static constexpr Rank kLast = 0xffffffffU;

  static Rank rank_of(const Cost& cost) {
    if (cost.violations > 1) return (Rank{2} << 17) | kKnown;
    const Rank code = priority_code(static_cast<std::int32_t>(cost.highest_priority));
    return (static_cast<Rank>(cost.violations) << 17) | (code << 1) | kKnown;
  }

  template <class Now>
  bool look(const Summaries& summaries, const Ask& ask, NodeId node, Now&& now) {
    bool maybe_fits = false;
    NodeBound bound = bound_of(summaries.line(node), ask, maybe_fits);
    if (maybe_fits) {
      const Head& head = summaries.head(node);
      if (head.kind == Kind::kPlain && has_room(head, ask)) {
        if (now(node) == Search::Now::kFits) return false;
        bound = kHopeless;  // with room enough it is the node itself that keeps the preemptor away
      }
    }
    ranks_[node] = bound == kHopeless ? kLast : (bound >> 4) << 1;
    return true;
  }

  bool is_before(NodeId a, NodeId b) const {
    if (ranks_[a] != ranks_[b]) return ranks_[a] < ranks_[b];
    return (ranks_[a] & kKnown) != 0 && ranks_[a] != kLast && compare_costs(costs_[a], costs_[b]) < 0;
  }
  void play(std::size_t place) {
    const NodeId left = winner_[2 * place];
    const NodeId right = winner_[2 * place + 1];
    winner_[place] = is_before(right, left) ? right : left;
  }
  void replay(NodeId node) {
    for (std::size_t place = (winner_.size() / 2 + node) / 2; place >= 1; place /= 2) {
      const NodeId before = winner_[place];
      play(place);
      if (winner_[place] == before && before != node) return;
    }
  }
  bool is_best(NodeId node) const {
    return node == winner_[1] ||
           (ranks_[node] == ranks_[winner_[1]] && compare_costs(costs_[node], best_) == 0);
  }
  // The best nodes below a place whose winner is one of them.
  void gather(std::size_t place, std::vector<NodeId>& tie) const {
    if (place >= winner_.size() / 2) {
      tie.push_back(winner_[place]);
      return;
    }
    for (const std::size_t next : {2 * place, 2 * place + 1}) {
      if (is_best(winner_[next])) gather(next, tie);
    }
  }

  // The shape.
  SummaryKey key_;
  std::array<std::int64_t, 2> amount_{};
  LabelSet node_selector_;
  std::vector<Toleration> tolerations_;
  std::optional<NodeSelector> node_affinity_;

  bool built_ = false;
  std::uint64_t seen_ = 0;  // ChangeLog::size()
  Cost best_;
  std::vector<Rank> ranks_;     // by node
  std::vector<Cost> costs_;     // by node, where known
  std::vector<NodeId> winner_;  // a heap-shaped tree; the leaves are the nodes in order
};

}  // namespace reprieve::engine::bounded
