#include "reprieve/reference/criteria/share.h"

#include <numeric>

namespace reprieve::reference {

bool is_smaller(const Share& a, const Share& b) {
  __extension__ using Wide = __int128;
  return Wide{a.requested} * b.allocatable < Wide{b.requested} * a.allocatable;
}

Share share_of(const Amounts& requested, const NodeInfo& node) {
  Share largest;
  for (const auto& [resource, amount] : requested) {
    if (amount <= 0) continue;
    const auto allocatable = node.allocatable.find(resource);
    if (allocatable == node.allocatable.end() || allocatable->second <= 0) {
      return {.requested = 1, .allocatable = 0};
    }
    const std::int64_t divisor = std::gcd(amount, allocatable->second);
    const Share share{.requested = amount / divisor, .allocatable = allocatable->second / divisor};
    if (is_smaller(largest, share)) largest = share;
  }
  return largest;
}

}  // namespace reprieve::reference
