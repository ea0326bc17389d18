// How the search goes. Included where it is made for a type of integers: for std::int64_t in branch.cpp,
// for symbolic ones in the proofs.
#pragma once

#include <algorithm>
#include <bit>

#include "reprieve/engine/exact/branch.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {

// A less important pod that may stand for a more important one: with it instead no limit is passed that
// was kept, all the room is made, and the more important pod is spared. So of the sets that are looked
// for none evicts the one and spares the other.
//
// Of the budgets: the other is charged to none; or both to the same one; or the one is certainly a
// violation and the other at most one. That is so where no pod of the node is charged to two, for then
// no budget's violations depend on another's. Where some are, the first still holds if every budget is
// charged. Charging that stops at a violation may go on to further budgets once a pod before is spared,
// and violate more of them.
template <class Int>
bool replaces(const BasicProblem<Int>& problem, std::size_t better, std::size_t pod) {
  if (REPRIEVE_MUTANT("exact-replaces-by-a-dearer-pod", problem.priority[better] > problem.priority[pod],
                      false))
    return false;
  for (std::size_t r = 0; r < problem.rows; ++r) {
    if (REPRIEVE_MUTANT("exact-replaces-short-of-the-last-row", false, r + 1 == problem.rows)) break;
    if (problem.weights_of(r)[better] < problem.weights_of(r)[pod]) return false;
  }
  if (problem.assigned[better] == BasicProblem<Int>::kNoBudget) {
    return problem.assigned[pod] == BasicProblem<Int>::kNoBudget || !problem.overlapping ||
           problem.charging == Charging::kEveryBudget;
  }
  if (problem.overlapping || problem.assigned[pod] == BasicProblem<Int>::kNoBudget) return false;
  return problem.assigned[better] == problem.assigned[pod] ||
         REPRIEVE_MUTANT("exact-replaces-across-budgets", problem.allowed[problem.assigned[pod]] <= 0, true);
}

template <class Int, class Summer>
void BasicBranch<Int, Summer>::begin(const Problem& problem, Filters* filters, bool replaceable) {
  problem_ = &problem;
  filters_ = filters;
  replaceable_ = replaceable && !problem.checked;
  words_ = (problem.size + 63) / 64;
  evicted_.assign(problem.size, 0);
  left_.assign(problem.allowed.begin(), problem.allowed.end());
  touches_.assign(problem.allowed.size(), 0);
  forced_.assign((problem.size + 2) * words_, 0);
  share_.assign(problem.allocatable.size(), 0);
  share_limit_.resize(problem.allocatable.size());
  count_ = sum_ = violations_ = touched_ = 0;
  find_replacements();
  if (filters_) find_conflicts();
}

template <class Int, class Summer>
Found BasicBranch<Int, Summer>::first(const Limits& limits, Effort& effort) {
  minimises_ = false;
  return run(limits, effort);
}

template <class Int, class Summer>
Found BasicBranch<Int, Summer>::least_sum(const Limits& limits, const Int& floor, Effort& effort) {
  minimises_ = true;
  floor_ = floor;
  return run(limits, effort);
}

template <class Int, class Summer>
Found BasicBranch<Int, Summer>::run(const Limits& limits, Effort& effort) {
  limits_ = limits;
  // A filter may want pods gone though there is room, and a victim of higher priority a later start.
  more_may_help_ = problem_->checked || limits.start_us != -kUnlimited;
  any_found_ = false;
  prepare();
  Effort little{std::min(effort.left, Summer::kShortSearch)};
  const std::uint64_t before = little.left;
  const bool ended = run_once(little);
  effort.left -= before - little.left;
  if (!ended && effort.left > 0) {
    strengthen();
    run_once(effort);
  }
  if (stopped_) return Found::kStopped;
  return any_found_ ? Found::kYes : Found::kNo;
}

template <class Int, class Summer>
bool BasicBranch<Int, Summer>::run_once(Effort& effort) {
  effort_ = &effort;
  stopped_ = false;
  descend(0, 0);
  return !stopped_;
}

