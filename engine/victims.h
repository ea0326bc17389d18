// The dry run on one node: which pods would have to go.
// Source: defaultpreemption/default_preemption.go, SelectVictimsOnNode.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/criteria/criteria.h"
#include "reprieve/engine/filters/chain.h"
#include "reprieve/engine/ledger.h"
#include "reprieve/engine/selection.h"
#include "reprieve/model/decision.h"

namespace reprieve::engine {

enum class DryRunResult : std::uint8_t {
  kCandidate,
  kNoVictims,   // no pod of lower priority
  kDoesNotFit,  // not even with all of them gone
  kGuaranteed,  // only by violating a budget, which the policy forbids
  kError,       // a filter failed, or every victim could be spared
  kBeaten,      // abandoned: it cannot be as good as the best so far
  kUnknown,     // an exact search ran into its limit before it found victims
};

class DryRun {
 public:
  /// Begins an attempt; forgets the last one.
  void begin(const Cycle& cycle, FilterChain& chain, const Policy& policy);

  /// Tries a node: the greedy reprieve. With `best`, the walk is abandoned as soon as the node can no
  /// longer be as good. With `story`, all that happened is written there.
  DryRunResult run(NodeId node, const Key<std::int64_t>* best, NodeDecision* story);

  // The same in steps, for a search over sets of victims:
  /// Enters the node into the chain and sorts its potential victims; false when there are none.
  bool enter(NodeId node, NodeDecision* story);
  /// Takes them all off; false when the preemptor does not fit even then, and verdict() says why.
  bool take_all_off(NodeDecision* story);
  /// Puts them back in order where the preemptor still fits.
  DryRunResult reprieve_in_order(const Key<std::int64_t>* best, NodeDecision* story);
  /// Makes the pods whose place in `evicted` is not 0 the victims (at least one), whatever the filters
  /// say, with the violations counted over them alone.
  void choose(std::span<const std::uint8_t> evicted);
  /// What its victims are charged, when they alone are.
  void tell_charges(NodeDecision& story);

  const std::vector<PodId>& potential() const { return potential_; }  // most important first
  std::span<const std::uint8_t> evicted() const { return evicted_; }  // of the last candidate
  bool usual_importance() const { return usual_importance_; }         // by priority, then start time
  bool guaranteed() const { return guaranteed_; }                     // no budget may be violated
  std::span<const NodeCriterion> bounded_levels() const { return bounded_levels_; }

  // Of the last run that ended with a candidate.
  const std::vector<PodId>& victims() const { return victims_; }  // most important first
  const Key<std::int64_t>& key() const { return key_; }

  /// Why the last run ended in kDoesNotFit or kError.
  Verdict verdict() const { return verdict_; }

 private:
  void collect(NodeId node);
  bool cannot_win(const Key<std::int64_t>& best) const;
  bool charge_and_tell(std::size_t i, NodeDecision* story);
  void classify(NodeDecision* story);
  bool goes_before(PodId b, PodId a) const;
  void fill_key();
  void count_violations();

  Cycle cycle_;
  FilterChain* chain_ = nullptr;
  const Policy* policy_ = nullptr;
  bool usual_importance_ = true;
  bool priority_first_ = true;
  bool guaranteed_ = false;                        // the policy's guarantee binds this preemptor
  std::span<const NodeCriterion> bounded_levels_;  // those that the victims so far bound from below
  std::vector<PodId> potential_;                   // potential victims in order of importance
  std::vector<std::uint8_t> violating_, evicted_;
  Ledger ledger_;
  criteria::Scratch scratch_;
  std::vector<PodId> nominated_;
  std::vector<PodId> victims_;
  Key<std::int64_t> key_;
  Verdict verdict_;
};

}  // namespace reprieve::engine
