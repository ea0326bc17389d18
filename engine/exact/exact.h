// `victims: exact`: over every node and every set of victims, the smallest key, with violations counted
// on the victims alone; of sets with equal keys the one that spares the most important pods first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reprieve/engine/candidate.h"
#include "reprieve/engine/exact/downward_closed.h"
#include "reprieve/engine/exact/node_bounds.h"
#include "reprieve/engine/exact/plain_search.h"
#include "reprieve/engine/exact/problem.h"
#include "reprieve/engine/exact/root_bounds.h"
#include "reprieve/engine/exact/search_options.h"
#include "reprieve/engine/exact/solver.h"
#include "reprieve/engine/victims.h"
#include "reprieve/model/decision.h"

namespace reprieve::engine {

class ExactSearch {
 public:
  /// Begins an attempt; `node` was begun with the same.
  void begin(const Cycle& cycle, FilterChain& chain, const Policy& policy, const SearchOptions& options,
             DryRun& node);

  /// Puts the nodes that look best first, so that the others can be told to be worse without a search.
  void sort(std::vector<NodeId>& nodes);

  /// Tries a node. Without `best`: its own optimum is left in the DryRun. With `best`: the same if it is
  /// as good, else kBeaten. When the search limit is spent the node is tried greedily, and the result
  /// is the best set that was seen: kCandidate, or kUnknown when there was none.
  DryRunResult run(NodeId node, const Key<std::int64_t>* best, NodeDecision* story);

  /// Whether every node so far was searched to the end.
  bool proved() const { return open_.empty(); }
  /// The nodes that were not, with the best that was seen there; without victims when nothing was.
  std::span<const Candidate> open() const { return open_; }

  /// Search nodes so far, but for the stories'.
  std::uint64_t searched() const { return options_.limit - effort_.left; }

  /// Tells the story of a node whose victims are known.
  void tell(const Candidate& candidate, NodeDecision& story);

  /// What is proved of each level when not every node was searched to the end; `found`: the key of the
  /// chosen node.
  std::vector<Bound> bounds(const Key<std::int64_t>& found);

  /// For stories: from now on every node has an effort of its own, and nodes are not counted as open.
  void tell_stories();

 private:
  DryRunResult search(const Key<std::int64_t>* best, Effort& effort, bool& proved);
  void take_greedy(DryRunResult& result);
  void bound_open();

  Cycle cycle_;
  FilterChain* chain_ = nullptr;
  const Policy* policy_ = nullptr;
  SearchOptions options_{.limit = 0};
  DryRun* node_ = nullptr;
  Effort effort_;
  bool stories_ = false;
  std::vector<Candidate> open_;
  Key<std::int64_t> least_;  // what victims on any of those come to at least
  exact::RootBounds root_;
  NodeBounds bounds_;
  PlainSearch plain_;
  exact::ProblemReader reader_;
  exact::Problem problem_;
  exact::Solver solver_;
  std::vector<std::uint8_t> kept_;
};

/// A level of a key as Bound tells it; a missing start time is the largest number.
std::int64_t told_level(const Key<std::int64_t>& key, NodeCriterion level, bool round_up);

}  // namespace reprieve::engine
