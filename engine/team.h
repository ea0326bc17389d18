// A few threads that do parts of one decision: each part takes microseconds, so they wait for the next one
// by looking again and again for a while, and sleep only when none comes.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace reprieve::engine {

class Team {
 public:
  /// The caller is one of the `size`.
  explicit Team(unsigned size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  Team(Team&&) = delete;
  Team& operator=(Team&&) = delete;

  unsigned size() const { return static_cast<unsigned>(others_.size()) + 1; }

  /// Calls `part(k)` for each k below size(), each on a thread of its own, the first on the caller's, and
  /// returns when all have. What one call wrote the next may read.
  template <class Part>
  void run(Part&& part) {
    begin([](void* what, unsigned k) { (*static_cast<std::remove_reference_t<Part>*>(what))(k); }, &part);
    part(0U);
    end();
  }

 private:
  using Call = void (*)(void*, unsigned);
  void begin(Call call, void* what);
  void end();
  void work(unsigned k);

  Call call_ = nullptr;
  void* what_ = nullptr;
  std::atomic<std::uint32_t> round_{0};  // one more when there is work
  std::atomic<std::uint32_t> left_{0};   // threads that are not done with it
  bool stop_ = false;
  std::vector<std::thread> others_;
};

}  // namespace reprieve::engine
