#include "reprieve/subjects/place.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>

namespace reprieve::subjects {

namespace {

constexpr std::size_t kThreads = 256;  // more are not followed
constexpr std::uint32_t kDeepest = 4;  // deeper is counted, not told

struct Text {
  std::array<char, 152> bytes{};

  void set(std::string_view text) {
    const std::size_t size = std::min(text.size(), bytes.size() - 1);
    std::memcpy(bytes.data(), text.data(), size);
    bytes[size] = '\0';
  }
  std::string get() const { return {bytes.data(), strnlen(bytes.data(), bytes.size())}; }
};

struct Frame {
  Doing doing{};
  Text who, name, policy;
};

struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<std::uint32_t> depth{0};
  std::atomic<std::uint64_t> steps{0};
  std::array<Frame, kDeepest> frames{};
};

struct Shared {
  std::array<Slot, kThreads> slots{};
};

Shared* shared = nullptr;  // set before there are threads

/// This thread's slot, from its first step to its end.
class Own {
 public:
  Own() {
    if (shared == nullptr) return;
    for (Slot& slot : shared->slots) {
      if (slot.taken.exchange(true)) continue;
      slot_ = &slot;
      slot.depth.store(0);
      return;
    }
  }
  ~Own() {
    if (slot_ != nullptr) slot_->taken.store(false);
  }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;

  Slot* slot() const { return slot_; }

 private:
  Slot* slot_ = nullptr;
};

Slot* own_slot() {
  if (shared == nullptr) return nullptr;
  thread_local const Own own;
  return own.slot();
}

}  // namespace

Place::Place(Doing doing, std::string_view who, std::string_view name, std::string_view policy) {
  Slot* slot = own_slot();
  if (slot == nullptr) return;
  const std::uint32_t depth = slot->depth.load(std::memory_order_relaxed);
  if (depth < kDeepest) {
    Frame& frame = slot->frames[depth];
    frame.doing = doing;
    frame.who.set(who);
    frame.name.set(name);
    frame.policy.set(policy);
  }
  slot->depth.store(depth + 1, std::memory_order_release);
  slot->steps.fetch_add(1, std::memory_order_relaxed);
}

Place::~Place() {
  Slot* slot = own_slot();
  if (slot == nullptr) return;
  slot->depth.fetch_sub(1, std::memory_order_release);
  slot->steps.fetch_add(1, std::memory_order_relaxed);
}

bool keep_places() {
  if (shared != nullptr) return true;
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  shared = new (memory) Shared;
  return true;
}

std::vector<ThreadPlace> places() {
  std::vector<ThreadPlace> all;
  if (shared == nullptr) return all;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    const Slot& slot = shared->slots[thread];
    const std::uint32_t depth = std::min(slot.depth.load(std::memory_order_acquire), kDeepest);
    if (!slot.taken.load() || depth == 0) continue;
    ThreadPlace place{.thread = thread, .begun = {}, .steps = slot.steps.load()};
    for (std::uint32_t i = 0; i < depth; ++i) {
      const Frame& frame = slot.frames[i];
      place.begun.push_back({.doing = frame.doing,
                             .who = frame.who.get(),
                             .name = frame.name.get(),
                             .policy = frame.policy.get()});
    }
    all.push_back(std::move(place));
  }
  return all;
}

void forget_places() {
  if (shared == nullptr) return;
  const Slot* own = own_slot();
  for (Slot& slot : shared->slots) {
    slot.depth.store(0);
    if (&slot != own) slot.taken.store(false);
  }
}

std::uint32_t place_depth() {
  const Slot* slot = own_slot();
  return slot == nullptr ? 0 : slot->depth.load();
}

void restore_place_depth(std::uint32_t depth) {
  if (Slot* slot = own_slot(); slot != nullptr) slot->depth.store(depth);
}

}  // namespace reprieve::subjects
