#include "reprieve/engine/team.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace reprieve::engine {
namespace {

// Some 50 microseconds: longer than what a decision does between two parts.
constexpr int kLooks = 2000;

void pause() {
#ifdef __SSE2__
  _mm_pause();
#endif
}

}  // namespace

Team::Team(unsigned size) {
  for (unsigned k = 1; k < size; ++k) others_.emplace_back([this, k] { work(k); });
}

Team::~Team() {
  stop_ = true;
  begin(nullptr, nullptr);
  for (std::thread& other : others_) other.join();
}

void Team::begin(Call call, void* what) {
  call_ = call;
  what_ = what;
  left_.store(static_cast<std::uint32_t>(others_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void Team::end() {
  // Whoever is not done may wait for this very processor.
  for (int looks = 0; left_.load(std::memory_order_acquire) != 0; ++looks) {
    if (looks < kLooks) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

void Team::work(unsigned k) {
  for (std::uint32_t seen = 0;;) {
    for (int looks = 0; looks < kLooks && round_.load(std::memory_order_acquire) == seen; ++looks) pause();
    round_.wait(seen, std::memory_order_acquire);
    ++seen;
    if (stop_) return;
    call_(what_, k);
    left_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace reprieve::engine
