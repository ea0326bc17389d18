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
#include "reprieve/properties/laws/facts.h"

namespace reprieve::cli::explain {

/// A set of potential victims of one node whose eviction makes room there.
struct VictimSet {
  std::vector<std::string> pods;  // most important first
  CandidateKey key;               // violations are those that evicting exactly these pods causes

  bool operator==(const VictimSet&) const = default;
};

/// Which budgets protect which pods, and what evicting some of them does. Refers to what WhatIf refers to.
class BudgetBook {
 public:
  explicit BudgetBook(const WhatIf& what_if);

  /// Budgets that select the pod and do not count it as disrupted already; in charging order. All of them,
  /// where 1.37 charges those behind the first that is exceeded no more.
  const std::vector<std::string>& budgets_of(const std::string& pod) const;
  /// How many of these pods, evicted in this order and nothing else, exceed some budget: by the policy's
  /// own count when it is of the victims, else charging every budget.
  std::int64_t violations(const std::vector<std::string>& pods) const;
  /// The policy's levels of evicting these pods of the node, given most important first.
  CandidateKey key_of(const std::string& node, const std::vector<std::string>& pods) const;

 private:
  mutable laws::Facts facts_;  // looks up lazily
  mutable std::map<std::string, std::vector<std::string>, std::less<>> budgets_by_pod_;
};

/// Negative when `a` is better in this order of levels, positive when `b` is; 0 for a tie. A missing
/// start time is the latest.
int compare(const CandidateKey& a, const CandidateKey& b, const std::vector<NodeCriterion>& order);

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
