#include "reprieve/engine/exact/node_bounds.h"

#include <algorithm>
#include <functional>

namespace reprieve::engine {

void NodeBounds::begin(const Cycle& cycle, std::span<const NodeCriterion> levels) {
  cycle_ = cycle;
  levels_ = levels;
  columns_.clear();
  request_.clear();
  const std::vector<std::int64_t>& request = cycle.preemptor().request;
  for (std::size_t column = 0; column < request.size(); ++column) {
    if (request[column] <= 0) continue;
    columns_.push_back(column);
    request_.push_back(request[column]);
  }
  need_.resize(columns_.size());
  left_.resize(columns_.size());
}

// Whether the pods free what is needed, counted up from the least important; `first` is the most
// important one of those that must be counted.
bool NodeBounds::covers(std::span<const PodId> pods, bool without_violation, std::size_t& first) {
  const Index& index = *cycle_.index;
  left_.assign(need_.begin(), need_.end());
  for (first = pods.size(); first-- > 0;) {
    const PodId pod = pods[first];
    if (without_violation && index.group_exhausted[index.pod_group[pod]] != 0) continue;
    const auto request = index.requests_of(pod);
    bool enough = true;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      left_[c] -= request[columns_[c]];
      enough = enough && left_[c] <= 0;
    }
    if (enough) return true;
  }
  first = 0;
  return false;
}

// How many of the pods it takes at least, looking at each resource by itself; not beyond `enough`.
std::int64_t NodeBounds::least_count(std::span<const PodId> pods, bool without_violation,
                                     std::int64_t enough) {
  const Index& index = *cycle_.index;
  std::int64_t least = 1;
  for (std::size_t c = 0; c < columns_.size() && least < enough; ++c) {
    if (need_[c] <= 0) continue;
    largest_.clear();
    for (const PodId pod : pods) {
      if (without_violation && index.group_exhausted[index.pod_group[pod]] != 0) continue;
      largest_.push_back(index.requests_of(pod)[columns_[c]]);
    }
    const std::size_t count = std::min<std::size_t>(largest_.size(), static_cast<std::size_t>(enough));
    std::ranges::partial_sort(largest_, largest_.begin() + static_cast<std::ptrdiff_t>(count),
                              std::greater<>());
    std::int64_t freed = 0;
    std::int64_t taken = 0;
    while (taken < static_cast<std::int64_t>(count) && freed < need_[c]) {
      freed += largest_[static_cast<std::size_t>(taken++)];
    }
    least = std::max(least, freed < need_[c] ? enough : taken);
  }
  return least;
}

bool NodeBounds::cannot_win(NodeId node, const Key<std::int64_t>& best) {
  const Index& index = *cycle_.index;
  const auto allocatable = index.allocatable_of(node);
  const auto requested = index.requested_of(node);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    need_[c] = request_[c] - (allocatable[columns_[c]] - requested[columns_[c]]);
  }
  const std::vector<PodId>& all = cycle_.node(node).pods;
  const std::int32_t priority = index.pod_priority[cycle_.pod];
  const auto begin =
      std::ranges::partition_point(all, [&](PodId pod) { return index.pod_priority[pod] >= priority; });
  const std::span<const PodId> pods(begin, all.end());
  if (pods.empty()) return false;  // no candidate; that is for the dry run to say

  const bool violations_first = !levels_.empty() && levels_.front() == NodeCriterion::kPdbViolations;
  const bool without_violation = violations_first && best.violations == 0;
  Key<std::int64_t> bound;
  std::size_t first = 0;
  if (!covers(pods, without_violation, first)) {
    // Only with a violation; or not at all, which the dry run says.
    bound.add(index.pod_priority[pods.back()], {}, without_violation ? 1 : 0);
    return is_beaten(bound, best, levels_);
  }
  bound.add(index.pod_priority[pods[first]], {}, 0);
  if (is_beaten(bound, best, levels_)) return true;
  // As good in the first levels: with how many of the pods up to the highest priority of `best`?
  const bool ties = bound.highest_priority == best.highest_priority && levels_.size() >= 3 &&
                    violations_first && best.violations == 0 && levels_[1] == NodeCriterion::kHighestPriority;
  if (!ties) return false;
  std::size_t from = first;
  while (from > 0 && index.pod_priority[pods[from - 1]] <= best.highest_priority) --from;
  const std::int64_t count = least_count(pods.subspan(from), without_violation, best.victim_count + 1);
  const std::int64_t least = index.pod_priority[pods.back()];
  bound.victim_count = count;
  bound.priority_sum =
      best.highest_priority + (std::int64_t{1} << 31) + (count - 1) * (least + (std::int64_t{1} << 31));
  return is_beaten(bound, best, levels_);
}

}  // namespace reprieve::engine
