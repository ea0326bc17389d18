// Coverage marks: a branch that carries a rule says its name when it is taken, and whoever runs cases
// can ask which rules were reached, and how often. A rule that no case reaches is not tested.
//
//   if (policy == kNever) {
//     REPRIEVE_MARK("engine/eligible/never-preempts");
//
// The name is SIDE/STEP/RULE; the reference has the same STEP/RULE where it follows the same rule. Every
// mark of the program registers itself before main, so that one never taken is known as well. Taking one
// adds to a counter of the thread's own, a nanosecond; so a mark stands where something rare is decided,
// not in the loop over all nodes. Builds that ship have them: reports of `check` show what was reached.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace reprieve::marks {

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

/// How often each mark of this program was taken, by all threads, dead ones too; 0 for the others.
Counts counts();

/// What `after` has more than `before`; every mark of `after` is in it.
Counts difference(const Counts& before, const Counts& after);

// What the macro is made of.

inline constexpr std::size_t kMostMarks = 512;

/// The counters of one thread. It alone writes them; others read.
struct Block {
  std::array<std::atomic<std::uint64_t>, kMostMarks> taken{};
};
inline constinit thread_local Block* block = nullptr;
Block* make_block();

/// The place of a mark in every block; 0 before it is registered, and for marks beyond the most.
class Mark {
 public:
  explicit Mark(const char* name);

  void take() const {
    Block* mine = block;
    if (mine == nullptr) [[unlikely]]
      mine = make_block();
    std::atomic<std::uint64_t>& taken = mine->taken[place_];
    taken.store(taken.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  std::uint32_t place_ = 0;
};

template <std::size_t kSize>
struct Name {
  // NOLINTNEXTLINE(google-explicit-constructor): a string literal is to become one
  consteval Name(const char (&literal)[kSize]) {
    for (std::size_t i = 0; i < kSize; ++i) text[i] = literal[i];
  }
  char text[kSize]{};
};

/// One for each name, wherever and however often it stands.
template <Name kName>
inline const Mark mark{kName.text};

}  // namespace reprieve::marks

#define REPRIEVE_MARK(name) (::reprieve::marks::mark<name>.take())
