#include "reprieve/properties/compare/importance.h"

#include <algorithm>
#include <iterator>

namespace reprieve::compare {
namespace {

bool equal_by(ImportanceCriterion criterion, const Pod& a, const Pod& b) {
  switch (criterion) {
    case ImportanceCriterion::kPriority: return a.priority == b.priority;
    case ImportanceCriterion::kStartTime: return a.start_time_us == b.start_time_us;
    case ImportanceCriterion::kTerminationGracePeriod:
      return a.termination_grace_period_s.value_or(30) == b.termination_grace_period_s.value_or(30);
    case ImportanceCriterion::kRequestedShare:
      // Shares are equal for sure only when the requests are spelled alike; effective requests are
      // deliberately not computed outside engine and reference.
      return a.containers == b.containers && a.init_containers == b.init_containers &&
             a.overhead == b.overhead && a.pod_level_requests == b.pod_level_requests;
  }
  return false;
}

}  // namespace

Importance::Importance(const Case& question) : policy_(question.policy) {
  for (const Pod& pod : question.cluster.pods) pods_.emplace(full_name(pod), &pod);
}

bool Importance::tied(std::string_view left, std::string_view right) const {
  const auto a = pods_.find(left);
  const auto b = pods_.find(right);
  if (a == pods_.end() || b == pods_.end()) return false;
  return std::all_of(
      policy_.importance.begin(), policy_.importance.end(),
      [&](ImportanceCriterion criterion) { return equal_by(criterion, *a->second, *b->second); });
}

std::vector<std::string> Importance::canonical(std::vector<std::string> names) const {
  auto run = names.begin();
  while (run != names.end()) {
    const auto end =
        std::find_if(std::next(run), names.end(), [&](const std::string& name) { return !tied(*run, name); });
    std::sort(run, end);
    run = end;
  }
  return names;
}

}  // namespace reprieve::compare
