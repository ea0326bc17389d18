// The steps of one decision where bounds may stand for nodes: which kept summaries serve it, how nodes stand
// before anything is evicted, which are tried, by how many threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reprieve/engine/bounded/search.h"
#include "reprieve/engine/bounded/standing.h"
#include "reprieve/engine/bounded/summaries.h"
#include "reprieve/engine/candidate.h"
#include "reprieve/engine/decide.h"
#include "reprieve/engine/look.h"
#include "reprieve/engine/team.h"
#include "reprieve/engine/victims.h"

namespace reprieve::engine::bounded {

/// Kept between decisions; `begin` forgets what is the last decision's alone.
class Answer {
 public:
  explicit Answer(unsigned threads);

  /// Whether bounds may stand for nodes under the policy and what the preemptor asks for: all the levels are
  /// upstream's, and no filter may fail with an error, which would be told even of a node that is behind.
  static bool serves(const Policy& policy, const FilterChain& chain);

  /// How all nodes stand before anything is evicted. False: some node fits. `look` is asked until the
  /// decision ends.
  bool filter(Look& look, Charging charging);

  /// DryRunPreemption, without the nodes that are behind. The first kToldOfTie of the tie are added to
  /// `candidates`. False: on the node `failed()` every victim could be spared, which is an error.
  bool dry_run(DryRun& dry_run, std::vector<Candidate>& candidates);
  NodeId failed() const { return failed_; }

  /// The best nodes in their order.
  std::span<const NodeId> tie() const { return searches_.front().tie(); }
  /// Makes `names`, which hold the first of the tie that are told of, those of the whole tie.
  void name_tie(std::vector<std::string>& names);
  /// Nodes that the last dry run tried.
  std::uint64_t tried() const { return tried_; }
  std::vector<Workspace::Share> shares() const;

 private:
  Summaries& summaries_of(const SummaryKey& key);
  bool are_enough_to_share(std::size_t nodes) const;
  template <class Now>
  bool scan(const Now& now);
  template <class Attempt>
  void search_nodes(const Attempt& attempt);
  void take_tie(DryRun& dry_run, std::vector<Candidate>& candidates);

  // What is kept of the last few kinds of preemptors.
  std::array<Summaries, 4> kept_;
  std::array<std::uint64_t, 4> used_{};  // when each was; 0: never
  std::uint64_t now_ = 0;
  Standing standing_;
  // Of the threads that share a decision, each its own; the first has the answer in the end.
  std::vector<Search> searches_;
  std::vector<std::vector<NodeId>> maybe_fit_;  // by search
  std::size_t sharing_ = 1;                     // searches in use
  std::unique_ptr<Team> team_;                  // absent: one thread

  // Of this decision.
  Look* look_ = nullptr;
  Summaries* summaries_ = nullptr;
  Ask ask_;
  NodeId own_ = kNone;   // the preemptor is nominated to it
  bool plain_ = false;   // resources alone decide
  bool stands_ = false;  // what is kept of the last decision stands for nodes
  NodeId failed_ = kNone;
  std::uint64_t tried_ = 0;
};

}  // namespace reprieve::engine::bounded
