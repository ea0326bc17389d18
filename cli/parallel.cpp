#include "reprieve/cli/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "reprieve/cli/output/progress.h"

namespace reprieve::cli {

namespace {

constexpr unsigned kThreadsToAProcessor = 8;

}  // namespace

unsigned thread_count(unsigned requested) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  // A few to each, as a thread may wait for a program outside; each more would only cost memory.
  return requested != 0 ? std::min(requested, kThreadsToAProcessor * processors) : processors;
}

void for_batches(std::uint64_t total, std::uint64_t batch, unsigned threads, Progress& progress,
                 const std::function<bool(unsigned, std::uint64_t, std::uint64_t)>& work,
                 const Deadline& deadline) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::atomic<unsigned> running{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto run = [&](unsigned thread) {
    // Batches are handed out in order, so those before a failing one have begun and will finish.
    while (!stop.load(std::memory_order_relaxed) && !is_over(deadline)) {
      const std::uint64_t begin = next.fetch_add(batch, std::memory_order_relaxed);
      if (begin >= total) break;
      const std::uint64_t end = std::min(total, begin + batch);
      try {
        if (!work(thread, begin, end)) stop.store(true, std::memory_order_relaxed);
      } catch (...) {  // no memory, say: thrown on by the caller's thread, where somebody catches it
        const std::lock_guard lock(failure_mutex);
        failure = std::current_exception();
        stop.store(true, std::memory_order_relaxed);
      }
      progress.add(end - begin);
    }
    running.fetch_sub(1);
  };

  const auto useful = static_cast<unsigned>(std::min<std::uint64_t>(threads, (total + batch - 1) / batch));
  std::vector<std::jthread> workers;
  for (unsigned thread = 0; thread < useful; ++thread) {
    running.fetch_add(1);
    try {
      workers.emplace_back(run, thread);
    } catch (const std::system_error&) {
      // No room for another one (ulimit -u, -v): those that began do the work, or this one does.
      if (workers.empty()) {
        run(0);
      } else {
        running.fetch_sub(1);
      }
      break;
    }
  }
  for (int tick = 0; running.load() > 0; ++tick) {
    std::this_thread::sleep_for(std::chrono::milliseconds(tick < 20 ? 5 : 100));
    progress.draw();
  }
  workers.clear();  // joins
  progress.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace reprieve::cli
