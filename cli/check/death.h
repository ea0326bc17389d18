// How a process ended that was not meant to end.
#pragma once

#include <compare>
#include <string>

namespace reprieve::cli {

struct Death {
  enum class Kind {
    kSignal,  // `number` is the signal
    kExit,    // without a word, as a sanitizer ends a process; `number` is the exit code
    kHang,    // it was ended, as it did not come to an end
  };
  Kind kind = Kind::kSignal;
  int number = 0;

  auto operator<=>(const Death&) const = default;
};

/// As a verb: "dies of SIGSEGV (Segmentation fault)", "ends with exit code 1", "does not come to an end".
std::string to_string(const Death& death);

/// What waitpid() said, unless the process ended with one of its own exit codes.
Death death_of(int wait_status);

}  // namespace reprieve::cli
