// Arrays on huge pages. A decision reads a line here and a line there of arrays of tens of megabytes: with
// pages of 4 KiB most of these reads wait for the page table first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace reprieve::engine {

/// Asks for huge pages where an array is large enough to fill some; the system may refuse, which costs
/// nothing but time.
template <class T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}  // NOLINT(google-explicit-constructor): as allocators must

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t size = count * sizeof(T);
    void* const at = ::operator new(size, std::align_val_t{alignment(size)});
#ifdef __linux__
    if (size >= kHugePage) madvise(at, size / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t count) {
    const std::size_t size = count * sizeof(T);
    ::operator delete(at, size, std::align_val_t{alignment(size)});
  }

  friend bool operator==(const HugePages&, const HugePages&) { return true; }

 private:
  static constexpr std::size_t alignment(std::size_t size) {
    return size >= kHugePage
               ? kHugePage
               : (alignof(T) > alignof(std::max_align_t) ? alignof(T) : alignof(std::max_align_t));
  }
};

template <class T>
using Array = std::vector<T, HugePages<T>>;

}  // namespace reprieve::engine
