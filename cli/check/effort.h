// How much a stage does of its own accord, and when it stops.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace reprieve::cli {

/// --quick: under a minute in all. Usual: a few minutes. --full: under ten minutes on two processors.
enum class Effort { kQuick, kUsual, kFull };

/// One number for each effort.
struct Amounts {
  std::uint64_t quick = 0;
  std::uint64_t usual = 0;
  std::uint64_t full = 0;

  constexpr std::uint64_t at(Effort effort) const {
    return effort == Effort::kQuick ? quick : effort == Effort::kUsual ? usual : full;
  }
};

/// When a stage begins nothing new. What has begun is finished.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

inline bool is_over(const Deadline& deadline) {
  return deadline && std::chrono::steady_clock::now() >= *deadline;
}

}  // namespace reprieve::cli