// What holds for the whole search: who may go at all, and the tables.
template <class Int, class Summer>
void BasicBranch<Int, Summer>::prepare() {
  const Problem& problem = *problem_;
  read_scope(problem, limits_, scope_);
  if (limits_.sum != kUnlimited && scope_.least > 0 && scope_.least != kUnlimited) {
    limits_.count = more_victims<Int>(limits_.count, limits_.sum, 0, scope_.least);
  }
  for (std::size_t c = 0; c < problem.allocatable.size(); ++c) {
    // The most that may be requested of it: share * allocatable, rounded down.
    if (limits_.share.denominator == 0) {
      share_limit_[c] = limits_.below_share && problem.allocatable[c] == 0 ? Int(0) : Int(kUnlimited);
    } else {
      using Product = typename ProductOf<Int>::type;
      const Product most =
          Product(limits_.share.numerator) * Product(problem.allocatable[c]) - (limits_.below_share ? 1 : 0);
      // A share may be so large that no amount reaches it: a gibibyte of a node that has a byte.
      share_limit_[c] =
          most < 0
              ? Int(-1)
              : static_cast<Int>(std::min<Product>(most / Product(limits_.share.denominator), kUnlimited));
    }
  }
  rows_in_use_ = 0;
  for (std::size_t r = 0; r < problem.rows; ++r) {
    Row& row = add_row();
    const auto weights = problem.weights_of(r);
    row.sum.values.assign(weights.begin(), weights.end());
    row.sum.need = problem.need[r];
    row.sum.fine = 0;
    build_table(row);
  }
}

template <class Int, class Summer>
auto BasicBranch<Int, Summer>::add_row() -> Row& {
  if (rows_.size() <= rows_in_use_) rows_.resize(rows_in_use_ + 1);
  return rows_[rows_in_use_++];
}

template <class Int, class Summer>
void BasicBranch<Int, Summer>::build_table(Row& row) {
  row.freed = 0;
  set_need(row);
  row.table.build(*problem_, row.sum.values, scope_.allowed, limits_.count, limits_.violations);
}

// Sums of rows, which see what each row by itself does not: that one pod cannot be the largest in all
// of them, and that the largest are not the cheapest.
template <class Int, class Summer>
void BasicBranch<Int, Summer>::strengthen() {
  const auto add = [&](std::span<const Int> costs, const Int& most_cost) {
    const BasicMultiplierLimits<Int> limits{scope_.allowed, limits_.count, limits_.violations, costs,
                                            most_cost};
    const auto take = [&](bool fits, Row& row) {
      fits ? build_table(row) : static_cast<void>(--rows_in_use_);
    };
    Row& row = add_row();
    take(multipliers_.find(*problem_, limits, row.sum), row);
    if (problem_->rows == 1) return;
    for (std::size_t r = 0; r < problem_->rows; ++r) {
      for (const double by : Summer::kLeanings) {
        Row& leaning = add_row();
        take(multipliers_.lean(*problem_, limits, r, by, leaning.sum), leaning);
      }
    }
  };
  if (problem_->rows > 1) add({}, 0);
  const Int extra = scope_.most_extra(limits_);
  if (extra == kUnlimited || extra <= 0) return;
  costs_.clear();
  for (const Int& priority : problem_->priority) {
    costs_.push_back(std::max<Int>(0, priority + kPriorityShift - scope_.least));
  }
  if (problem_->rows > 0) add(costs_, extra);
}

// With a lower limit on the sum less may be spent, and the fine for that falls away.
template <class Int, class Summer>
void BasicBranch<Int, Summer>::set_need(Row& row) const {
  const bool pays = static_cast<bool>(REPRIEVE_MUTANT("exact-fine-not-paid", row.sum.fine != 0, false));
  row.need = row.sum.need - (pays ? row.sum.fine * scope_.most_extra(limits_) : Int(0));
}

template <class Int, class Summer>
void BasicBranch<Int, Summer>::find_replacements() {
  replacements_.assign(problem_->size * words_, 0);
  if (!replaceable_) return;
  for (std::size_t i = 0; i < problem_->size; ++i) {
    for (std::size_t j = i + 1; j < problem_->size; ++j) {
      if (replaces(*problem_, j, i)) replacements_[i * words_ + j / 64] |= std::uint64_t{1} << (j % 64);
    }
  }
}

