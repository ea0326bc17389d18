// The flow of one decision: filter, eligibility, dry run, extenders, ranking.
// Source: pkg/scheduler/schedule_one.go (findNodesThatFitPod), framework/preemption/preemption.go
// (evaluate, Preempt).
#include "reprieve/engine/decide.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "reprieve/engine/bounded/search.h"
#include "reprieve/engine/bounded/standing.h"
#include "reprieve/engine/bounded/summaries.h"
#include "reprieve/engine/eligibility.h"
#include "reprieve/engine/exact/exact.h"
#include "reprieve/engine/extenders.h"
#include "reprieve/engine/filters/chain.h"
#include "reprieve/engine/nominated.h"
#include "reprieve/engine/rank.h"
#include "reprieve/engine/sampling.h"
#include "reprieve/engine/supported.h"
#include "reprieve/engine/team.h"
#include "reprieve/engine/victims.h"
#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

struct Workspace::State {
  FilterChain chain;
  DryRun dry_run;
  ExactSearch exact;
  std::vector<Verdict> verdicts;  // of the filter phase, by node
  std::vector<NodeId> potential_nodes;
  std::vector<PodId> nominated;
  std::vector<Candidate> candidates;
  Ranking ranking;
  criteria::Scratch scratch;
  // Of the answer that looks at bounds first: what is kept of the last few kinds of preemptors.
  std::array<bounded::Summaries, 4> summaries;
  std::array<std::uint64_t, 4> used{};  // when each was; 0: never
  std::uint64_t now = 0;
  // Of the threads that share a decision, each its own; the first has the answer in the end.
  std::vector<bounded::Search> searches;
  std::vector<std::vector<NodeId>> maybe_fit;  // by search
  std::size_t sharing = 1;                     // searches in use
  std::unique_ptr<Team> team;                  // absent: one thread
  bounded::Standing standing;
  std::uint64_t tried = 0;
};

