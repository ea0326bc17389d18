// How the levels are gone through. Included where the solver is made for a type of integers: for
// std::int64_t in solver.cpp, for symbolic ones in the proofs.
#pragma once

#include <algorithm>

#include "reprieve/engine/exact/branch_search.h"
#include "reprieve/engine/exact/solver.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

template <class Int, class Node, class Summer>
void BasicSolver<Int, Node, Summer>::begin(const Policy& policy) {
  order_ = policy.node_order;
  const auto& importance = policy.importance;
  priority_first_ = !importance.empty() && importance.front() == ImportanceCriterion::kPriority;
  const auto at = [&](NodeCriterion level) { return std::ranges::find(order_, level); };
  const auto start = at(NodeCriterion::kLatestStart);
  const bool start_follows = start == order_.end() || at(NodeCriterion::kHighestPriority) < start;
  const bool start_second = importance.size() >= 2 && importance[1] == ImportanceCriterion::kStartTime;
  usual_ = priority_first_ && (start == order_.end() || (start_second && start_follows));
  // A replacement requests as much or more and may be of another budget.
  replaceable_ = usual_ && at(NodeCriterion::kRequestedShare) == order_.end() &&
                 at(NodeCriterion::kBudgetsTouched) == order_.end();
}

template <class Int, class Node, class Summer>
DryRunResult BasicSolver<Int, Node, Summer>::solve(Node& node, const Problem& problem, Filters* filters,
                                                   const Key<Int>* best, Effort& effort) {
  node_ = &node;
  problem_ = &problem;
  effort_ = &effort;
  limits_ = {};
  if (node.guaranteed()) limits_.violations = 0;
  proved_ = true;
  has_set_ = false;
  first_up_to_ = kNotFirst;
  branch_.begin(problem, filters, replaceable_);

  // As good as `best` in the levels before.
  bool ties = best != nullptr;
  for (const NodeCriterion level : order_) {
    if (ties) limit_to(level, *best);
    if (!has_set_ || (ties && compare_level(key_, *best, level) > 0)) {
      if (const Found found = first(); found != Found::kYes) {
        if (found == Found::kNo && ties) return DryRunResult::kBeaten;
        return finish(found);
      }
    }
    if (REPRIEVE_MUTANT("exact-takes-the-first-set", improve(level), Found::kYes) == Found::kStopped)
      return finish(Found::kStopped);
    limit_to(level, key_);
    if (ties && compare_level(key_, *best, level) < 0) ties = false;
  }
  if (!is_first() && first() == Found::kStopped) return finish(Found::kStopped);
  return finish(Found::kYes);
}

template <class Int, class Node, class Summer>
DryRunResult BasicSolver<Int, Node, Summer>::finish(Found found) {
  if (found == Found::kStopped) {
    proved_ = false;
    if (!has_set_) return DryRunResult::kUnknown;
  }
  if (has_set_) {
    if (std::ranges::find(set_, 1) == set_.end()) return DryRunResult::kError;
    node_->choose(set_);
    return DryRunResult::kCandidate;
  }
  if (!node_->guaranteed()) return DryRunResult::kDoesNotFit;
  // Would there be one without the guarantee?
  limits_ = {};
  switch (branch_.first(limits_, *effort_)) {
    case Found::kYes: return DryRunResult::kGuaranteed;
    case Found::kNo: return DryRunResult::kDoesNotFit;
    case Found::kStopped: break;
  }
  proved_ = false;
  return DryRunResult::kUnknown;
}

template <class Int, class Node, class Summer>
void BasicSolver<Int, Node, Summer>::take(std::span<const std::uint8_t> evicted) {
  set_.assign(evicted.begin(), evicted.end());
  has_set_ = true;
  if (std::ranges::find(set_, 1) == set_.end()) {
    key_ = {};
    return;
  }
  node_->choose(set_);
  key_ = node_->key();
}

template <class Int, class Node, class Summer>
Found BasicSolver<Int, Node, Summer>::first() {
  const Found found = branch_.first(limits_, *effort_);
  if (found == Found::kYes) {
    take(branch_.evicted());
    first_up_to_ = limits_.count;
  }
  return found;
}

// The set has the least value of this level within the limits afterwards.
template <class Int, class Node, class Summer>
Found BasicSolver<Int, Node, Summer>::improve(NodeCriterion level) {
  if (key_.empty) return Found::kYes;  // the empty set; that is an error
  switch (level) {
    case NodeCriterion::kPdbViolations:
      if (key_.violations == 0) return Found::kYes;
      read_root();
      return ascend(limits_.violations, root_.least_violations(), key_.violations);
    case NodeCriterion::kVictimCount:
      if (key_.victim_count <= std::max<Int>(1, limits_.least_count)) return Found::kYes;
      read_root();
      return ascend(limits_.count, root_.least_count(limits_.violations), key_.victim_count);
    case NodeCriterion::kHighestPriority:
      if (!priority_first_) return descend(level);
      break;
    case NodeCriterion::kLatestStart:
      if (!usual_) return descend(level);
      break;
    case NodeCriterion::kPrioritySum: return least_sum();
    case NodeCriterion::kRequestedShare:
    case NodeCriterion::kBudgetsTouched: return descend(level);
  }
  // Of all sets within the limits the first one's first victim comes last, so it is of the lowest
  // priority and, of that, the latest start.
  return is_first() ? Found::kYes : first();
}