// Pods beside which the preemptor never fits: they go, whoever else does.
template <class Int, class Summer>
void BasicBranch<Int, Summer>::find_conflicts() {
  for (std::size_t i = 0; i < problem_->size; ++i) {
    filters_->spare(i);
    if (filters_->fit_never_again()) forced_[i / 64] |= std::uint64_t{1} << (i % 64);
    filters_->unspare(i);
  }
}

template <class Int, class Summer>
bool BasicBranch<Int, Summer>::has_room() const {
  for (std::size_t r = 0; r < problem_->rows; ++r) {
    if (rows_[r].freed < rows_[r].need) return false;
  }
  return true;
}

template <class Int, class Summer>
Int BasicBranch<Int, Summer>::count_left() const {
  Int count = limits_.count == kUnlimited ? Int(kUnlimited) : limits_.count - count_;
  if (limits_.sum != kUnlimited && scope_.least > 0) {
    count = more_victims<Int>(count, limits_.sum, sum_, scope_.least);
  }
  return count;
}

// Whether the pods from `place` on may still make the room that is missing.
template <class Int, class Summer>
bool BasicBranch<Int, Summer>::may_make_room(std::size_t place) const {
  const Int count = count_left();
  const Int violations =
      limits_.violations == kUnlimited ? Int(kUnlimited) : limits_.violations - violations_;
  for (std::size_t r = 0; r < rows_in_use_; ++r) {
    const Row& row = rows_[r];
    if (falls_short(row.need, row.freed, row.table.most(place, count, violations))) return false;
  }
  return true;
}

// The last place from which room can be made: the next victim is there or before. Tables only fall.
template <class Int, class Summer>
std::size_t BasicBranch<Int, Summer>::last_next_victim(std::size_t place) const {
  std::size_t yes = place;
  std::size_t no = problem_->size;
  while (no - yes > 1) {
    const std::size_t middle = yes + (no - yes) / 2;
    (may_make_room(middle) ? yes : no) = middle;
  }
  return yes;
}

