#include "reprieve/properties/laws/importance.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <utility>

#include "reprieve/reference/requests.h"

namespace reprieve::laws {
namespace {

__extension__ using Wide = __int128;

int sign(std::strong_ordering order) { return order < 0 ? -1 : (order > 0 ? 1 : 0); }

int compare_by(ImportanceCriterion criterion, const Listed& a, const Listed& b) {
  switch (criterion) {
    case ImportanceCriterion::kPriority: return sign(b.pod->priority <=> a.pod->priority);
    case ImportanceCriterion::kStartTime: {
      const auto& start_a = a.pod->start_time_us;
      const auto& start_b = b.pod->start_time_us;
      if (start_a && start_b) return sign(*start_a <=> *start_b);
      return start_a ? -1 : (start_b ? 1 : 0);  // missing is "now"
    }
    case ImportanceCriterion::kRequestedShare: return compare_shares(b.share, a.share);
    case ImportanceCriterion::kTerminationGracePeriod:
      return sign(b.pod->termination_grace_period_s.value_or(30) <=>
                  a.pod->termination_grace_period_s.value_or(30));
  }
  std::unreachable();
}

// What the sort asks. Between two pods without start time 1.36 reads the clock for `a` first, so `a`
// comes out earlier whichever it is; 1.37 has read it once for each, in the order of the list.
bool more_important(const Policy& policy, const Listed& a, const Listed& b) {
  for (const ImportanceCriterion criterion : policy.importance) {
    if (const int order = compare_by(criterion, a, b); order != 0) return order < 0;
    if (criterion == ImportanceCriterion::kStartTime && !a.pod->start_time_us) {
      return policy.release == Release::k1_36 || a.place < b.place;
    }
  }
  return false;
}

}  // namespace

Share share_of(std::span<const Pod* const> pods, const Node& node, Release release) {
  reference::Amounts held;
  for (const Pod* pod : pods) {
    for (const auto& [name, amount] : reference::held_by(*pod, release)) held[name] += amount;
  }
  const reference::Amounts allocatable = reference::rounded(node.allocatable);
  Share largest;
  for (const auto& [name, amount] : held) {
    if (amount <= 0) continue;
    const auto there = allocatable.find(name);
    Share share{.requested = amount, .allocatable = there == allocatable.end() ? 0 : there->second};
    const std::int64_t divisor = std::gcd(share.requested, share.allocatable);
    share = {.requested = share.requested / divisor, .allocatable = share.allocatable / divisor};
    if (compare_shares(share, largest) > 0) largest = share;
  }
  return largest;
}

int compare_shares(const Share& a, const Share& b) {
  // Two that are more than any number are equal: 1/0 against 2/0 gives 0 on both sides.
  const Wide left = Wide{a.requested} * b.allocatable;
  const Wide right = Wide{b.requested} * a.allocatable;
  return left < right ? -1 : (left > right ? 1 : 0);
}

std::vector<Listed> listed(const Policy& policy, const Node& node, std::span<const Pod* const> pods) {
  const bool needs_share =
      std::ranges::find(policy.importance, ImportanceCriterion::kRequestedShare) != policy.importance.end();
  std::vector<Listed> result;
  result.reserve(pods.size());
  for (const Pod* pod : pods) {
    Listed& entry = result.emplace_back(Listed{.pod = pod, .place = result.size(), .share = {}});
    if (needs_share) entry.share = share_of({&pod, 1}, node, policy.release);
  }
  return result;
}

int compare_importance(const Policy& policy, const Listed& a, const Listed& b) {
  for (const ImportanceCriterion criterion : policy.importance) {
    if (const int order = compare_by(criterion, a, b); order != 0) return order;
    // Two missing start times are never equal to the sort, so no later criterion is asked.
    if (criterion == ImportanceCriterion::kStartTime && !a.pod->start_time_us) return 0;
  }
  return 0;
}

void sort_by_importance(const Policy& policy, std::vector<Listed>& pods) {
  for (std::size_t i = 1; i < pods.size(); ++i) {
    for (std::size_t j = i; j > 0 && more_important(policy, pods[j], pods[j - 1]); --j) {
      std::swap(pods[j], pods[j - 1]);
    }
  }
}

}  // namespace reprieve::laws
