// Judges instruction counts of a change against those of what it is based on.
#pragma once

#include <string>
#include <vector>

#include "reprieve/bench/callgrind.h"

namespace reprieve::bench {

/// What is allowed, in percent of the operation's instructions at the base.
struct Limits {
  double operation = 2;  // an operation as a whole
  double part = 2;       // one part of it, when the operation as a whole grew by more than `moved`
  double moved = 0.5;    // below this, code has moved from one part to another
};

struct Verdict {
  bool held = true;
  std::string report;  // a table of all operations, and for each that failed what grew
};

/// Both sides in any order. An operation that only the change has is not judged; one that it has no
/// more fails.
Verdict judge(const std::vector<Profile>& base, const std::vector<Profile>& change, const Limits& limits);

}  // namespace reprieve::bench
