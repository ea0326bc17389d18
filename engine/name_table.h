// Finds a number by a name that stands elsewhere: one place here is looked at, and the name it leads to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "reprieve/engine/huge_pages.h"

namespace reprieve::engine {

/// Open addressing at most half full. A place holds part of the hash beside the number, so that neither
/// passing over other names nor closing the gap that one leaves looks at any of them.
class NameTable {
 public:
  static constexpr std::uint32_t kAbsent = 0xffffffffU;

  /// A name is hashed once by who asks about it several times.
  static std::uint32_t hash_of(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
  }

  /// `name_of(number)` is asked where the hash agrees.
  template <class NameOf>
  std::uint32_t find(std::string_view name, std::uint32_t hash, NameOf&& name_of) const {
    if (places_.empty()) return kAbsent;
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      const Place& place = places_[i];
      if (place.number == kAbsent) return kAbsent;
      if (place.hash == hash && name_of(place.number) == name) return place.number;
    }
  }

  /// Asks for what looking the name up reads.
  void prefetch(std::uint32_t hash) const {
    if (!places_.empty()) __builtin_prefetch(&places_[hash & mask()]);
  }

  /// The name of that hash must be absent.
  void insert(std::uint32_t hash, std::uint32_t number) {
    reserve(++size_);
    put({hash, number});
  }

  /// The name of that hash must be there with this number.
  void erase(std::uint32_t hash, std::uint32_t number) {
    std::size_t gap = hash & mask();
    while (places_[gap].number != number) gap = (gap + 1) & mask();
    for (std::size_t i = (gap + 1) & mask(); places_[i].number != kAbsent; i = (i + 1) & mask()) {
      const std::size_t home = places_[i].hash & mask();
      if (((i - home) & mask()) < ((i - gap) & mask())) continue;  // its home lies behind the gap
      places_[gap] = places_[i];
      gap = i;
    }
    places_[gap] = Place{};
    --size_;
  }

  void reserve(std::size_t names) {
    if (names * 2 <= places_.size()) return;
    std::size_t places = places_.empty() ? 16 : places_.size();
    while (places < names * 2) places *= 2;
    const Array<Place> old = std::exchange(places_, Array<Place>(places));
    for (const Place& place : old) {
      if (place.number != kAbsent) put(place);
    }
  }

  std::size_t size() const { return size_; }

 private:
  struct Place {
    std::uint32_t hash = 0;
    std::uint32_t number = kAbsent;
  };

  std::size_t mask() const { return places_.size() - 1; }
  void put(const Place& place) {
    std::size_t i = place.hash & mask();
    while (places_[i].number != kAbsent) i = (i + 1) & mask();
    places_[i] = place;
  }

  Array<Place> places_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace reprieve::engine
