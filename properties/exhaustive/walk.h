// The cases of a scope, one after the other: every layout with every room on its nodes and every
// allowance of its budgets that can be told apart.
//
// What can be told apart, since a node's decision knows the sizes only through "does the preemptor
// fit":
// - The *room* of a node is its allocatable less the preemptor's request: how much of the pods may
//   stay. Only whether a set of pods fits into it matters, so the rooms tried are the sums of subsets
//   of the pods that may go (the least room at which that subset fits), and one that is too small for
//   the peers alone. The preemptor's own size cannot be told, save by a node that is too small for it.
// - A node that is too small for the preemptor is never tried, so its pods cannot be told: it is empty.
// - Once the preemptor fits somewhere, only the filters are asked: then the pods are all of one rank
//   and under no budget.
// - An allowance above the number of pods under the budget on any one node is like that number: each
//   node is charged on its own.
//
// walk_test.cpp holds every cluster of smaller scopes, taken raw, against these claims.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/policy.h"
#include "reprieve/properties/exhaustive/layouts.h"
#include "reprieve/properties/exhaustive/scope.h"

namespace reprieve::exhaustive {

inline constexpr int kTooSmall = -1;  // a room: the node is smaller than the preemptor, by one

/// A cluster but for its names.
struct Shape {
  Layout layout;
  std::vector<int> rooms;    // by node
  std::vector<int> allowed;  // by budget

  auto operator<=>(const Shape&) const = default;
};

/// Why what is said above is not so under a policy, as a sentence; empty: it is.
std::string why_not_walkable(const Policy& policy);

/// The cases of a scope under one policy after another, in a fixed order, the smallest first. There is
/// at least one policy, and all of them are walkable.
class Walk {
 public:
  Walk(const Scope& scope, std::vector<Policy> policies);

  bool done() const { return policy_ == policies_.size(); }
  std::uint64_t index() const { return index_; }  // from 0
  const Policy& policy() const { return policies_[policy_]; }
  Shape shape() const;
  void next();
  /// next(), so many times or to the end, without looking at what is between.
  void skip(std::uint64_t count);

  /// The case (write.h). The reference stays valid; the next call writes into the same case.
  const Case& question();

 private:
  const Layout& layout() const { return layouts_.layout(); }
  void next_layout();
  void begin_layout();
  bool advance();
  bool is_first();
  std::uint64_t in_layout();

  Scope scope_;
  std::vector<Policy> policies_;
  std::size_t policy_ = 0;
  std::uint64_t index_ = 0;
  Layouts layouts_;
  std::vector<std::vector<int>> room_choices_;  // by node, ascending
  std::vector<int> most_allowed_;               // by budget
  std::vector<std::size_t> rooms_;              // places in room_choices_
  std::vector<int> allowed_;
  bool symmetric_ = false;  // some renaming or change of places leads back to this layout
  bool written_ = false;    // question_ shows this layout
  Case question_;
};

/// How many cases a walk has.
std::uint64_t count_cases(const Scope& scope, const std::vector<Policy>& policies);

}  // namespace reprieve::exhaustive
