// How much a stage does of its own accord, and when it stops.
#pragma once

#include <algorithm>
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

/// Seconds of a whole run, however long its stages would like: less than it is known for, as what a stage has
/// begun when its time is over is finished.
inline constexpr Amounts kRun_s{.quick = 55, .usual = 350, .full = 560};

/// Of the time that is left a stage has what it would like, unless those after it could then not have half of
/// what they would like; and half of it in any case. So a slow machine shortens stages, and none to nothing.
constexpr std::chrono::milliseconds share_of_time(std::chrono::milliseconds left,
                                                  std::chrono::milliseconds own,
                                                  std::chrono::milliseconds later) {
  return std::max(std::min(own, left - later / 2), own / 2);
}

/// When a stage begins nothing new. What has begun is finished.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

inline bool is_over(const Deadline& deadline) {
  return deadline && std::chrono::steady_clock::now() >= *deadline;
}

}  // namespace reprieve::cli
