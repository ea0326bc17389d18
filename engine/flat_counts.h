// Counters keyed by a 64-bit number, cleared in constant time: the topology pairs that inter-pod
// affinity and topology spread count once for each preemptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprieve::engine {

/// Open addressing; a slot counts only if it carries the present generation, so clear() touches
/// nothing and the memory is kept between decisions.
class FlatCounts {
 public:
  void clear() {
    size_ = 0;
    if (++generation_ == 0) {
      slots_.assign(slots_.size(), Slot{});
      generation_ = 1;
    }
  }

  /// The counter of `key`, made 0 when it is new.
  std::int64_t& operator[](std::uint64_t key) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[find(key)];
    if (slot.generation != generation_) {
      slot = {key, 0, generation_};
      ++size_;
    }
    return slot.count;
  }

  const std::int64_t* get(std::uint64_t key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[find(key)];
    return slot.generation == generation_ ? &slot.count : nullptr;
  }

  std::int64_t at_or_zero(std::uint64_t key) const {
    const std::int64_t* count = get(key);
    return count ? *count : 0;
  }

  std::size_t size() const { return size_; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.generation == generation_) visit(slot.key, slot.count);
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int64_t count = 0;
    std::uint32_t generation = 0;
  };

  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    // Fibonacci hashing: keys are small dense numbers, so the high bits of the product spread them.
    std::size_t i = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & mask;
    while (slots_[i].generation == generation_ && slots_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 2 : old.size() * 2, Slot{});  // so that small clusters see it grow
    for (const Slot& slot : old) {
      if (slot.generation == generation_) slots_[find(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t size_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace reprieve::engine
