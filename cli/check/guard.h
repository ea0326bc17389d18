// A run that outlives what it judges. The program under test is part of this process, and when it reads where
// it must not, or never comes to an end, the process is gone with all that it had found. So the run is a
// child of a guard; before each stage it forks a copy of itself, which takes over when the run dies.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "reprieve/cli/check/death.h"
#include "reprieve/subjects/place.h"

namespace reprieve::cli {

/// How the run died, and what its threads had begun then.
struct Accident {
  Death death;
  std::vector<subjects::ThreadPlace> places;
};

class Guard {
 public:
  /// Goes on in a child of this process, which waits here, and ends as the run does. Does nothing where there
  /// can be no child (ulimit -u). A decision, or a law that is held, that makes no step for `longest` ends
  /// the run, as one that died. There must be no other thread.
  void begin(std::chrono::milliseconds longest);
  /// From now on another time.
  void set_longest(std::chrono::milliseconds longest);

  /// A point to come back to: returns nothing, and once more, with the accident, when the run has died before
  /// release(). There must be no other thread.
  std::optional<Accident> point();
  void release();

 private:
  struct Shared;
  Shared* shared_ = nullptr;  // null: there is no guard
  int backup_ = -1;           // the end of a pipe: a byte releases the copy, its end wakes it

  [[noreturn]] static void watch(Shared& shared);
};

}  // namespace reprieve::cli
