#include "reprieve/bench/allocations.h"

#include <cstdlib>
#include <new>

namespace {
thread_local reprieve::bench::Allocations so_far;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++so_far.count;
  so_far.bytes += static_cast<std::int64_t>(size);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace reprieve::bench {
Allocations allocations() { return so_far; }
}  // namespace reprieve::bench
