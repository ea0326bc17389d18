// For tests: runs the built `reprieve` as a user would.
#pragma once

#include <string>

namespace reprieve::cli {

struct Ran {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// Runs `reprieve ARGUMENTS` (a shell's words) in the source folder with `in` on standard input.
Ran run(const std::string& arguments, const std::string& in = "");

/// A subject that says of each candidate, where the engine reports no violation, that there is one.
extern const std::string kLiar;

}  // namespace reprieve::cli
