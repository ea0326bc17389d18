// The flow of one decision: filter, eligibility, dry run, extenders, ranking.
// Source: pkg/scheduler/schedule_one.go (findNodesThatFitPod), framework/preemption/preemption.go
// (evaluate, Preempt).
#include "reprieve/engine/decide.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reprieve/engine/bounded/answer.h"
#include "reprieve/engine/eligibility.h"
#include "reprieve/engine/exact/exact.h"
#include "reprieve/engine/extenders.h"
#include "reprieve/engine/look.h"
#include "reprieve/engine/nominated.h"
#include "reprieve/engine/rank.h"
#include "reprieve/engine/sampling.h"
#include "reprieve/engine/story.h"
#include "reprieve/engine/supported.h"
#include "reprieve/engine/victims.h"
#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

struct Workspace::State {
  explicit State(unsigned threads) : bounded(threads) {}

  FilterChain chain;
  DryRun dry_run;
  ExactSearch exact;
  std::vector<Verdict> verdicts;  // of the filter phase, by node
  std::vector<NodeId> potential_nodes;
  std::vector<PodId> nominated;
  std::vector<Candidate> candidates;
  Ranking ranking;
  criteria::Scratch scratch;
  bounded::Answer bounded;
  std::uint64_t tried = 0;
};

Workspace::Workspace(unsigned threads) : state_(std::make_unique<State>(std::max(threads, 1U))) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
std::uint64_t Workspace::searched() const { return state_->exact.searched(); }
std::uint64_t Workspace::tried() const { return state_->tried; }
std::vector<Workspace::Share> Workspace::shares() const { return state_->bounded.shares(); }

namespace {

Decision error(std::string reason) {
  Decision decision;
  decision.outcome = Outcome::kError;
  decision.reason = std::move(reason);
  return decision;
}

class Attempt {
 public:
  Attempt(const Cycle& cycle, const Policy& policy, std::span<const Extender> extenders,
          const AskExtender& ask, const SearchOptions& search, Depth depth, Workspace::State& state)
      : cycle_(cycle),
        index_(*cycle.index),
        policy_(policy),
        extenders_(extenders),
        ask_(ask),
        search_(search),
        full_(depth == Depth::kFull),
        state_(state),
        look_(cycle_, state.chain, state.nominated),
        story_(index_, policy, decision_.nodes) {}

  Decision decide() {
    if (!filter()) return error(std::move(error_));
    if (fits_somewhere_) return finish(Outcome::kFits);
    const Code nominated_code = code_of_nominated_node();
    if (const std::string_view reason = ineligible_reason(cycle_, nominated_code); !reason.empty()) {
      decision_.reason = reason;
      if (REPRIEVE_MUTANT("own-nomination-cleared-while-waiting", false, true)) clear_own_nomination();
      return finish(Outcome::kIneligible);
    }
    dry_run();
    if (state_.candidates.empty()) {
      if (!error_.empty()) return error(std::move(error_));
      if (unknown_) return error("the search limit was reached before any victims were found");
      if (REPRIEVE_MUTANT("guarantees-reason-not-told", guarantee_refused_, false))
        decision_.reason = "no candidate without violating a PodDisruptionBudget";
      clear_own_nomination();
      return finish(Outcome::kNoCandidate);
    }
    if (are_interested(cycle_, extenders_)) {
      auto taken = call_extenders(cycle_, extenders_, ask_, state_.candidates);
      if (!taken) return error(std::move(taken.error()));
      for (Candidate& candidate : state_.candidates) {
        criteria::fill_levels(index_, policy_.node_order, candidate.victims, candidate.key, state_.scratch);
      }
      if (full_ && *taken) story_.tell_extenders(state_.candidates);
      // Extenders that drop every candidate leave the preemptor's own nomination alone: upstream
      // then returns no result at all ("no candidate node for preemption").
      if (state_.candidates.empty()) return finish(Outcome::kNoCandidate);
    }
    nominate();
    return finish(Outcome::kNominated);
  }

 private:
  NodeDecision* story(NodeId node) { return full_ ? &story_.of(node) : nullptr; }

  // Every node as the cluster stands. False on an error.
  bool filter() {
    const PreFilterRejection rejection = state_.chain.begin(cycle_);
    if (rejection.code != Code::kSuccess) REPRIEVE_MARK("engine/filter/rejected-for-every-node");
    if (rejection.code == Code::kError) {
      error_ = rejection.reason;
      return false;
    }
    if (rejection.code == Code::kSuccess && may_bound()) {
      bounded_ = true;
      fits_somewhere_ = !state_.bounded.filter(look_, policy_.charging);
      return true;
    }
    state_.verdicts.assign(index_.nodes.size(), Verdict{});
    state_.potential_nodes.clear();
    if (full_) story_.begin();
    for (NodeId node = 0; node < index_.nodes.size(); ++node) {
      if (!index_.nodes[node].live) continue;
      Verdict& verdict = state_.verdicts[node];
      verdict = rejection.code == Code::kSuccess ? look_.at(node) : Verdict{rejection.code, rejection.plugin};
      if (verdict.code == Code::kError) {
        REPRIEVE_MARK("engine/filter/a-plugin-failed");
        error_ = state_.chain.explain(verdict).reasons.front();
        return false;
      }
      if (verdict.fits()) fits_somewhere_ = true;
      const bool helps = REPRIEVE_MUTANT("unresolvable-nodes-tried", verdict.code == Code::kUnschedulable,
                                         !verdict.fits() && rejection.code == Code::kSuccess);
      if (helps) state_.potential_nodes.push_back(node);
      if (full_) story_.tell_filter(node, verdict, rejection, look_);
    }
    return true;
  }

