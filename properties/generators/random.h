// The one source of randomness: splitmix64. The same seed gives the same numbers with every
// compiler and library, which std::uniform_int_distribution does not promise, so a seed in a bug
// report means the same case everywhere.
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace reprieve::generators {

/// A seed from a text, or from any bytes: the same for the same ones, everywhere. FNV-1a.
inline std::uint64_t seed_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  /// 0 .. bound-1; `bound` must be positive. Multiply and shift: the bias of at most 2^-32 x bound
  /// does not matter here, and there is no division.
  int below(int bound) {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
  }

  /// low .. high, both included.
  int between(int low, int high) { return low + below(high - low + 1); }

  bool percent(int chance) { return below(100) < chance; }
  bool coin() { return (next() >> 63) != 0; }

  template <class T, std::size_t N>
  const T& pick(const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(N)))];
  }
  /// `values` must not be empty.
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  }

  /// Fisher and Yates.
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace reprieve::generators
