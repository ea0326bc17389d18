// Strings as small numbers: names, label keys and values, topology values. Comparing two is one
// instruction, and an id indexes an array.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace reprieve::engine {

using StringId = std::uint32_t;
inline constexpr StringId kNoString = 0xffffffffU;

/// Gives every distinct string one id, for ever. Ids are dense from 0.
class Interner {
 public:
  StringId intern(std::string_view text) {
    if (const auto it = ids_.find(text); it != ids_.end()) return it->second;
    const auto id = static_cast<StringId>(texts_.size());
    texts_.emplace_back(text);
    ids_.emplace(std::string_view(texts_.back()), id);
    return id;
  }

  /// kNoString when the string was never interned: then nothing in the snapshot has it.
  StringId find(std::string_view text) const {
    const auto it = ids_.find(text);
    return it == ids_.end() ? kNoString : it->second;
  }

  const std::string& text(StringId id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

  Interner() = default;
  Interner(const Interner& other) : texts_(other.texts_) { reindex(); }
  Interner& operator=(const Interner& other) {
    texts_ = other.texts_;
    reindex();
    return *this;
  }
  Interner(Interner&&) = default;
  Interner& operator=(Interner&&) = default;
  ~Interner() = default;

 private:
  // The keys are views into texts_, so a copy must point at its own strings.
  void reindex() {
    ids_.clear();
    StringId id = 0;
    for (const std::string& text : texts_) ids_.emplace(std::string_view(text), id++);
  }

  std::deque<std::string> texts_;  // stable addresses
  std::unordered_map<std::string_view, StringId> ids_;
};

}  // namespace reprieve::engine
