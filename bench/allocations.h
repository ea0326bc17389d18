// Counts what operator new is asked for, in programs that link allocations.cpp.
#pragma once

#include <cstdint>

namespace reprieve::bench {

struct Allocations {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
};

/// Of this thread since it began.
Allocations allocations();

}  // namespace reprieve::bench