template <class Int, class Summer>
std::size_t BasicBranch<Int, Summer>::next_forced(std::size_t place, std::size_t depth) const {
  for (std::size_t word = place / 64; word < words_; ++word) {
    std::uint64_t bits = forced_[depth * words_ + word];
    if (word == place / 64) bits &= ~std::uint64_t{0} << (place % 64);
    if (bits != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return problem_->size;
}

template <class Int, class Summer>
std::int64_t BasicBranch<Int, Summer>::forced_from(std::size_t place, std::size_t depth) const {
  std::int64_t count = 0;
  for (std::size_t word = place / 64; word < words_; ++word) {
    std::uint64_t bits = forced_[depth * words_ + word];
    if (word == place / 64) bits &= ~std::uint64_t{0} << (place % 64);
    count += std::popcount(bits);
  }
  return count;
}

// Everything before `place` is decided, everything from there on is off. Sets are visited in the order
// that spares the most important pods first: no further victim, then the last pod as the next one, and
// so on up to the pod at `place`. True: the search is over.
template <class Int, class Summer>
bool BasicBranch<Int, Summer>::descend(std::size_t place, std::size_t depth) {
  const bool room = has_room();
  if (room && !more_may_help_) return accept();
  if (!room && (place == problem_->size || !may_make_room(place))) return false;
  const std::size_t last =
      std::min(room ? problem_->size : last_next_victim(place), next_forced(place, depth));
  // The pods in between are spared, as far as the filters let them.
  std::size_t next = filters_ ? spare_up_to(place, last) : last;
  bool over = next == problem_->size && (!filters_ || filters_->fit()) && accept();
  for (;;) {
    if (!over && next < problem_->size) over = evict_next(next, depth);
    if (next == place) return over;
    --next;
    if (filters_) filters_->unspare(next);
  }
}

template <class Int, class Summer>
std::size_t BasicBranch<Int, Summer>::spare_up_to(std::size_t place, std::size_t last) {
  for (; place < last; ++place) {
    filters_->spare(place);
    if (!filters_->fit_never_again()) continue;
    filters_->unspare(place);
    break;
  }
  return place;
}

template <class Int, class Summer>
bool BasicBranch<Int, Summer>::evict_next(std::size_t place, std::size_t depth) {
  if (scope_.allowed[place] == 0) return false;
  if (!effort_->spend()) {
    stopped_ = true;
    return true;
  }
  const Problem& problem = *problem_;
  // Evicted, with all that counts.
  evicted_[place] = 1;
  count_ += 1;
  sum_ += problem.priority[place] + kPriorityShift;
  for (Row& row : std::span(rows_).first(rows_in_use_)) row.freed += row.sum.values[place];
  std::size_t charged = 0;
  const auto budgets = problem.budgets_of(place);
  const bool violates =
      charge<Int>(budgets, std::span<Int>(left_), problem.charging, [&](const Membership&) { ++charged; });
  violations_ += violates ? 1 : 0;
  for (const Membership& budget : budgets) touched_ += touches_[budget.budget]++ == 0 ? 1 : 0;
  for (std::size_t c = 0; c < share_.size(); ++c) share_[c] += problem.requested[c * problem.size + place];

  const bool over = within_limits(place) && evict_and_descend(place, depth);

  for (std::size_t c = 0; c < share_.size(); ++c) share_[c] -= problem.requested[c * problem.size + place];
  for (const Membership& budget : budgets) touched_ -= --touches_[budget.budget] == 0 ? 1 : 0;
  violations_ -= violates ? 1 : 0;
  for (std::size_t b = 0; b < charged; ++b) left_[budgets[b].budget] += 1;
  for (Row& row : std::span(rows_).first(rows_in_use_)) row.freed -= row.sum.values[place];
  sum_ -= problem.priority[place] + kPriorityShift;
  count_ -= 1;
  evicted_[place] = 0;
  return over;
}

template <class Int, class Summer>
bool BasicBranch<Int, Summer>::evict_and_descend(std::size_t place, std::size_t depth) {
  for (std::size_t word = 0; word < words_; ++word) {
    forced_[(depth + 1) * words_ + word] =
        forced_[depth * words_ + word] | replacements_[place * words_ + word];
  }
  if (limits_.count != kUnlimited) {
    const std::int64_t forced = forced_from(place + 1, depth + 1);
    const Int left = limits_.count - count_;
    if (REPRIEVE_MUTANT("exact-forced-as-many-as-allowed", forced > left, forced >= left)) return false;
  }
  return descend(place + 1, depth + 1);
}

// Every level here only grows with more victims, but for the first victim, which stays.
template <class Int, class Summer>
bool BasicBranch<Int, Summer>::within_limits(std::size_t place) {
  if (count_ > limits_.count || sum_ > limits_.sum ||
      REPRIEVE_MUTANT("exact-violates-beyond-the-limit", violations_ > limits_.violations, false) ||
      touched_ > limits_.touched) {
    return false;
  }
  if (count_ == 1 && problem_->priority[place] > limits_.first_priority) return false;
  for (std::size_t c = 0; c < share_.size(); ++c) {
    if (share_[c] > 0 && share_[c] > share_limit_[c]) return false;
  }
  return true;
}

// Makes room, within the limits. True: the search is over.
template <class Int, class Summer>
bool BasicBranch<Int, Summer>::accept() {
  if (limits_.start_us != -kUnlimited) {
    Int highest = -kUnlimited;
    Int earliest_us = 0;
    for (std::size_t i = 0; i < problem_->size; ++i) {
      if (evicted_[i] == 0 || problem_->priority[i] < highest) continue;
      const bool higher = static_cast<bool>(problem_->priority[i] > highest);
      highest = problem_->priority[i];
      earliest_us = higher ? problem_->start_us[i] : std::min<Int>(earliest_us, problem_->start_us[i]);
    }
    if (earliest_us < limits_.start_us) return false;
  }
  found_.assign(evicted_.begin(), evicted_.end());
  any_found_ = true;
  if (!minimises_ || sum_ <= floor_) return true;
  limits_.sum = sum_ - 1;
  for (Row& row : std::span(rows_).first(rows_in_use_)) set_need(row);
  return false;
}

}  // namespace reprieve::engine::exact
