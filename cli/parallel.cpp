#include "reprieve/cli/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "reprieve/cli/output/progress.h"

namespace reprieve::cli {

unsigned thread_count(unsigned requested) {
  return requested != 0 ? requested : std::max(1U, std::thread::hardware_concurrency());
}

void for_batches(std::uint64_t total, std::uint64_t batch, unsigned threads, Progress& progress,
                 const std::function<bool(unsigned, std::uint64_t, std::uint64_t)>& work) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::atomic<unsigned> running{0};
  const auto run = [&](unsigned thread) {
    // Batches are handed out in order, so those before a failing one have begun and will finish.
    while (!stop.load(std::memory_order_relaxed)) {
      const std::uint64_t begin = next.fetch_add(batch, std::memory_order_relaxed);
      if (begin >= total) break;
      const std::uint64_t end = std::min(total, begin + batch);
      if (!work(thread, begin, end)) stop.store(true, std::memory_order_relaxed);
      progress.add(end - begin);
    }
    running.fetch_sub(1);
  };

  const auto useful = static_cast<unsigned>(std::min<std::uint64_t>(threads, (total + batch - 1) / batch));
  running = useful;
  std::vector<std::jthread> workers;
  for (unsigned thread = 0; thread < useful; ++thread) workers.emplace_back(run, thread);
  for (int tick = 0; running.load() > 0; ++tick) {
    std::this_thread::sleep_for(std::chrono::milliseconds(tick < 20 ? 5 : 100));
    progress.draw();
  }
  workers.clear();  // joins
  progress.clear();
}

}  // namespace reprieve::cli
