// The search for a set of victims within limits: branch and bound over one problem.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/exact/cover_table.h"
#include "reprieve/engine/exact/limits.h"
#include "reprieve/engine/exact/multipliers.h"
#include "reprieve/engine/exact/problem.h"
#include "reprieve/engine/exact/search_options.h"
#include "reprieve/engine/selection.h"

namespace reprieve::engine::exact {

/// Asks the filters, for a problem where making room is not enough.
class Filters {
 public:
  virtual ~Filters() = default;
  virtual void spare(std::size_t pod) = 0;
  virtual void unspare(std::size_t pod) = 0;
  /// Whether the preemptor fits beside the pods that are spared.
  virtual bool fit() = 0;
  /// Whether it fits beside no larger set of spared pods either.
  virtual bool fit_never_again() = 0;
};

enum class Found : std::uint8_t { kYes, kNo, kStopped };

/// `Summer` finds multipliers; any do, so it is no part of what must be right.
template <class Int, class Summer>
class BasicBranch {
 public:
  using Problem = BasicProblem<Int>;
  using Limits = BasicLimits<Int>;

  /// Takes up a problem. `filters` only if it is checked. `replaceable`: whether a less important pod
  /// that is as good a victim in every way may stand for another (see replaces()).
  void begin(const Problem& problem, Filters* filters, bool replaceable);

  /// The first set within the limits, in the order that spares the most important pods first.
  Found first(const Limits& limits, Effort& effort);

  /// A set within the limits with the least sum of shifted priorities. `floor`: it cannot be less.
  Found least_sum(const Limits& limits, const Int& floor, Effort& effort);

  /// Of the last that was found: by pod.
  std::span<const std::uint8_t> evicted() const { return found_; }

 private:
  struct Row {
    BasicSummedRow<Int> sum;
    Int need = 0;  // less the fine for all that may be spent
    Int freed = 0;
    BasicCoverTable<Int> table;
  };

  Found run(const Limits& limits, Effort& effort);
  bool run_once(Effort& effort);
  void prepare();
  void strengthen();
  Row& add_row();
  void build_table(Row& row);
  void set_need(Row& row) const;
  void find_replacements();
  void find_conflicts();
  bool descend(std::size_t place, std::size_t depth);
  std::size_t spare_up_to(std::size_t place, std::size_t last);
  bool evict_next(std::size_t place, std::size_t depth);
  bool evict_and_descend(std::size_t place, std::size_t depth);
  bool within_limits(std::size_t place);
  bool accept();
  bool has_room() const;
  bool may_make_room(std::size_t place) const;
  std::size_t last_next_victim(std::size_t place) const;
  Int count_left() const;
  std::size_t next_forced(std::size_t place, std::size_t depth) const;
  std::int64_t forced_from(std::size_t place, std::size_t depth) const;

  const Problem* problem_ = nullptr;
  Filters* filters_ = nullptr;
  bool replaceable_ = false;
  Limits limits_;
  Effort* effort_ = nullptr;
  bool more_may_help_ = false;  // a set that makes room may have to grow
  bool stopped_ = false;
  bool minimises_ = false;
  Int floor_ = 0;
  BasicScope<Int> scope_;
  Summer multipliers_;
  std::vector<Int> costs_;

  std::size_t rows_in_use_ = 0;
  std::vector<Row> rows_;
  std::vector<std::uint8_t> evicted_, found_;
  bool any_found_ = false;
  // Pods that go whenever another does, as bits: of pod i at [i * words_].
  std::size_t words_ = 0;
  std::vector<std::uint64_t> replacements_;
  std::vector<std::uint64_t> forced_;     // by depth
  std::vector<Int> share_limit_, share_;  // by column of the problem's shares
  // Of the victims so far.
  Int count_ = 0, sum_ = 0, violations_ = 0, touched_ = 0;
  std::vector<Int> left_;               // by budget: what it still allows
  std::vector<std::uint32_t> touches_;  // by budget: victims that it selects
};
using Branch = BasicBranch<std::int64_t, Multipliers>;
extern template class BasicBranch<std::int64_t, Multipliers>;

}  // namespace reprieve::engine::exact
