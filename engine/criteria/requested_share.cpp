// requestedShare: the largest part of the node's allocatable, over all resources, that a pod (as
// importance: larger first) or all victims together (as level: smaller is better) request. What a pod
// requests is what it holds on the node for NodeResourcesFit; the number of pods is no resource here.
#include "reprieve/engine/criteria/criteria.h"

namespace reprieve::engine::criteria {
namespace {

Fraction<std::int64_t> largest_share(std::span<const std::int64_t> requested,
                                     std::span<const std::int64_t> allocatable) {
  Fraction<std::int64_t> largest;
  for (std::size_t i = 0; i < requested.size(); ++i) {
    if (requested[i] <= 0) continue;
    const Fraction<std::int64_t> share = allocatable[i] > 0
                                             ? Fraction<std::int64_t>{requested[i], allocatable[i]}
                                             : Fraction<std::int64_t>{1, 0};
    if (compare_fractions(share, largest) > 0) largest = share;
  }
  return largest;
}

}  // namespace

Order by_requested_share(const Index& index, PodId a, PodId b) {
  const auto share = [&](PodId pod) {
    return largest_share(index.requests_of(pod), index.allocatable_of(index.pod_node[pod]));
  };
  const int result = compare_fractions(share(a), share(b));
  return result > 0 ? Order::kBefore : (result < 0 ? Order::kAfter : Order::kTie);
}

Fraction<std::int64_t> requested_share(const Index& index, std::span<const PodId> victims, Scratch& scratch) {
  scratch.sums.assign(index.stride, 0);
  for (const PodId pod : victims) {
    const auto request = index.requests_of(pod);
    for (std::size_t i = 0; i < index.stride; ++i) scratch.sums[i] += request[i];
  }
  return largest_share(scratch.sums, index.allocatable_of(index.pod_node[victims.front()]));
}

}  // namespace reprieve::engine::criteria
