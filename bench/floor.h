// The floor: what a decision that looks at every node cannot be below. Reads one cache line for each node
// and nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprieve::bench {

class Floor {
 public:
  explicit Floor(std::size_t nodes);
  /// Adds up all lines, so that no byte goes unread.
  std::int64_t read() const;

 private:
  struct alignas(64) Line {
    std::array<std::int64_t, 8> values;
  };
  std::vector<Line> lines_;
};

}  // namespace reprieve::bench
