// Strings as small numbers: names, label keys and values, topology values. Comparing two is one
// instruction, and an id indexes an array.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reprieve/engine/huge_pages.h"
#include "reprieve/engine/name_table.h"

namespace reprieve::engine {

using StringId = std::uint32_t;
inline constexpr StringId kNoString = 0xffffffffU;

/// Gives every distinct string one id, for ever. Ids are dense from 0.
class Interner {
 public:
  StringId intern(std::string_view text) {
    const std::uint32_t hash = NameTable::hash_of(text);
    if (const StringId known = find(text, hash); known != kNoString) return known;
    const auto id = static_cast<StringId>(texts_.size());
    texts_.emplace_back(text);
    ids_.insert(hash, id);
    return id;
  }

  /// kNoString when the string was never interned: then nothing in the snapshot has it.
  StringId find(std::string_view text) const { return find(text, NameTable::hash_of(text)); }

  /// Until the next string is interned.
  const std::string& text(StringId id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  static_assert(kNoString == NameTable::kAbsent);

  StringId find(std::string_view text, std::uint32_t hash) const {
    return ids_.find(text, hash, [this](StringId id) -> const std::string& { return texts_[id]; });
  }

  Array<std::string> texts_;
  NameTable ids_;
};

}  // namespace reprieve::engine
