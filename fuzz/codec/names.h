// Names as objects may have them, each once. Internal to codec/.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "reprieve/fuzz/codec/record.h"

namespace reprieve::fuzz {

/// Pods are named "namespace/name" everywhere, so neither part may be empty or hold a slash.
inline bool is_plain(std::string_view name) {
  return !name.empty() && name.find('/') == std::string_view::npos;
}

/// Names of a case mostly differ in their last letter.
inline bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && a.back() == b.back() && a == b;
}

/// Takes the first free name of the pool when `name` is none or taken; a pool has more names than there
/// may be objects.
template <class Taken>
void make_unique(std::string& name, Pool pool, const Taken& taken) {
  if (is_plain(name) && !taken(name)) return;
  for (const std::string_view other : pool) {
    if (taken(other)) continue;
    name = other;
    return;
  }
}

/// The same for the last of a list of objects.
template <class Object>
void make_last_unique(std::vector<Object>& objects, Pool pool) {
  make_unique(objects.back().name, pool, [&](std::string_view name) {
    return std::any_of(objects.begin(), objects.end() - 1, [&](const Object& other) {
      if (!is_same(other.name, name)) return false;
      if constexpr (requires { other.namespace_; }) return other.namespace_ == objects.back().namespace_;
      return true;
    });
  });
}

}  // namespace reprieve::fuzz
