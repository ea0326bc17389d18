// Floors: what cannot be gone below, whatever the code does in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reprieve/engine/huge_pages.h"

namespace reprieve::bench {

/// Of a decision that looks at every node: one cache line for each node, and nothing else.
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

/// Of an update of one object out of `objects`: a place in a table that its name leads to, and what stands
/// there leads to a line of its record and one of its row of numbers. Objects are visited far apart.
class UpdateFloor {
 public:
  explicit UpdateFloor(std::size_t objects);
  /// Adds to the next object's row.
  void write();

 private:
  struct alignas(64) Line {
    std::array<std::int64_t, 8> values;
  };
  engine::Array<std::uint32_t> places_;  // a power of two, at most half of them taken
  engine::Array<Line> records_;
  engine::Array<Line> rows_;
  std::uint64_t next_ = 0;
};

}  // namespace reprieve::bench