  Code code_of_nominated_node() {
    const NodeId nominated = nominated_node(cycle_);
    if (nominated == kNone) return Code::kUnresolvable;
    return bounded_ ? look_.at(nominated).code : state_.verdicts[nominated].code;
  }

  // Whether bounds may stand for nodes: nobody else looks at the others (neither a story nor an extender).
  bool may_bound() const {
    return !full_ && bounded::Answer::serves(policy_, state_.chain) && !are_interested(cycle_, extenders_);
  }

  // DryRunPreemption, with one worker.
  void dry_run() {
    const bool exact = policy_.victims == VictimSearch::kExact;
    state_.candidates.clear();
    state_.tried = 0;
    state_.dry_run.begin(cycle_, state_.chain, policy_);
    if (bounded_) {
      if (!state_.bounded.dry_run(state_.dry_run, state_.candidates)) {
        error_ = without_victims(index_.nodes[state_.bounded.failed()].name);
      }
      state_.tried = state_.bounded.tried();
      return;
    }
    if (exact) state_.exact.begin(cycle_, state_.chain, policy_, search_, state_.dry_run);
    // Bounds may skip a node only where nobody else looks at it: not an extender, not a sample's count.
    const bool alone = !policy_.sampling && !are_interested(cycle_, extenders_);
    if (!exact || !alone) {
      try_nodes(!full_ && alone);
    } else {
      // The story is told after the answer, so that both depths search alike: one that runs into its
      // limit would otherwise do so elsewhere.
      state_.exact.sort(state_.potential_nodes);
      try_nodes(true, false);
      if (full_) tell_exact_stories();
    }
    // A sample walks from its offset, the ranking goes by input order.
    if (REPRIEVE_MUTANT("samples-order-kept", true, false)) {
      std::ranges::sort(state_.candidates, {}, &Candidate::node);
    }
  }

  DryRunResult try_node(NodeId node, const Key<std::int64_t>* best, NodeDecision* told) {
    ++state_.tried;
    return policy_.victims == VictimSearch::kExact ? state_.exact.run(node, best, told)
                                                   : state_.dry_run.run(node, best, told);
  }

  // With `may_skip` only the candidates of the tie are kept.
  void try_nodes(bool may_skip, bool tell = true) {
    Sample sample(policy_.sampling, state_.potential_nodes.size());
    Key<std::int64_t> best;
    for (std::size_t i = 0; i < sample.steps() && !sample.full(); ++i) {
      const NodeId node = REPRIEVE_MUTANT("potential-nodes-by-place", state_.potential_nodes[sample.node(i)],
                                          static_cast<NodeId>(sample.node(i)));
      NodeDecision* told = tell ? story(node) : nullptr;
      const DryRunResult result = try_node(node, may_skip && !best.empty ? &best : nullptr, told);
      take_result(node, result, told);
      if (result != DryRunResult::kCandidate) continue;
      const Key<std::int64_t>& key = state_.dry_run.key();
      if (!sample.take(key.violations > 0)) continue;
      if (may_skip && !best.empty) {
        const int worse = compare_keys(key, best, std::span<const NodeCriterion>(policy_.node_order));
        if (worse > 0) continue;
        if (worse < 0) state_.candidates.clear();
      }
      best = key;
      state_.candidates.push_back({node, state_.dry_run.victims(), key});
    }
  }

  // The nodes that the answer did not search to the end keep what it saw there.
  void tell_exact_stories() {
    std::vector<Candidate> known = std::move(state_.candidates);
    for (const Candidate& open : state_.exact.open()) {
      if (std::ranges::find(known, open.node, &Candidate::node) == known.end()) known.push_back(open);
    }
    state_.candidates.clear();
    state_.exact.tell_stories();
    for (const NodeId node : state_.potential_nodes) {
      NodeDecision& told = *story(node);
      const auto seen = std::ranges::find(known, node, &Candidate::node);
      DryRunResult result = DryRunResult::kCandidate;
      if (seen == known.end()) {
        result = state_.exact.run(node, nullptr, &told);
      } else if (seen->victims.empty()) {
        result = DryRunResult::kUnknown;
      } else {
        state_.exact.tell(*seen, told);
      }
      take_result(node, result, &told);
      if (result != DryRunResult::kCandidate) continue;
      state_.candidates.push_back({node, state_.dry_run.victims(), state_.dry_run.key()});
    }
  }

