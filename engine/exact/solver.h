// The best victims of one problem, level by level of the nodeOrder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/branch.h"
#include "reprieve/engine/exact/root_bounds.h"
#include "reprieve/engine/victims.h"

namespace reprieve::engine::exact {

/// `Node` counts what a set of victims comes to, as DryRun does.
template <class Int, class Node, class Summer>
class BasicSolver {
 public:
  using Problem = BasicProblem<Int>;

  void begin(const Policy& policy);

  /// `node`'s potential victims are those of `problem`. Chooses the best set there: kCandidate. With
  /// `best`: kBeaten when no set is as good. kDoesNotFit: no set makes room; kGuaranteed: only sets that
  /// the guarantee forbids; kError: the empty one does. When the effort is spent, proved() is false and
  /// kCandidate, with the best set that was seen, or kUnknown the result.
  DryRunResult solve(Node& node, const Problem& problem, Filters* filters, const Key<Int>* best,
                     Effort& effort);
  bool proved() const { return proved_; }

 private:
  Found first();
  Found improve(NodeCriterion level);
  Found ascend(Int& limit, const Int& from, const Int& value);
  Found descend(NodeCriterion level);
  Found least_sum();
  void read_root();
  void take(std::span<const std::uint8_t> evicted);
  void limit_to(NodeCriterion level, const Key<Int>& key);
  DryRunResult finish(Found found);

  std::span<const NodeCriterion> order_;
  bool priority_first_ = true;  // importance begins with priority
  bool usual_ = true;  // the first victim decides the highest priority, and the start where it counts
  bool replaceable_ = true;

  Node* node_ = nullptr;
  const Problem* problem_ = nullptr;
  Effort* effort_ = nullptr;
  BasicBranch<Int, Summer> branch_;
  BasicRootBounds<Int> root_;
  BasicScope<Int> scope_;
  BasicLimits<Int> limits_;
  bool proved_ = true;
  bool is_first() const { return static_cast<bool>(limits_.count <= first_up_to_); }

  // The best set so far. It is the first within the limits as long as they allow no more than so many
  // victims: of sets with more, one may be as good and spare more important pods, where the lowest
  // priority adds nothing or several low ones no more than a high one.
  static constexpr std::int64_t kNotFirst = -1;
  bool has_set_ = false;
  Int first_up_to_ = kNotFirst;
  std::vector<std::uint8_t> set_;
  Key<Int> key_;
};
using Solver = BasicSolver<std::int64_t, DryRun, Multipliers>;
extern template class BasicSolver<std::int64_t, DryRun, Multipliers>;

}  // namespace reprieve::engine::exact
