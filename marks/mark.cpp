#include "reprieve/marks/mark.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace reprieve::marks {
namespace {

// Made when the first mark registers, and never destroyed: threads may outlive statics.
struct Registry {
  std::mutex mutex;
  std::vector<const char*> names{nullptr};  // by place; the first is nobody's
  std::vector<Block*> blocks;               // of the threads that live
  std::array<std::uint64_t, kMostMarks> dead{};
};

Registry& registry() {
  static auto* const the = new Registry;
  return *the;
}

// The block of a thread, for as long as the thread lives.
class Owner {
 public:
  Owner() {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    all.blocks.push_back(&mine_);
  }
  ~Owner() {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    std::erase(all.blocks, &mine_);
    for (std::size_t i = 0; i < kMostMarks; ++i) {
      all.dead[i] += mine_.taken[i].load(std::memory_order_relaxed);
    }
    block = nullptr;
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  Block* mine() { return &mine_; }

 private:
  Block mine_;
};

}  // namespace

Block* make_block() {
  thread_local Owner owner;
  block = owner.mine();
  return block;
}

Mark::Mark(const char* name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (all.names.size() == kMostMarks) return;
  place_ = static_cast<std::uint32_t>(all.names.size());
  all.names.push_back(name);
}

Counts counts() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  Counts counts;
  for (std::size_t i = 1; i < all.names.size(); ++i) {
    std::uint64_t& count = counts[all.names[i]];
    count = all.dead[i];
    for (const Block* one : all.blocks) count += one->taken[i].load(std::memory_order_relaxed);
  }
  return counts;
}

Counts difference(const Counts& before, const Counts& after) {
  Counts more = after;
  for (const auto& [name, count] : before) {
    if (const auto found = more.find(name); found != more.end()) found->second -= count;
  }
  return more;
}

}  // namespace reprieve::marks
