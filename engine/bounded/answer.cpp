#include "reprieve/engine/bounded/answer.h"

#include <algorithm>

#include "reprieve/engine/eligibility.h"
#include "reprieve/engine/filters/node_properties.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::bounded {
namespace {

Search::Now seen_as(Code code) {
  if (code == Code::kSuccess) return Search::Now::kFits;
  return code == Code::kUnschedulable ? Search::Now::kUnschedulable : Search::Now::kUnresolvable;
}

}  // namespace

Answer::Answer(unsigned threads) : searches_(threads), maybe_fit_(threads) {
  if (threads > 1) team_ = std::make_unique<Team>(threads);
}

std::vector<Workspace::Share> Answer::shares() const {
  std::vector<Workspace::Share> shares;
  for (std::size_t k = 0; k < sharing_; ++k) shares.push_back({searches_[k].size(), searches_[k].tried()});
  return shares;
}

bool Answer::serves(const Policy& policy, const FilterChain& chain) {
  static const Policy kUsual;
  return policy.victims == VictimSearch::kGreedy && !policy.sampling &&
         policy.violations == ViolationCount::kClassified && !policy.budgets.guaranteed &&
         policy.importance == kUsual.importance && policy.node_order == kUsual.node_order &&
         !chain.reads_volumes() && std::ranges::all_of(chain.resources().request(), [](std::int64_t amount) {
           return amount <= kMostAmount;
         });
}

bool Answer::filter(Look& look, Charging charging) {
  look_ = &look;
  const Cycle& cycle = look.cycle();
  const Index& index = *cycle.index;
  const auto columns = look.chain().resources().columns();
  const auto request = look.chain().resources().request();
  SummaryKey key{.snapshot = index.changes.id(),
                 .priority = index.pod_priority[cycle.pod],
                 .scheduler = cycle.record().scheduler,
                 .charging = charging,
                 .columns = {kNoColumn, kNoColumn}};
  // The last column, which is the rarest, and the first. Of no more than two all are looked at.
  ask_ = {};
  if (!columns.empty()) {
    key.columns[0] = static_cast<std::uint32_t>(columns.front());
    ask_.amount[0] = request.front();
  }
  if (columns.size() > 1) {
    key.columns[1] = static_cast<std::uint32_t>(columns.back());
    ask_.amount[1] = request.back();
  }
  own_ = nominated_node(cycle);
  plain_ = look.chain().only_resources() && columns.size() <= 2;
  summaries_ = &summaries_of(key);
  summaries_->refresh(cycle, key);
  for (std::size_t i = 0; i < 2; ++i) ask_.code[i] = summaries_->amount_code(i, ask_.amount[i]);
  const auto now = [&](NodeId node) { return seen_as(look.at(node).code); };
  // One more of a shape: how all nodes stand is kept from the second on.
  stands_ = false;
  if (plain_ && !summaries_->has_odd() && own_ == kNone) {
    stands_ = standing_.is_for(key, ask_, cycle.preemptor());
    if (!stands_) standing_.begin(key, ask_, cycle.preemptor());
  }
  if (!(stands_ ? standing_.update(*summaries_, ask_, index.changes, now) : scan(now))) return false;
  if (own_ == kNone) return true;
  // Its summary counts the preemptor's own nomination as another's.
  searches_.front().must_try(own_);
  return !look.at(own_).fits();
}

// Filters are asked by one thread alone, so the others note the nodes to ask about. False: some node fits.
template <class Now>
bool Answer::scan(const Now& now) {
  const std::size_t nodes = summaries_->lines().size();
  sharing_ = 1;
  // Trying a node must ask no filter that keeps anything.
  if (!are_enough_to_share(nodes) || !plain_ || summaries_->has_odd() || own_ != kNone) {
    return searches_.front().scan(*summaries_, ask_, 0, static_cast<NodeId>(nodes), now);
  }
  const std::size_t sharing = sharing_ = team_->size();
  team_->run([&](unsigned k) {
    std::vector<NodeId>& maybe_fit = maybe_fit_[k];
    maybe_fit.clear();
    searches_[k].scan(*summaries_, ask_, static_cast<NodeId>(nodes * k / sharing),
                      static_cast<NodeId>(nodes * (k + 1) / sharing), [&](NodeId node) {
                        maybe_fit.push_back(node);
                        return Search::Now::kUnschedulable;
                      });
  });
  for (std::size_t k = 0; k < sharing; ++k) {
    for (const NodeId node : maybe_fit_[k]) {
      const Search::Now seen = now(node);
      if (seen == Search::Now::kFits) return false;
      if (seen == Search::Now::kUnresolvable) searches_[k].leave_out(node);
    }
  }
  return true;
}

