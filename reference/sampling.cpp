#include "reprieve/reference/sampling.h"

#include <algorithm>
#include <cstdint>

#include "reprieve/marks/mark.h"
namespace reprieve::reference {

Shortlist::Shortlist(const std::optional<Sampling>& sampling, std::size_t potential_nodes)
    : potential_nodes_(potential_nodes), wanted_(potential_nodes) {
  if (!sampling || potential_nodes == 0) return;
  const auto nodes = static_cast<std::int64_t>(potential_nodes);
  const std::int64_t share = nodes * sampling->min_percentage / 100;
  const std::int64_t wanted =
      std::min<std::int64_t>(std::max<std::int64_t>(share, sampling->min_absolute), nodes);
  wanted_ = static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0));
  offset_ = static_cast<std::size_t>((sampling->offset % nodes + nodes) % nodes);
}

std::size_t Shortlist::at(std::size_t step) const { return (offset_ + step) % potential_nodes_; }

bool Shortlist::keeps(bool has_violations) {
  std::size_t& size = has_violations ? with_violations_ : without_violations_;
  if (size == wanted_) {
    REPRIEVE_MARK("reference/sampling/list-is-full");
    return false;
  }
  ++size;
  return true;
}

bool Shortlist::is_enough() const {
  if (without_violations_ + with_violations_ < wanted_) return false;
  if (without_violations_ == 0) {
    REPRIEVE_MARK("reference/sampling/goes-on-for-one-without-violations");
    return false;
  }
  REPRIEVE_MARK("reference/sampling/is-enough");
  return true;
}

}  // namespace reprieve::reference
