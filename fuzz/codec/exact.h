// Numbers and amounts that no pool holds, spelled out in a record of their own: kNumber is a Field and
// eight bytes, kAmount a List, a resource, eight bytes of units and two of thousandths, all little endian.
// Internal to codec/.
#pragma once

#include <algorithm>
#include <cstdint>

#include "reprieve/fuzz/codec/record.h"

namespace reprieve::fuzz {

inline constexpr std::size_t kNumberAt = 2;
inline constexpr std::size_t kAmountAt = 3;
inline constexpr std::size_t kMilliAt = kAmountAt + 8;

inline std::uint64_t get_little_endian(const std::uint8_t* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}
inline void put_little_endian(std::uint8_t* bytes, int count, std::uint64_t value) {
  for (int i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// An amount that is not negative and small enough to be summed up.
inline Quantity get_amount(const std::uint8_t* record, bool cpu) {
  const std::int64_t most = cpu ? kMaxCores : kMaxUnits;
  const auto units = static_cast<std::int64_t>(get_little_endian(record + kAmountAt, 8) & INT64_MAX);
  const auto milli = static_cast<std::int32_t>(get_little_endian(record + kMilliAt, 2) % 1000);
  if (units < most) return {.units = units, .milli = milli};
  return {.units = most, .milli = 0};
}

}  // namespace reprieve::fuzz
