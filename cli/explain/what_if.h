// Decisions on clusters that differ a little from the one in question. Whatever `explain` claims
// about other choices was decided this way, by the same decider, never derived by hand.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/compare/importance.h"

namespace reprieve::cli::explain {

/// Decides a case with every node's story. Must not throw.
using Decider = std::function<Decision(const Case&)>;

using PodSet = std::set<std::string, std::less<>>;  // "namespace/name"

class WhatIf {
 public:
  /// `question` and `decision` must outlive this. `work_limit` bounds all decisions together, one
  /// costing the nodes and pods that it looks at; see `exhausted`.
  WhatIf(const Case& question, const Decision& decision, Decider decide, std::int64_t work_limit);

  /// What the filters say of the node once exactly these pods are gone and everything else stays:
  /// the pods nominated there, terminating ones, and the other lower-priority pods. The preemptor's
  /// own nomination is dropped, extenders are not asked. Absent when the limit is reached or the
  /// decider fails.
  ///
  /// The counts are taken afresh, as they will be when the evictions are over. The scheduler's dry
  /// run patches its counts instead, which can say otherwise in corners (docs/FINDINGS.md).
  std::optional<NodeDecision> node_without(const std::string& node, const PodSet& gone);
  /// The same, as yes or no; no when it could not be decided.
  bool fits_without(const std::string& node, const PodSet& gone);

  /// Decides again after a change to the cluster or the policy. `affected` is the only node whose
  /// room or pods the change touches, or empty: then any may be. Nodes that cannot matter are left
  /// out: those that no eviction helps, and with `affected` those that stay behind `leaders`.
  std::optional<Decision> after(const std::function<void(Case&)>& change, const std::string& affected = {});

  /// The same on the whole cluster, for changes that may let another node fit or be tried.
  std::optional<Decision> whole(const std::function<void(Case&)>& change);

  /// The chosen nodes, the runner-up and what equals it: whatever happens to one node, the best of
  /// the others is among them.
  void set_leaders(std::vector<std::string> nodes) { leaders_ = std::move(nodes); }

  /// Decisions made so far; whether one was refused for lack of work left.
  std::int64_t decisions() const { return decisions_; }
  bool exhausted() const { return exhausted_; }
  /// Whether this many more decisions about one node would be within the limit.
  bool affords(const std::string& node, std::int64_t decisions);

  const Case& question() const { return question_; }
  const Decision& decision() const { return decision_; }

  /// Whether `a` is more important than `b` by the policy; both are potential victims of the node. Ties
  /// are not.
  bool more_important(const NodeDecision& node, const PotentialVictim& a, const PotentialVictim& b) const;

 private:
  Case reduced(const std::set<std::string, std::less<>>& nodes) const;
  const Case& about(const std::string& node);
  const Case& candidates(const std::string& affected);
  std::optional<Decision> decide(const Case& question);

  const Case& question_;
  const Decision& decision_;
  compare::Importance importance_;
  Decider decide_;
  std::int64_t work_left_;
  std::int64_t decisions_ = 0;
  bool exhausted_ = false;
  bool node_local_;   // filters look at one node only
  std::string node_;  // of node_case_
  Case node_case_;    // reduced to one node, kept between questions about it
  std::vector<std::string> leaders_;
  std::string affected_;       // of again_
  std::optional<Case> again_;  // reduced to the nodes that can be chosen
};

/// The node's story, or null.
const NodeDecision* find_node(const Decision& decision, std::string_view node);
/// The pod, or null.
const Pod* find_pod(const Cluster& cluster, std::string_view full_name);
Pod* find_pod(Cluster& cluster, std::string_view full_name);

}  // namespace reprieve::cli::explain
