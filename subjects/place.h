// What each thread is doing, in memory that outlives the process: when a decision ends the process, whoever
// is left knows which one it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"

namespace reprieve::subjects {

enum class Doing : std::uint8_t {
  kDecide,  // `who` is a subject
  kLaw,     // `who` is a law
  kOther,   // `who` is a word for it
};

/// One thing that a thread has begun and not ended, the outermost first.
struct Begun {
  Doing doing = Doing::kOther;
  std::string who;
  std::string name;    // of the case; cut off after some 150 bytes
  std::string policy;  // of the case; the same
};

/// What one thread has begun.
struct ThreadPlace {
  std::size_t thread = 0;
  std::vector<Begun> begun;
  std::uint64_t steps = 0;  // grows with everything that it begins or ends
};

/// Begun here, ended with the scope. Costs next to nothing until places are kept; then a copy of the names.
class Place {
 public:
  Place(Doing doing, std::string_view who, std::string_view name, std::string_view policy);
  /// A subject that decides a case.
  Place(std::string_view subject, const Case& question)
      : Place(Doing::kDecide, subject, question.name, question.policy.name) {}
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
};

/// Keeps places from now on, in this process and those that it forks. False: there is no memory for it.
bool keep_places();

/// The threads that have begun something, in whichever process. Of a thread that is at work it may be torn.
std::vector<ThreadPlace> places();

/// For a process that goes on alone: nobody has begun anything.
void forget_places();

/// How deep this thread is, and back to it: what a forked child had begun when it died has ended.
std::uint32_t place_depth();
void restore_place_depth(std::uint32_t depth);

}  // namespace reprieve::subjects
