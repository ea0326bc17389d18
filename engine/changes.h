// Which nodes of a snapshot changed, for those who keep something about each node between decisions:
// they redo what changed and no more.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprieve::engine {

/// A node changes when a decision may see it otherwise than before: it comes or goes, its own fields or
/// its pods change, a pod is nominated to it, or a budget of one of its pods changes so that a pod may
/// be classed otherwise.
class ChangeLog {
 public:
  ChangeLog() : id_(next_id()) {}

  void touch(std::uint32_t node) {
    if (last_.size() <= node) last_.resize(node + 1, 0);
    recent_[static_cast<std::size_t>(size_ % kRecent)] = node;
    last_[node] = ++size_;
  }

  /// Nodes got other numbers: nothing that is kept by number is worth anything.
  void renumber() {
    id_ = next_id();
    last_.clear();
  }

  /// Of this snapshot with its nodes numbered as they are; no other ever has it.
  std::uint64_t id() const { return id_; }
  std::uint64_t size() const { return size_; }

  /// The nodes that changed when size() was `since` or later, each once.
  template <class Visit>
  void for_each_since(std::uint64_t since, Visit visit) const {
    if (size_ - since <= kRecent) {
      for (std::uint64_t i = since; i < size_; ++i) {
        const std::uint32_t node = recent_[static_cast<std::size_t>(i % kRecent)];
        if (last_[node] == i + 1) visit(node);
      }
      return;
    }
    for (std::size_t node = 0; node < last_.size(); ++node) {
      if (last_[node] > since) visit(static_cast<std::uint32_t>(node));
    }
  }

  // What is moved from is another snapshot from then on, should anybody fill it again.
  ChangeLog(ChangeLog&& other) noexcept { *this = static_cast<ChangeLog&&>(other); }
  ChangeLog& operator=(ChangeLog&& other) noexcept {
    id_ = other.id_;
    size_ = other.size_;
    recent_ = other.recent_;
    last_ = static_cast<std::vector<std::uint64_t>&&>(other.last_);
    other.id_ = next_id();
    other.last_.clear();
    return *this;
  }
  ChangeLog(const ChangeLog&) = delete;
  ChangeLog& operator=(const ChangeLog&) = delete;
  ~ChangeLog() = default;

 private:
  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  static constexpr std::size_t kRecent = 1024;
  std::uint64_t id_ = 0;
  std::uint64_t size_ = 0;
  std::array<std::uint32_t, kRecent> recent_{};
  std::vector<std::uint64_t> last_;  // by node: size() after its last change
};

}  // namespace reprieve::engine
