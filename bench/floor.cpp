#include "reprieve/bench/floor.h"

#include <cstring>

namespace reprieve::bench {

Floor::Floor(std::size_t nodes) : lines_(nodes) {
  for (std::size_t i = 0; i < nodes; ++i) lines_[i].values.fill(static_cast<std::int64_t>(i));
}

std::int64_t Floor::read() const {
  // Sums side by side, in the machine's vectors of two: adding must not cost more than reading.
  using Pair [[gnu::vector_size(16)]] = std::int64_t;
  Pair a{}, b{}, c{}, d{};
  for (const Line& line : lines_) {
    Pair values[4];
    std::memcpy(values, line.values.data(), sizeof values);
    a += values[0];
    b += values[1];
    c += values[2];
    d += values[3];
  }
  const Pair sum = (a + b) + (c + d);
  return sum[0] + sum[1];
}

}  // namespace reprieve::bench