bool Answer::are_enough_to_share(std::size_t nodes) const {
  return team_ && nodes >= Workspace::kNodesPerThread * team_->size();
}

template <class Attempt>
void Answer::search_nodes(const Attempt& attempt) {
  const std::span<Search> searches(searches_.data(), sharing_);
  NodeBound lowest = kHopeless;
  for (const Search& each : searches) lowest = std::min(lowest, each.lowest());
  const auto each_searches = [&](auto part) {
    if (searches.size() == 1) return part(0U);
    team_->run(part);
  };
  each_searches([&](unsigned k) {
    searches[k].start();
    searches[k].try_lowest(*summaries_, ask_, plain_, lowest, attempt);
  });
  Cost best;
  for (const Search& each : searches) {
    if (compare_costs(each.best(), best) < 0) best = each.best();
  }
  each_searches([&](unsigned k) {
    searches[k].know(*summaries_, ask_, best);
    searches[k].try_others(*summaries_, ask_, plain_, lowest, attempt);
  });
  for (const Search& each : searches.subspan(1)) searches.front().join(each);
  for (const Search& each : searches) tried_ += each.tried();
  std::vector<NodeId>& tie = searches.front().tie();
  if (!std::ranges::is_sorted(tie)) std::ranges::sort(tie);
}

Summaries& Answer::summaries_of(const SummaryKey& key) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i].key() == key) {
      place = i;
      break;
    }
    if (used_[i] < used_[place]) place = i;
  }
  used_[place] = ++now_;
  return kept_[place];
}

bool Answer::dry_run(DryRun& dry_run, std::vector<Candidate>& candidates) {
  tried_ = 0;
  failed_ = kNone;
  const Index& index = *look_->cycle().index;
  const auto attempt = [&](NodeId node, const Cost& best, Cost& cost) {
    if (plain_ && node != own_ && summaries_->head(node).kind != Kind::kOdd) {
      return try_plain(*summaries_, node, ask_, best, cost) && !look_->is_left_out(node) &&
             check_node_properties(look_->cycle(), node).fits();
    }
    if (!index.nodes[node].live || look_->at(node).code != Code::kUnschedulable) return false;
    const DryRunResult result = dry_run.run(node, nullptr, nullptr);
    if (result == DryRunResult::kError) failed_ = std::min(failed_, node);
    if (result != DryRunResult::kCandidate) return false;
    cost = Cost::of(dry_run.key());
    return true;
  };
  if (stands_) {
    tried_ = standing_.choose(attempt, searches_.front().tie());
  } else {
    search_nodes(attempt);
  }
  take_tie(dry_run, candidates);
  return failed_ == kNone;
}

// Those that are told of are tried once more, for their victims.
void Answer::take_tie(DryRun& dry_run, std::vector<Candidate>& candidates) {
  const Cost& best = stands_ ? standing_.best() : searches_.front().best();
  // Two missing start times may change places where the victims are sorted again in 1.36.
  const bool unviolated = REPRIEVE_MUTANT("violating-victims-listed-as-others", best.violations == 0, true);
  const bool listed = plain_ && unviolated && look_->cycle().index->release != Release::k1_36;
  for (std::size_t i = 0; i < tie().size() && i < kToldOfTie; ++i) {
    const NodeId node = tie()[i];
    if (listed && node != own_ && summaries_->head(node).kind == Kind::kPlain) {
      Candidate& candidate = candidates.emplace_back();
      candidate.node = node;
      candidate.key = best.key();
      candidate.victims.reserve(static_cast<std::size_t>(best.victim_count));
      list_plain(*summaries_, node, ask_, candidate.victims);
      continue;
    }
    ++tried_;
    if (dry_run.run(node, nullptr, nullptr) == DryRunResult::kCandidate) {
      candidates.push_back({node, dry_run.victims(), dry_run.key()});
    }
  }
}

void Answer::name_tie(std::vector<std::string>& names) {
  const std::size_t told = names.size();
  const std::size_t rest = tie().size() - told;
  const auto& nodes = look_->cycle().index->nodes;
  names.resize(tie().size());
  const auto name = [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t kAhead = 8;
    for (std::size_t i = begin; i < end; ++i) {
      if (i + kAhead < end) __builtin_prefetch(&nodes[tie()[i + kAhead]].name);
      names[i] = nodes[tie()[i]].name;
    }
  };
  if (!are_enough_to_share(rest)) return name(told, tie().size());
  const std::size_t sharing = team_->size();
  team_->run([&](unsigned k) { name(told + rest * k / sharing, told + rest * (k + 1) / sharing); });
}

}  // namespace reprieve::engine::bounded
