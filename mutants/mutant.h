// A small wrong change that is compiled in behind a switch, to prove that the tests notice it:
//
//   if (left < REPRIEVE_MUTANT("budget-below-one", Int(0), Int(1))) violating = true;
//
// Without REPRIEVE_MUTANTS (every build that ships) the macro is its second argument and nothing
// else. With it, the third argument is used while the mutant of that name is active: one build
// serves all mutants, and at most one is active at a time.
#pragma once

#ifdef REPRIEVE_MUTANTS

#include <atomic>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace reprieve::mutants {

/// FNV-1a, so that the comparison at a mutated place is one of two numbers.
constexpr std::uint64_t id_of(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

inline std::atomic<std::uint64_t> active_mutant{0};

/// Makes the mutant of that name the active one; an empty name: none.
inline void activate(std::string_view name) {
  active_mutant.store(name.empty() ? 0 : id_of(name), std::memory_order_relaxed);
}

/// Makes a mutant the active one for as long as this lives.
class Active {
 public:
  explicit Active(std::string_view name) : before_(active_mutant.load(std::memory_order_relaxed)) {
    activate(name);
  }
  ~Active() { active_mutant.store(before_, std::memory_order_relaxed); }
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;

 private:
  std::uint64_t before_;
};

inline bool is_active(std::uint64_t id) { return active_mutant.load(std::memory_order_relaxed) == id; }

}  // namespace reprieve::mutants

#define REPRIEVE_MUTANT(name, right, wrong)                                            \
  (::reprieve::mutants::is_active(                                                     \
       std::integral_constant<std::uint64_t, ::reprieve::mutants::id_of(name)>::value) \
       ? (wrong)                                                                       \
       : (right))

#else

#define REPRIEVE_MUTANT(name, right, wrong) (right)

#endif