  void take_result(NodeId node, DryRunResult result, NodeDecision* told) {
    if (told) story_.tell_dry_run(*told, result);
    if (result == DryRunResult::kError && error_.empty()) error_ = dry_run_error(node);
    if (result == DryRunResult::kGuaranteed) guarantee_refused_ = true;
    if (result == DryRunResult::kUnknown) unknown_ = true;
    if (told && result == DryRunResult::kCandidate) {
      story_.tell_candidate(*told, {node, state_.dry_run.victims(), state_.dry_run.key()});
    }
  }

  std::string dry_run_error(NodeId node) {
    if (state_.dry_run.verdict().fits()) {
      return without_victims(index_.nodes[node].name);
    }
    return state_.chain.explain(state_.dry_run.verdict()).reasons.front();
  }

  void nominate() {
    rank(state_.candidates, policy_.node_order, state_.ranking);
    if (full_) decision_.decided_by = state_.ranking.decided_by;
    decision_.nominated.reserve(bounded_ ? state_.bounded.tie().size() : state_.ranking.tie.size());
    if (!full_) decision_.nodes.reserve(std::min(state_.ranking.tie.size(), kToldOfTie));
    for (const std::size_t i : state_.ranking.tie) {
      const Candidate& candidate = state_.candidates[i];
      decision_.nominated.push_back(index_.nodes[candidate.node].name);
      if (!full_ && decision_.nodes.size() < kToldOfTie) {
        story_.tell_candidate(decision_.nodes.emplace_back(), candidate);
      }
    }
    if (bounded_) state_.bounded.name_tie(decision_.nominated);
    const Candidate& chosen = state_.candidates[state_.ranking.tie.front()];
    clear_lower_nominations(chosen);
    if (policy_.victims == VictimSearch::kExact && !state_.exact.proved()) {
      decision_.bounded = state_.exact.bounds(chosen.key);
    }
  }

  // executor.go, prepareCandidateAsync: it returns before clearing when every victim is terminating.
  void clear_lower_nominations(const Candidate& chosen) {
    if (REPRIEVE_MUTANT("nominations-never-cleared", false, true)) return;
    const bool all_terminating =
        std::ranges::all_of(chosen.victims, [&](PodId pod) { return index_.has(pod, kTerminating); });
    if (REPRIEVE_MUTANT("cleared-though-all-terminate", all_terminating, false)) {
      REPRIEVE_MARK("engine/clear/nothing-as-all-terminate");
      return;
    }
    lower_nominated(cycle_, chosen.node, state_.nominated);
    for (const PodId pod : state_.nominated) decision_.cleared.push_back(index_.pods[pod].full_name);
  }

  void clear_own_nomination() {
    const bool nominated = cycle_.record().nominated_node != kNoString;
    if (REPRIEVE_MUTANT("own-nomination-kept", nominated, false)) {
      REPRIEVE_MARK("engine/clear/own-nomination");
      decision_.cleared.push_back(cycle_.record().full_name);
    }
  }

  Decision finish(Outcome outcome) {
    decision_.outcome = outcome;
    if (REPRIEVE_MUTANT("last-node-not-told", false, full_ && !decision_.nodes.empty()))
      decision_.nodes.pop_back();
    return std::move(decision_);
  }

  Cycle cycle_;
  const Index& index_;
  const Policy& policy_;
  std::span<const Extender> extenders_;
  const AskExtender& ask_;
  const SearchOptions& search_;
  bool full_;
  Workspace::State& state_;
  Look look_;
  Decision decision_;
  Story story_;
  bool bounded_ = false;  // bounds stand for nodes
  bool fits_somewhere_ = false;
  bool unknown_ = false;            // some node was not searched far enough to know
  bool guarantee_refused_ = false;  // some node was no candidate for the budgets' sake alone
  std::string error_;
};

}  // namespace

Decision decide(const Snapshot& snapshot, std::string_view preemptor, const Policy& policy,
                std::span<const Extender> extenders, Depth depth, Workspace& workspace,
                const AskExtender& ask, const SearchOptions& search) {
  const Index& index = snapshot.index();
  if (auto field = unsupported(policy)) return error(std::move(*field));
  if (policy.release != snapshot.release()) {
    return error("policy field release: the snapshot was built for " +
                 std::string(to_string(snapshot.release())));
  }
  const PodId pod = index.find_pod(preemptor);
  if (pod == kNone) return error("preemptor " + std::string(preemptor) + " is not in the cluster");
  if (!index.pods[pod].preemptor) {
    return error("preemptor " + std::string(preemptor) + " is not pending: it runs on a node");
  }
  return Attempt({&index, pod}, policy, extenders, ask, search, depth, workspace.state()).decide();
}

Decision decide(const Case& question, Depth depth, const AskExtender& ask, const SearchOptions& search) {
  const Snapshot snapshot(question.cluster, question.policy.release);
  Workspace workspace;
  return decide(snapshot, question.preemptor, question.policy, question.extenders, depth, workspace, ask,
                search);
}

}  // namespace reprieve::engine
