// A progress line on standard error with rate and time left, for whatever takes over two seconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace reprieve::cli {

/// `add` may be called from any thread; `draw` and `clear` from one. Draws nothing unless standard
/// error is a terminal, and nothing in the first two seconds.
class Progress {
 public:
  Progress(std::string what, std::uint64_t total);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::uint64_t count) { done_.fetch_add(count, std::memory_order_relaxed); }
  std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }

  void draw();
  void clear();

 private:
  std::string what_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_{0};
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool terminal_;
  bool drawn_ = false;
};

/// The line itself: "random  [#####.....]  12,000/50,000  4,000/s  10s left".
std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t width);

/// 1234567 as "1,234,567".
std::string with_commas(std::uint64_t number);

}  // namespace reprieve::cli