// `limit` is raised from the least possible value until there is a set; at `value` there is.
template <class Int, class Node, class Summer>
Found BasicSolver<Int, Node, Summer>::ascend(Int& limit, const Int& from, const Int& value) {
  for (limit = from; limit < value; limit += 1) {
    if (const Found found = first(); found != Found::kNo) return found;
  }
  return Found::kYes;
}

template <class Int, class Node, class Summer>
void BasicSolver<Int, Node, Summer>::read_root() {
  read_scope(*problem_, limits_, scope_);
  root_.read(*problem_, scope_.allowed);
}

// First the fewest victims, because each adds 2^31 and more or less; then, for that many and for as many
// more as may still come to less, the least that they cost beyond the least priority.
template <class Int, class Node, class Summer>
Found BasicSolver<Int, Node, Summer>::least_sum() {
  read_root();
  const Int least = scope_.least;
  const bool one_priority = static_cast<bool>(scope_.least == scope_.most);
  Int& count = limits_.count;
  const Int count_before = count;
  // (a) the fewest.
  const Found found = ascend(count, std::max<Int>(limits_.least_count, root_.least_count(limits_.violations)),
                             std::min<Int>(count_before, key_.victim_count));
  if (found == Found::kStopped) return found;
  limits_.least_count = count;
  // (b) the cheapest.
  for (; !one_priority && count <= count_before && count < std::ssize(set_) + 1; count += 1) {
    const Int floor = count * least;
    if (floor >= key_.priority_sum) break;
    const BasicLimits<Int> kept = limits_;
    limits_.sum = std::min<Int>(limits_.sum, key_.priority_sum - 1);
    const Found cheaper = branch_.least_sum(limits_, floor, *effort_);
    limits_ = kept;
    if (cheaper == Found::kStopped) return cheaper;
    if (cheaper == Found::kNo) continue;
    take(branch_.evicted());
    first_up_to_ = kNotFirst;
  }
  count = count_before;
  // What the sum will imply from here on.
  if (least > 0) count = more_victims<Int>(count, key_.priority_sum, 0, least);
  return Found::kYes;
}

// While there is a better set, that.
template <class Int, class Node, class Summer>
Found BasicSolver<Int, Node, Summer>::descend(NodeCriterion level) {
  for (;;) {
    const BasicLimits<Int> before = limits_;
    switch (level) {
      case NodeCriterion::kHighestPriority: limits_.first_priority = key_.highest_priority - 1; break;
      case NodeCriterion::kLatestStart:
        if (!key_.earliest_start.given) return Found::kYes;
        limits_.start_us = key_.earliest_start.time + 1;
        break;
      case NodeCriterion::kRequestedShare:
        limits_.share = key_.further[further_place(level)];
        limits_.below_share = true;
        if (limits_.share.numerator == 0) return Found::kYes;
        break;
      case NodeCriterion::kBudgetsTouched:
        limits_.touched = key_.further[further_place(level)].numerator - 1;
        if (limits_.touched < 0) return Found::kYes;
        break;
      default: return Found::kYes;
    }
    const Found found = first();
    if (found == Found::kNo) limits_ = before;
    if (found != Found::kYes) return found == Found::kNo ? Found::kYes : found;
  }
}

template <class Int, class Node, class Summer>
void BasicSolver<Int, Node, Summer>::limit_to(NodeCriterion level, const Key<Int>& key) {
  switch (level) {
    case NodeCriterion::kPdbViolations: limits_.violations = key.violations; break;
    case NodeCriterion::kHighestPriority:
      if (priority_first_) {
        while (limits_.first < problem_->size && problem_->priority[limits_.first] > key.highest_priority) {
          ++limits_.first;
        }
      } else {
        limits_.first_priority = key.highest_priority;
      }
      break;
    case NodeCriterion::kPrioritySum: limits_.sum = key.priority_sum; break;
    case NodeCriterion::kVictimCount: limits_.count = key.victim_count; break;
    case NodeCriterion::kLatestStart: {
      const Int start_us = key.earliest_start.given ? key.earliest_start.time : Int(kNow);
      if (usual_) {
        while (limits_.first < problem_->size && problem_->priority[limits_.first] == key.highest_priority &&
               problem_->start_us[limits_.first] < start_us) {
          ++limits_.first;
        }
      } else {
        limits_.start_us = start_us;
      }
      break;
    }
    case NodeCriterion::kRequestedShare:
      limits_.share = key.further[further_place(level)];
      limits_.below_share = false;
      break;
    case NodeCriterion::kBudgetsTouched: limits_.touched = key.further[further_place(level)].numerator; break;
  }
}

}  // namespace reprieve::engine::exact
