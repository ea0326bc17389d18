// What Depth::kFull tells of every node, and both depths of a candidate.
#pragma once

#include <span>
#include <vector>

#include "reprieve/engine/candidate.h"
#include "reprieve/engine/filters/chain.h"
#include "reprieve/engine/look.h"
#include "reprieve/engine/victims.h"
#include "reprieve/model/decision.h"
#include "reprieve/model/policy.h"

namespace reprieve::engine {

/// Writes into `nodes`, which outlives it.
class Story {
 public:
  Story(const Index& index, const Policy& policy, std::vector<NodeDecision>& nodes)
      : index_(index), policy_(policy), nodes_(nodes) {}

  /// Begins the story of every live node.
  void begin();
  NodeDecision& of(NodeId node) { return nodes_[place_[node]]; }

  /// `look` has just looked at the node, unless the rejection is for all.
  void tell_filter(NodeId node, const Verdict& verdict, const PreFilterRejection& rejection, Look& look);
  static void tell_dry_run(NodeDecision& told, DryRunResult result);
  void tell_candidate(NodeDecision& told, const Candidate& candidate) const;
  /// Of the candidates these are left. One that an extender dropped keeps the story of its dry run, but is
  /// no candidate.
  void tell_extenders(std::span<const Candidate> left);

 private:
  const Index& index_;
  const Policy& policy_;
  std::vector<NodeDecision>& nodes_;
  std::vector<std::size_t> place_;  // in nodes_, by node
};

}  // namespace reprieve::engine
