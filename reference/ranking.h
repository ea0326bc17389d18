// Step 6: the ordering of candidates by nodeOrder, which is Kubernetes' five levels unless the policy
// says otherwise. Each level is a file of criteria/node_order/.
// Source: pkg/scheduler/framework/preemption/preemption.go (pickOneNodeForPreemption).
//
// The comparison is a template, so that a symbolic integer can run it: Int has < and is copied.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "reprieve/reference/criteria/node_order/budgets_touched.h"
#include "reprieve/reference/criteria/node_order/highest_priority.h"
#include "reprieve/reference/criteria/node_order/latest_start.h"
#include "reprieve/reference/criteria/node_order/pdb_violations.h"
#include "reprieve/reference/criteria/node_order/priority_sum.h"
#include "reprieve/reference/criteria/node_order/requested_share.h"
#include "reprieve/reference/criteria/node_order/victim_count.h"

namespace reprieve::reference {

/// Which of two keys is preferred, and by which criterion. Neither and none when they tie.
struct Preference {
  bool first = false;
  bool second = false;
  std::optional<NodeCriterion> by;
};

/// Whether `a` is better than `b` by this criterion alone. One line for each file of criteria/node_order/.
template <class Int>
bool is_better(const RankingKey<Int>& a, const RankingKey<Int>& b, NodeCriterion criterion) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return static_cast<bool>(pdb_violations::is_better(a, b));
    case NodeCriterion::kHighestPriority: return static_cast<bool>(highest_priority::is_better(a, b));
    case NodeCriterion::kPrioritySum: return static_cast<bool>(priority_sum::is_better(a, b));
    case NodeCriterion::kVictimCount: return static_cast<bool>(victim_count::is_better(a, b));
    case NodeCriterion::kLatestStart: return static_cast<bool>(latest_start::is_better(a, b));
    case NodeCriterion::kRequestedShare: return static_cast<bool>(requested_share::is_better(a, b));
    case NodeCriterion::kBudgetsTouched: return static_cast<bool>(budgets_touched::is_better(a, b));
  }
  std::unreachable();
}

/// Compares by each criterion in turn; the first that differs decides. Upstream keeps the nodes with
/// the best score level by level, which is the same.
template <class Int>
Preference compare(const RankingKey<Int>& a, const RankingKey<Int>& b,
                   const std::vector<NodeCriterion>& order) {
  for (const NodeCriterion criterion : order) {
    if (is_better(a, b, criterion)) return {.first = true, .second = false, .by = criterion};
    if (is_better(b, a, criterion)) return {.first = false, .second = true, .by = criterion};
  }
  return {};
}

/// The levels of a candidate: Kubernetes' five always, the others when nodeOrder names them.
CandidateKey key_of(const Situation& situation, const Candidate& candidate);

/// Whether `a` wins over `b`.
bool is_better(const CandidateKey& a, const CandidateKey& b, const std::vector<NodeCriterion>& order);

struct Ranked {
  std::vector<std::size_t> tie;             // positions of the best candidates, in their order
  std::optional<NodeCriterion> decided_by;  // between the best and the best of the rest
};

/// `keys` must not be empty.
Ranked rank(const std::vector<CandidateKey>& keys, const std::vector<NodeCriterion>& order);

}  // namespace reprieve::reference
