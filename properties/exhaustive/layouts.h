// Which pods stand on which nodes: all layouts of a scope, once up to symmetry, in a fixed order with
// the smallest first.
//
// A pod is its rank (its place in the order of importance), its size and the budgets that select it.
// The pods of a node are listed by importance. Pods of different rank may then stand in any order in
// the input, so one order suffices; pods of one rank are told apart by their order in the input, so
// every order counts.
//
// Of layouts that are alike up to the following, the first is kept:
// - nodes change places;
// - budgets change places, as far as it cannot matter: under everyBudget always; under untilViolated,
//   where charging stops at the first budget that is spent, only if no pod is under two budgets that
//   change their order;
// - priorities, and the start times among pods of one priority, are replaced by others in the same
//   order. Start times of different priorities are never compared: importance looks at the priority
//   first, and latestStart at victims of one priority, at nodes that tie in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/model/policy.h"
#include "reprieve/properties/exhaustive/scope.h"

namespace reprieve::exhaustive {

/// One pod. Kinds are ordered by rank first.
using Kind = std::uint16_t;

/// What a Kind says.
class Kinds {
 public:
  explicit Kinds(const Scope& scope);

  /// 0 is the most important. With peers in the scope, rank 0 is theirs.
  int rank(Kind kind) const { return kind / per_rank_; }
  int size(Kind kind) const { return sizes_[(kind % per_rank_) >> budgets_]; }
  unsigned budgets(Kind kind) const { return kind & ((1U << budgets_) - 1); }  // a bit for each
  Kind with_budgets(Kind kind, unsigned budgets) const;
  Kind first_of_rank(int rank) const { return static_cast<Kind>(rank * per_rank_); }

  bool is_peer(Kind kind) const { return rank(kind) < peer_ranks_; }
  /// Of a rank: the highest priority of a potential victim is 0; the earliest start is 0, and
  /// scope.starts stands for a missing one. Not of peers.
  int priority(int rank) const { return (rank - peer_ranks_) / starts_; }
  int start(int rank) const { return (rank - peer_ranks_) % starts_; }
  int first_victim_rank() const { return peer_ranks_; }

  int ranks() const { return ranks_; }
  Kind count() const { return static_cast<Kind>(ranks_ * per_rank_); }

 private:
  std::vector<int> sizes_;
  int budgets_;
  int starts_;
  int peer_ranks_;
  int ranks_;
  int per_rank_;
};

/// By node, the most important pod first; nodes with more pods come first.
using Layout = std::vector<std::vector<Kind>>;

/// A renaming of budgets: bit b of a pod's budgets becomes bit to[b].
using Renaming = std::vector<int>;

class Layouts {
 public:
  Layouts(const Scope& scope, Charging charging);

  bool done() const { return done_; }
  const Layout& layout() const { return layout_; }
  const Kinds& kinds() const { return kinds_; }
  /// The renamings that lead to this same layout once nodes have changed places, the identity first.
  std::span<const Renaming> symmetries() const { return symmetries_; }
  void next();

  /// The layout with its budgets renamed and its nodes in order; `origin[i]` is where node i stood.
  /// Among equal nodes those with less at `tie` come first.
  Layout renamed(const Renaming& renaming, std::span<const int> tie, std::vector<int>& origin) const;

 private:
  bool advance();
  bool is_first();
  bool ranks_are_first() const;
  bool may_rename(const Renaming& renaming) const;

  Scope scope_;
  Kinds kinds_;
  Charging charging_;
  std::vector<Renaming> renamings_;               // all of them, the identity first
  std::vector<std::vector<std::size_t>> splits_;  // how many pods on each node
  std::size_t split_ = 0;
  Layout layout_;
  std::vector<Renaming> symmetries_;
  bool done_ = false;
};

}  // namespace reprieve::exhaustive
