#include "reprieve/properties/laws/sampling.h"

#include <algorithm>

namespace reprieve::laws {

Walk walk(const Inquiry& inquiry) {
  std::vector<const NodeDecision*> potential;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* told = inquiry.facts.told_of(i);
    if (told == nullptr) continue;
    if (told->status == NodeStatus::kCandidate || told->status == NodeStatus::kUnschedulable) {
      potential.push_back(told);
    }
  }
  const auto nodes = static_cast<std::int64_t>(potential.size());
  std::int64_t wanted = nodes;
  std::int64_t first = 0;
  if (const auto& sampling = inquiry.question.policy.sampling; sampling && nodes > 0) {
    const std::int64_t share = nodes * sampling->min_percentage / 100;
    wanted = std::clamp<std::int64_t>(std::max<std::int64_t>(share, sampling->min_absolute), 0, nodes);
    first = (sampling->offset % nodes + nodes) % nodes;
  }
  Walk result;
  std::int64_t clean = 0;
  std::int64_t violating = 0;
  for (std::int64_t step = 0; step < nodes; ++step) {
    const NodeDecision* node = potential[static_cast<std::size_t>((first + step) % nodes)];
    if (clean > 0 && clean + violating >= wanted) {
      result.after.push_back(node);
      continue;
    }
    if (node->status != NodeStatus::kCandidate) continue;
    std::int64_t& list = node->violations > 0 ? violating : clean;
    (list < wanted ? result.kept : result.lost).push_back(node);
    if (list < wanted) ++list;
  }
  return result;
}

}  // namespace reprieve::laws
