// How far `victims: exact` searches.
#pragma once

#include <cstdint>

namespace reprieve::engine {

/// A search node is one decision about one pod: evicted or spared.
inline constexpr std::uint64_t kSearchLimit = 2'000'000;

struct SearchOptions {
  /// Search nodes for one decision. Past it the decision says what was found and Decision::bounded how
  /// far that may be from the best. The same limit gives the same decision everywhere.
  std::uint64_t limit = kSearchLimit;
  /// Search without bounds, which is slow and simple: what the tests hold the other against.
  bool plain = false;
};

/// What a search may still spend.
struct Effort {
  std::uint64_t left = 0;

  /// False once nothing is left.
  bool spend() {
    if (left == 0) return false;
    --left;
    return true;
  }
};

}  // namespace reprieve::engine
