// Which sets of a node's lower-priority pods would have made room, and at what price: the
// alternatives that a warning or an answer about one victim names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/explain/what_if.h"

namespace reprieve::cli::explain {

/// A set of potential victims of one node whose eviction makes room there.
struct VictimSet {
  std::vector<std::string> pods;  // most important first
  CandidateKey key;               // violations are those that evicting exactly these pods causes

  bool operator==(const VictimSet&) const = default;
};

/// Charges of every budget that selects a pod, for every potential victim of every tried node. A
/// Decision under 1.37's rule lacks those after the first budget that was exceeded.
class BudgetBook {
 public:
  explicit BudgetBook(WhatIf& what_if);

  /// Whether the charges are complete; false when the second decision that 1.37 needs failed.
  bool complete() const { return complete_; }
  /// Budgets that select the pod and do not count it as disrupted already; in charging order.
  const std::vector<std::string>& budgets_of(const std::string& pod) const;
  /// How many of these pods, evicted in this order and nothing else, exceed some budget.
  std::int64_t violations(const std::vector<std::string>& pods) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> budgets_by_pod_;
  std::map<std::string, std::int32_t, std::less<>> allowed_;
  bool complete_ = true;
};

/// The five levels for these potential victims of `node`, given most important first.
CandidateKey key_of(const std::vector<const PotentialVictim*>& victims, std::int64_t violations);

/// Negative when `a` is better in this order of levels, positive when `b` is; 0 for a tie. Criteria
/// that a CandidateKey does not carry count as equal. A missing start time is the latest.
int compare(const CandidateKey& a, const CandidateKey& b, const std::vector<NodeCriterion>& order);

/// `a` is more important than `b` in the sense of the policy's default importance: by priority, then
/// by an earlier start. Ties are not.
bool more_important(const PotentialVictim& a, const PotentialVictim& b);

struct Search {
  std::vector<VictimSet> sets;  // best first, by the policy's order of levels
  bool exhaustive = false;      // every subset of the potential victims was decided
  std::size_t potential_victims = 0;
  std::size_t subsets = 0;  // decided
};

/// The sets of potential victims of a tried node that make room. With at most 10 of them, and as
/// long as the work lasts, every subset is decided; else sets without one of the present victims are
/// sought by evicting in its stead what is less important (and, failing that, all others), and then
/// putting back whatever can be.
Search search(const NodeDecision& node, WhatIf& what_if, const BudgetBook& book);

}  // namespace reprieve::cli::explain