Workspace::Workspace(unsigned threads) : state_(std::make_unique<State>()) {
  const unsigned size = std::max(threads, 1U);
  state_->searches.resize(size);
  state_->maybe_fit.resize(size);
  if (size > 1) state_->team = std::make_unique<Team>(size);
}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
std::uint64_t Workspace::searched() const { return state_->exact.searched(); }
std::uint64_t Workspace::tried() const { return state_->tried; }
std::vector<Workspace::Share> Workspace::shares() const {
  std::vector<Share> shares;
  for (std::size_t k = 0; k < state_->sharing; ++k) {
    shares.push_back({state_->searches[k].size(), state_->searches[k].tried()});
  }
  return shares;
}

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
        state_(state) {}

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
      if (full_ && *taken) tell_extenders();
      // Extenders that drop every candidate leave the preemptor's own nomination alone: upstream
      // then returns no result at all ("no candidate node for preemption").
      if (state_.candidates.empty()) return finish(Outcome::kNoCandidate);
    }
    nominate();
    return finish(Outcome::kNominated);
  }

 private:
  NodeDecision* story(NodeId node) { return full_ ? &decision_.nodes[story_of_[node]] : nullptr; }

  void enter(NodeId node) {
    counted_nominated(cycle_, node, state_.nominated);
    state_.chain.enter(node, state_.nominated);
  }

  // Every node as the cluster stands. False on an error.
  bool filter() {
    const PreFilterRejection rejection = state_.chain.begin(cycle_);
    if (rejection.code != Code::kSuccess) REPRIEVE_MARK("engine/filter/rejected-for-every-node");
    if (rejection.code == Code::kError) {
      error_ = rejection.reason;
      return false;
    }
    if (rejection.code == Code::kSuccess && may_bound()) return filter_bounded();
    state_.verdicts.assign(index_.nodes.size(), Verdict{});
    state_.potential_nodes.clear();
    if (full_) prepare_stories();
    for (NodeId node = 0; node < index_.nodes.size(); ++node) {
      if (!index_.nodes[node].live) continue;
      Verdict& verdict = state_.verdicts[node];
      if (rejection.code != Code::kSuccess) {
        verdict = {rejection.code, rejection.plugin};
      } else if (is_left_out(node)) {
        REPRIEVE_MARK("engine/filter/node-is-excluded");
        verdict = {Code::kUnresolvable, Plugin::kNodeAffinity};
      } else {
        enter(node);
        verdict = state_.chain.check();
      }
      if (verdict.code == Code::kError) {
        REPRIEVE_MARK("engine/filter/a-plugin-failed");
        error_ = state_.chain.explain(verdict).reasons.front();
        return false;
      }
      if (verdict.fits()) fits_somewhere_ = true;
      const bool helps = REPRIEVE_MUTANT("unresolvable-nodes-tried", verdict.code == Code::kUnschedulable,
                                         !verdict.fits() && rejection.code == Code::kSuccess);
      if (helps) state_.potential_nodes.push_back(node);
      if (full_) tell_filter(node, verdict, rejection);
    }
    return true;
  }

  Code code_of_nominated_node() {
    const NodeId nominated = nominated_node(cycle_);
    if (nominated == kNone) return Code::kUnresolvable;
    return summaries_ ? look_at(nominated) : state_.verdicts[nominated].code;
  }

  // Whether bounds may stand for nodes: where all the levels are upstream's, nobody else looks at the
  // other nodes (neither a story, nor an extender, nor a sample's count), and no filter may fail with an
  // error, which would be told even of a node that is behind.
  bool may_bound() const {
    static const Policy kUsual;
    return !full_ && policy_.victims == VictimSearch::kGreedy && !policy_.sampling &&
           policy_.violations == ViolationCount::kClassified && !policy_.budgets.guaranteed &&
           policy_.importance == kUsual.importance && policy_.node_order == kUsual.node_order &&
           !state_.chain.reads_volumes() && !are_interested(cycle_, extenders_) &&
           std::ranges::all_of(state_.chain.resources().request(),
                               [](std::int64_t amount) { return amount <= bounded::kMostAmount; });
  }

  // The node as the cluster stands.
  Code look_at(NodeId node) {
    if (is_left_out(node)) return Code::kUnresolvable;
    enter(node);
    return state_.chain.check().code;
  }

  bool filter_bounded() {
    const auto columns = state_.chain.resources().columns();
    const auto request = state_.chain.resources().request();
    bounded::SummaryKey key{.snapshot = index_.changes.id(),
                            .priority = index_.pod_priority[cycle_.pod],
                            .scheduler = cycle_.record().scheduler,
                            .charging = policy_.charging,
                            .columns = {bounded::kNoColumn, bounded::kNoColumn}};
    // The last column, which is the rarest, and the first. Of no more than two all are looked at.
    room_asked_ = {};
    if (!columns.empty()) {
      key.columns[0] = static_cast<std::uint32_t>(columns.front());
      room_asked_.amount[0] = request.front();
    }
    if (columns.size() > 1) {
      key.columns[1] = static_cast<std::uint32_t>(columns.back());
      room_asked_.amount[1] = request.back();
    }
    plain_ = state_.chain.only_resources() && columns.size() <= 2;
    summaries_ = &summaries_of(key);
    summaries_->refresh(cycle_, key);
    for (std::size_t i = 0; i < 2; ++i)
      room_asked_.code[i] = summaries_->amount_code(i, room_asked_.amount[i]);
    const auto now = [&](NodeId node) {
      const Code code = look_at(node);
      if (code == Code::kSuccess) return bounded::Search::Now::kFits;
      return code == Code::kUnschedulable ? bounded::Search::Now::kUnschedulable
                                          : bounded::Search::Now::kUnresolvable;
    };
    // One more of a shape: how all nodes stand is kept from the second on.
    if (plain_ && !summaries_->has_odd() && nominated_node(cycle_) == kNone) {
      standing_ = state_.standing.is_for(key, room_asked_, cycle_.preemptor());
      if (!standing_) state_.standing.begin(key, room_asked_, cycle_.preemptor());
    }
    const bool none_fits =
        standing_ ? state_.standing.update(*summaries_, room_asked_, index_.changes, now) : scan(now);
    fits_somewhere_ = !none_fits;
    // Its summary counts the preemptor's own nomination as another's.
    if (const NodeId own = nominated_node(cycle_); own != kNone && none_fits) {
      if (look_at(own) == Code::kSuccess) fits_somewhere_ = true;
      search().must_try(own);
    }
    return true;
  }

  // Filters are asked by one thread alone, so the others note the nodes to ask about. False: some node fits.
  template <class Now>
  bool scan(const Now& now) {
    const std::size_t nodes = summaries_->lines().size();
    state_.sharing = 1;
    if (!may_share(nodes)) {
      return search().scan(*summaries_, room_asked_, 0, static_cast<NodeId>(nodes), now);
    }
    const std::size_t sharing = state_.sharing = state_.team->size();
    state_.team->run([&](unsigned k) {
      std::vector<NodeId>& maybe_fit = state_.maybe_fit[k];
      maybe_fit.clear();
      state_.searches[k].scan(*summaries_, room_asked_, static_cast<NodeId>(nodes * k / sharing),
                              static_cast<NodeId>(nodes * (k + 1) / sharing), [&](NodeId node) {
                                maybe_fit.push_back(node);
                                return bounded::Search::Now::kUnschedulable;
                              });
    });
    for (std::size_t k = 0; k < sharing; ++k) {
      for (const NodeId node : state_.maybe_fit[k]) {
        const bounded::Search::Now seen = now(node);
        if (seen == bounded::Search::Now::kFits) return false;
        if (seen == bounded::Search::Now::kUnresolvable) state_.searches[k].leave_out(node);
      }
    }
    return true;
  }

  // Whether trying a node asks no filter that keeps anything, and there are nodes enough.
  bool may_share(std::size_t nodes) const {
    return state_.team && plain_ && !summaries_->has_odd() && nominated_node(cycle_) == kNone &&
           nodes >= Workspace::kNodesPerThread * state_.team->size();
  }

  bounded::Search& search() { return state_.searches.front(); }

  template <class Attempt>
  void search_nodes(const Attempt& attempt) {
    const std::span<bounded::Search> searches(state_.searches.data(), state_.sharing);
    bounded::NodeBound lowest = bounded::kHopeless;
    for (const bounded::Search& each : searches) lowest = std::min(lowest, each.lowest());
    const auto each_searches = [&](auto part) {
      if (searches.size() == 1) return part(0U);
      state_.team->run(part);
    };
    each_searches([&](unsigned k) {
      searches[k].start();
      searches[k].try_lowest(*summaries_, room_asked_, plain_, lowest, attempt);
    });
    bounded::Cost best;
    for (const bounded::Search& each : searches) {
      if (compare_costs(each.best(), best) < 0) best = each.best();
    }
    each_searches([&](unsigned k) {
      searches[k].know(*summaries_, room_asked_, best);
      searches[k].try_others(*summaries_, room_asked_, plain_, lowest, attempt);
    });
    for (const bounded::Search& each : searches.subspan(1)) search().join(each);
    for (const bounded::Search& each : searches) state_.tried += each.tried();
    std::ranges::sort(search().tie());
  }

  bounded::Summaries& summaries_of(const bounded::SummaryKey& key) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < state_.summaries.size(); ++i) {
      if (state_.summaries[i].key() == key) {
        place = i;
        break;
      }
      if (state_.used[i] < state_.used[place]) place = i;
    }
    state_.used[place] = ++state_.now;
    return state_.summaries[place];
  }

  // DryRunPreemption, without the nodes that are behind. Those of the tie that are told of are tried once
  // more, for their victims.
  void dry_run_bounded() {
    const NodeId own = nominated_node(cycle_);
    NodeId first_error = kNone;
    const auto attempt = [&](NodeId node, const bounded::Cost& best, bounded::Cost& cost) {
      if (plain_ && node != own && summaries_->head(node).kind != bounded::Kind::kOdd) {
        return bounded::try_plain(*summaries_, node, room_asked_, best, cost) && !is_left_out(node) &&
               check_node_properties(cycle_, node).fits();
      }
      if (!index_.nodes[node].live || look_at(node) != Code::kUnschedulable) return false;
      const DryRunResult result = state_.dry_run.run(node, nullptr, nullptr);
      if (result == DryRunResult::kError && node < first_error) {
        first_error = node;
        error_ = dry_run_error(node);
      }
      if (result != DryRunResult::kCandidate) return false;
      cost = bounded::Cost::of(state_.dry_run.key());
      return true;
    };
    std::vector<NodeId>& tie = search().tie();
    if (standing_) {
      state_.tried += state_.standing.choose(attempt, tie);
    } else {
      search_nodes(attempt);
    }
    const bounded::Cost& best = standing_ ? state_.standing.best() : search().best();
    // Two missing start times may change places where the victims are sorted again in 1.36.
    const bool listed = plain_ && best.violations == 0 && index_.release != Release::k1_36;
    for (std::size_t i = 0; i < tie.size() && i < kToldOfTie; ++i) {
      if (listed && tie[i] != own && summaries_->head(tie[i]).kind == bounded::Kind::kPlain) {
        Candidate& candidate = state_.candidates.emplace_back();
        candidate.node = tie[i];
        candidate.key = best.key();
        candidate.victims.reserve(static_cast<std::size_t>(best.victim_count));
        bounded::list_plain(*summaries_, tie[i], room_asked_, candidate.victims);
      } else if (try_node(tie[i], nullptr, nullptr) == DryRunResult::kCandidate) {
        state_.candidates.push_back({tie[i], state_.dry_run.victims(), state_.dry_run.key()});
      }
    }
  }

  // A pre-filter left the node out. The node that the preemptor is nominated to is filtered all the
  // same, before the others (evaluateNominatedNode).
  bool is_left_out(NodeId node) const {
    if (!state_.chain.excludes(node)) return false;
    if (index_.nodes[node].name_id != cycle_.record().nominated_node) return true;
    REPRIEVE_MARK("engine/filter/nominated-node-though-excluded");
    return false;
  }

  void prepare_stories() {
    story_of_.assign(index_.nodes.size(), 0);
    decision_.nodes.reserve(index_.live_nodes);
    for (NodeId node = 0; node < index_.nodes.size(); ++node) {
      if (!index_.nodes[node].live) continue;
      story_of_[node] = decision_.nodes.size();
      decision_.nodes.emplace_back().node = index_.nodes[node].name;
    }
  }

  void tell_filter(NodeId node, const Verdict& verdict, const PreFilterRejection& rejection) {
    NodeDecision& told = *story(node);
    if (verdict.fits()) return;
    told.status =
        verdict.code == Code::kUnschedulable ? NodeStatus::kUnschedulable : NodeStatus::kUnresolvable;
    FilterFailure failure;
    if (rejection.code != Code::kSuccess) {
      failure.plugin = to_string(rejection.plugin);
      failure.reasons.push_back(rejection.reason);
    } else if (is_left_out(node)) {
      failure.plugin = to_string(verdict.plugin);
      failure.reasons.emplace_back(FilterChain::excluded_reason());
    } else {
      failure = state_.chain.explain(verdict);
    }
    told.reasons = failure.reasons;
    told.filter_failure = std::move(failure);
  }

  // DryRunPreemption, with one worker.
  void dry_run() {
    const bool exact = policy_.victims == VictimSearch::kExact;
    state_.candidates.clear();
    state_.tried = 0;
    state_.dry_run.begin(cycle_, state_.chain, policy_);
    if (summaries_) return dry_run_bounded();
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
    if (told) tell_dry_run(*told, result);
    if (result == DryRunResult::kError && error_.empty()) error_ = dry_run_error(node);
    if (result == DryRunResult::kGuaranteed) guarantee_refused_ = true;
    if (result == DryRunResult::kUnknown) unknown_ = true;
    if (told && result == DryRunResult::kCandidate) {
      tell_candidate(*told, {node, state_.dry_run.victims(), state_.dry_run.key()});
    }
  }

  std::string dry_run_error(NodeId node) {
    if (state_.dry_run.verdict().fits()) {
      return "expected at least one victim pod on node \"" + index_.nodes[node].name + "\"";
    }
    return state_.chain.explain(state_.dry_run.verdict()).reasons.front();
  }

  void tell_dry_run(NodeDecision& told, DryRunResult result) {
    told.tried = true;
    switch (result) {
      case DryRunResult::kNoVictims: told.reasons = {"No preemption victims found for incoming pod"}; break;
      case DryRunResult::kDoesNotFit:
        if (REPRIEVE_MUTANT("reasons-of-the-first-filter", true, false)) {
          told.reasons = told.emptied_failure->reasons;
        }
        if (REPRIEVE_MUTANT("refusals-without-reasons", false, true)) told.reasons.clear();
        break;
      case DryRunResult::kGuaranteed: told.reasons = {"evicting would violate a PodDisruptionBudget"}; break;
      case DryRunResult::kError:
        told.reasons = {told.emptied_failure
                            ? told.emptied_failure->reasons.front()
                            : "expected at least one victim pod on node \"" + told.node + "\""};
        break;
      case DryRunResult::kUnknown:
        told.reasons = {"the search limit was reached before victims were found"};
        break;
      case DryRunResult::kCandidate:
      case DryRunResult::kBeaten: break;
    }
  }

  void tell_candidate(NodeDecision& told, const Candidate& candidate) {
    told.node = index_.nodes[candidate.node].name;
    told.status =
        REPRIEVE_MUTANT("candidates-told-as-refused", NodeStatus::kCandidate, NodeStatus::kUnschedulable);
    told.reasons.clear();
    told.victims.clear();
    told.victims.reserve(candidate.victims.size());
    for (const PodId pod : candidate.victims) __builtin_prefetch(&index_.pods[pod]);
    for (const PodId pod : candidate.victims) __builtin_prefetch(index_.pods[pod].full_name.data());
    for (const PodId pod : candidate.victims) {
      const std::size_t named = REPRIEVE_MUTANT("victims-named-one-off", pod, (pod + 1) % index_.pods.size());
      told.victims.push_back(index_.pods[named].full_name);
    }
    if (REPRIEVE_MUTANT("first-victim-told-twice", false, !told.victims.empty())) {
      told.victims.push_back(told.victims.front());
    }
    told.violations = candidate.key.violations;
    CandidateKey key;
    key.violations = candidate.key.violations;
    key.highest_priority = static_cast<std::int32_t>(candidate.key.highest_priority);
    key.priority_sum = candidate.key.priority_sum;
    key.victim_count = candidate.key.victim_count;
    if (candidate.key.earliest_start.given) key.earliest_start_us = candidate.key.earliest_start.time;
    criteria::tell_levels(policy_.node_order, candidate.key, key);
    told.key = key;
  }

  // A candidate that an extender dropped keeps the story of its dry run, but is no candidate.
  void tell_extenders() {
    for (NodeDecision& told : decision_.nodes) {
      if (told.status != NodeStatus::kCandidate) continue;
      told.status = NodeStatus::kUnschedulable;
      told.victims.clear();
      told.violations = 0;
      told.key.reset();
    }
    for (const Candidate& candidate : state_.candidates) tell_candidate(*story(candidate.node), candidate);
  }

  void nominate() {
    rank(state_.candidates, policy_.node_order, state_.ranking);
    if (full_) decision_.decided_by = state_.ranking.decided_by;
    decision_.nominated.reserve(state_.ranking.tie.size());
    if (!full_) decision_.nodes.reserve(std::min(state_.ranking.tie.size(), kToldOfTie));
    for (const std::size_t i : state_.ranking.tie) {
      const Candidate& candidate = state_.candidates[i];
      decision_.nominated.push_back(index_.nodes[candidate.node].name);
      if (!full_ && decision_.nodes.size() < kToldOfTie) {
        tell_candidate(decision_.nodes.emplace_back(), candidate);
      }
    }
    if (const std::vector<NodeId>& tie = search().tie(); summaries_ && tie.size() > kToldOfTie) {
      decision_.nominated.reserve(tie.size());
      for (std::size_t i = kToldOfTie; i < tie.size(); ++i) {
        decision_.nominated.push_back(index_.nodes[tie[i]].name);
      }
    }
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
  bool fits_somewhere_ = false;
  bool unknown_ = false;            // some node was not searched far enough to know
  bool guarantee_refused_ = false;  // some node was no candidate for the budgets' sake alone
  std::string error_;
  bounded::Summaries* summaries_ = nullptr;  // bounds stand for nodes
  bounded::Ask room_asked_;
  bool plain_ = false;                 // resources alone decide
  bool standing_ = false;              // what is kept of the last decision stands for nodes
  std::vector<std::size_t> story_of_;  // by node: its place in decision_.nodes
  Decision decision_;
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
