#include "reprieve/engine/exact/node_bounds.h"

#include <algorithm>
#include <limits>

#include "reprieve/engine/exact/level_walk.h"
#include "reprieve/engine/exact/problem.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

using exact::Allowance;

}  // namespace

void NodeBounds::begin(const Cycle& cycle, std::span<const NodeCriterion> levels, bool guaranteed) {
  cycle_ = cycle;
  levels_ = levels;
  guaranteed_ = guaranteed;
  columns_.clear();
  unit_.clear();
  const std::vector<std::int64_t>& request = cycle.preemptor().request;
  for (std::size_t column = 0; column < request.size(); ++column) {
    if (request[column] <= 0) continue;
    columns_.push_back(column);
    unit_.push_back(1 / static_cast<double>(request[column]));
  }
  evictable_.rows = columns_.size();
  evictable_.stride = 0;
  evictable_.need.resize(columns_.size());
  prices_.begin(columns_.size());
}

void NodeBounds::enter(NodeId node) {
  const Index& index = *cycle_.index;
  const std::vector<std::int64_t>& request = cycle_.preemptor().request;
  const auto allocatable = index.allocatable_of(node);
  const auto requested = index.requested_of(node);
  for (std::size_t r = 0; r < columns_.size(); ++r) {
    const std::size_t column = columns_[r];
    const std::int64_t free = allocatable[column] - requested[column];
    const std::int64_t need = request[column] - REPRIEVE_MUTANT("exact-prices-forget-what-is-free", free, 0);
    evictable_.need[r] = need > 0 ? static_cast<double>(need) * unit_[r] : 0;
  }
  const std::vector<PodId>& all = cycle_.node(node).pods;
  const std::int32_t priority = index.pod_priority[cycle_.pod];
  const auto begin =
      std::ranges::partition_point(all, [&](PodId pod) { return index.pod_priority[pod] >= priority; });
  pods_ = {begin, all.end()};
  evictable_.size = starts_ = 0;
  if (evictable_.stride >= pods_.size()) return;
  evictable_.stride = pods_.size();
  evictable_.weight.resize(pods_.size() * columns_.size());
  evictable_.priority.resize(pods_.size());
  evictable_.start_us.resize(pods_.size());
  evictable_.violates.resize(pods_.size());
}

void NodeBounds::read_up_to(double priority) {
  const Index& index = *cycle_.index;
  std::size_t i = evictable_.size;
  for (; i < pods_.size(); ++i) {
    const PodId pod = pods_[pods_.size() - 1 - i];
    const double of_pod = index.pod_priority[pod];
    if (of_pod > priority) break;
    evictable_.priority[i] = of_pod;
    evictable_.violates[i] = index.group_exhausted[index.pod_group[pod]];
    const std::int64_t* request = index.requests_of(pod).data();
    for (std::size_t r = 0; r < columns_.size(); ++r) {
      evictable_.weight[r * evictable_.stride + i] = static_cast<double>(request[columns_[r]]) * unit_[r];
    }
  }
  evictable_.size = i;
}

void NodeBounds::read_starts() {
  const Index& index = *cycle_.index;
  for (; starts_ < evictable_.size; ++starts_) {
    const PodId pod = pods_[pods_.size() - 1 - starts_];
    evictable_.start_us[starts_] = index.has(pod, kHasStart) ? index.pod_start[pod] : exact::kNow;
  }
}

bool NodeBounds::clearly_impossible(const Allowance& allowance, std::size_t kind) {
  if (allowance.count < 1 || allowance.extra < 0) return true;
  read_up_to(allowance.priority);
  if (allowance.start_us != Allowance::kAnyStart) read_starts();
  return prices_.proved_before(evictable_, allowance, kind);
}

bool NodeBounds::impossible(const Allowance& allowance, std::size_t kind) {
  return clearly_impossible(allowance, kind) || prices_.find(evictable_, allowance, kind);
}

bool NodeBounds::cannot_win(NodeId node, const Key<std::int64_t>& best) {
  enter(node);
  if (pods_.empty()) return false;  // no candidate; that is for the dry run to say
  struct Asked {
    NodeBounds& bounds;
    bool impossible(const Allowance& allowance, std::size_t kind) {
      return bounds.impossible(allowance, kind);
    }
    bool clearly_impossible(const Allowance& allowance, std::size_t kind) {
      return bounds.clearly_impossible(allowance, kind);
    }
  } asked{*this};
  const std::int64_t lowest = cycle_.index->pod_priority[pods_.back()];
  return exact::are_all_worse<double>(levels_, best, lowest, guaranteed_, asked);
}

// The fewest violations and the lowest priority with which the resources, taken together, can be freed,
// roughly.
NodeBounds::Ranked NodeBounds::rank(NodeId node) {
  enter(node);
  read_up_to(exact::kInfinite<double>);
  Ranked ranked;
  double need = 0;
  double violating = 0;
  double squares = 0;
  for (const double row : evictable_.need) need += row > 0 ? 1 : 0;
  for (std::size_t i = 0; i < evictable_.size && need > 0; ++i) {
    ranked.priority = evictable_.priority[i];
    double value = 0;
    for (std::size_t r = 0; r < evictable_.rows; ++r) {
      if (evictable_.need[r] > 0) value += evictable_.weight[r * evictable_.stride + i] / evictable_.need[r];
    }
    if (evictable_.violates[i] == 0) {
      need -= value;
    } else {
      violating += value;
      squares += value * value;
    }
  }
  // Of those that violate the large ones go first: of the size of that which holds a unit drawn at random.
  if (need > 0) ranked.violations = need * violating / std::max(squares, 1e-9);
  return ranked;
}

// Some of the nodes, evenly spaced; the best of these come first. After them most others are behind.
void NodeBounds::sort(std::vector<NodeId>& nodes) {
  constexpr std::size_t kRanked = 200;
  constexpr std::size_t kFirst = 8;
  ranked_.clear();
  const std::size_t step = (nodes.size() + kRanked - 1) / kRanked;
  for (std::size_t place = 0; place < nodes.size(); place += step) {
    ranked_.push_back(rank(nodes[place]));
    ranked_.back().place = place;
  }
  const std::size_t first = std::min(kFirst, ranked_.size());
  std::ranges::partial_sort(ranked_, ranked_.begin() + static_cast<std::ptrdiff_t>(first),
                            [](const Ranked& a, const Ranked& b) {
                              if (a.violations != b.violations) return a.violations < b.violations;
                              return a.priority != b.priority ? a.priority < b.priority : a.place < b.place;
                            });
  sorted_.clear();
  for (const Ranked& ranked : std::span(ranked_).first(first)) {
    sorted_.push_back(nodes[ranked.place]);
    nodes[ranked.place] = kNone;
  }
  for (const NodeId node : nodes) {
    if (node != kNone) sorted_.push_back(node);
  }
  nodes.swap(sorted_);
}

}  // namespace reprieve::engine
