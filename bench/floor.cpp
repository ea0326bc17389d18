#include "reprieve/bench/floor.h"

#include <bit>
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

namespace {

std::size_t mixed(std::uint64_t name) {
  name *= 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(name ^ (name >> 32));
}

}  // namespace

UpdateFloor::UpdateFloor(std::size_t objects)
    : places_(std::bit_ceil(2 * objects)), records_(objects), rows_(objects) {
  for (std::size_t i = 0; i < objects; ++i)
    places_[mixed(i) & (places_.size() - 1)] = static_cast<std::uint32_t>(i);
}

void UpdateFloor::write() {
  constexpr std::uint64_t kFar = 7919;
  const std::uint64_t name = next_ * kFar % records_.size();
  const std::uint32_t object = places_[mixed(name) & (places_.size() - 1)];
  const auto& record = records_[object].values;
  rows_[object].values[0] += record[0] + 1;
  // Nothing is added, but the next one waits for it, as an update does for all that it does with what it
  // read.
  next_ += 1 + static_cast<std::uint64_t>(record[1]);
}

}  // namespace reprieve::bench
