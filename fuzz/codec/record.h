// One record: its kind, and its bytes read as, or written from, fields. A layout (layout_*.h) names the
// fields of a record in order and is used both ways, with a RecordReader or a RecordWriter, so that what
// is written is what is read. Internal to codec/.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "reprieve/fuzz/codec.h"
#include "reprieve/model/node.h"

namespace reprieve::fuzz {

enum class Kind : std::uint8_t {
  kNothing,  // zeros, which fuzzers like to insert
  // Whole objects.
  kHeader,  // policy, sampling and units; the first one counts
  kNode,
  kPod,
  kPreemptor,
  kBudget,
  kNamespace,
  kPriorityClass,
  kClaim,
  kVolume,
  kStorageClass,
  kCsiNode,
  kCsiDriver,
  kAttachment,
  kExtender,
  // Parts of the object before them.
  kLabel,
  kTaint,
  kFeature,
  kPodExtra,
  kCondition,
  kContainer,
  kPort,
  kResources,
  kStatus,
  kToleration,
  kNodeTerm,
  kAffinityTerm,
  kSpread,
  kSelectorLabel,
  kRequirement,
  kPodVolume,
  kDisrupted,
  kAnnotation,
  kCsiNodeDriver,
  kAnswer,
  kPolicy,
  // What no pool holds.
  kNumber,
  kAmount,
  kText,
  kTextMore,
};
inline constexpr std::size_t kKindCount = static_cast<std::size_t>(Kind::kTextMore) + 1;

/// A tag below kKindCount is that kind; the others favour what matters most, so that random bytes do.
constexpr Kind kind_of(std::uint8_t tag) {
  constexpr std::array kUsual = {Kind::kNode, Kind::kPod,    Kind::kPod,       Kind::kPod,   Kind::kPod,
                                 Kind::kPod,  Kind::kBudget, Kind::kPreemptor, Kind::kBudget};
  return tag < kKindCount ? static_cast<Kind>(tag) : kUsual[tag % kUsual.size()];
}

/// The fields whose exact values kNumber spells out.
enum class Field : std::uint8_t {
  kPriority,
  kStartTime,
  kCreationTime,
  kDeletionTime,
  kGracePeriod,
  kDisruptionsAllowed,
  kMaxSkew,
  kMinDomains,
  kClassValue,
  kViolations,
  kAttachLimit,
  kMinPercentage,
  kMinAbsolute,
  kOffset,
  kBelowPriority,
  kContainerPort,
  kHostPort,
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::kHostPort) + 1;

/// The lists of resources that kResources and kAmount add to.
enum class List : std::uint8_t {
  kOwn,  // a node's allocatable, the last container's requests, a volume's capacity, a claim's request
  kOverhead,
  kPodLevel,
  kStatusRequests,     // of the last container status
  kStatusAllocated,    // of the last container status
  kPodStatusRequests,  // status.resources of the pod
  kPodStatusAllocated,
};
inline constexpr std::size_t kListCount = static_cast<std::size_t>(List::kPodStatusAllocated) + 1;

/// Units of cpu, bytes, pieces: what one step of a byte means for a resource.
struct Units {
  std::uint8_t cpu = 0;    // index into pools::kCpuUnits_milli
  std::uint8_t bytes = 0;  // index into pools::kByteUnits_milli
  std::int64_t milli_of(std::string_view resource) const;
};

/// Bytes from here on name a text of the case's own.
inline constexpr std::uint8_t kFirstText = 256 - kMaxTexts;
using Pool = std::span<const std::string_view>;
using Numbers = std::span<const std::int64_t>;

/// An amount as a byte: 0 is absent; then steps of one unit, the small ones often.
inline constexpr int kMostSteps = 62;
constexpr int steps_of(std::uint8_t byte) { return byte <= kMostSteps + 1 ? byte - 1 : byte % 8; }
/// The byte that means this amount of the resource; 0: none does. Of "pods" there are the small numbers and
/// the usual 110.
std::uint8_t byte_of(const Units& units, std::string_view resource, Quantity amount);
inline constexpr std::uint8_t kUsualPods = kMostSteps + 2;

/// What a whole decoding refers to, read before everything else.
struct Decoding {
  std::vector<std::string> texts;
  std::vector<std::string> node_names;
  std::vector<std::string> pod_names;  // "namespace/name"; once the pods are read
  Units units;
};

class RecordReader {
 public:
  static constexpr bool kReads = true;
  template <class T>
  using Ref = T&;

  RecordReader(const std::uint8_t* bytes, const Decoding& decoding) : at_(bytes + 1), decoding_(decoding) {}

  std::uint8_t byte() { return *at_++; }

  void text(Pool pool, std::string& value) { value = look_up(pool, byte()); }
  void optional_text(Pool pool, std::optional<std::string>& value) {
    const std::uint8_t which = byte();
    if (which != 0) value = look_up_present(pool, which);
  }
  /// Up to `most` texts, one byte each; 0 is none.
  void items(Pool pool, std::vector<std::string>& values, int most) {
    for (int i = 0; i < most; ++i) {
      const std::uint8_t which = byte();
      if (which != 0) values.emplace_back(look_up_present(pool, which));
    }
  }
  /// A node by its place among the nodes; or none, or one that is not there.
  void node(std::string& name) {
    const std::uint8_t which = byte();
    if (which == 0) return name.clear();
    if (which >= kFirstText && !decoding_.texts.empty()) {
      name = text_of(which);
    } else if (which % 32 == 31) {
      name = "gone";
    } else {
      name = decoding_.node_names[(which - 1U) % 32 % decoding_.node_names.size()];
    }
  }
  template <class T>
  void number(Field, Numbers pool, T& value) {
    value = static_cast<T>(pool[byte() % pool.size()]);
  }
  template <class T>
  void number(Field, Numbers pool, std::optional<T>& value) {
    const std::uint8_t which = byte();
    if (which != 0) value = static_cast<T>(pool[(which - 1) % pool.size()]);
  }
  template <class T>
  void choice(T& value, int count) {
    value = static_cast<T>(byte() % count);
  }
  /// Up to seven; a byte above 127 sets none.
  template <class... Flags>
  void flags(Flags&... flag) {
    const std::uint8_t all = byte();
    int bit = 0;
    ((flag = all < 128 && (all >> bit++ & 1) != 0), ...);
  }
  void entry(Labels& labels, std::string_view key, Pool pool) {
    const std::uint8_t which = byte();
    if (which == 0) return;
    labels.insert_or_assign(std::string(key), std::string(look_up_present(pool, which)));
  }
  void amount(std::string_view resource, ResourceList& list) {
    const std::uint8_t which = byte();
    if (which == 0) return;
    list.insert_or_assign(std::string(resource),
                          quantity_from_milli(decoding_.units.milli_of(resource) * steps_of(which)));
  }
  /// Of pods: small ones, or the usual 110.
  void pod_count(ResourceList& list) {
    const std::uint8_t which = byte();
    if (which != 0) list["pods"] = {.units = which < kUsualPods ? which - 1 : 110, .milli = 0};
  }
  void quantity(Numbers pool_milli, Quantity& value) {
    value = quantity_from_milli(pool_milli[byte() % pool_milli.size()]);
  }

  /// Pods by their place among the pods, or by a text.
  void pods(std::vector<std::string>& names, int most) {
    for (int i = 0; i < most; ++i) {
      const std::uint8_t which = byte();
      if (which == 0) continue;
      if (which >= kFirstText && !decoding_.texts.empty()) {
        names.push_back(text_of(which));
      } else {
        names.push_back(decoding_.pod_names[(which - 1U) % decoding_.pod_names.size()]);
      }
    }
  }

 private:
  const std::string& text_of(std::uint8_t which) const {
    return decoding_.texts[(which - kFirstText) % decoding_.texts.size()];
  }
  std::string_view look_up(Pool pool, std::uint8_t which) const {
    if (which >= kFirstText && !decoding_.texts.empty()) return text_of(which);
    return pool[which % pool.size()];
  }
  /// After 0 was taken for "none".
  std::string_view look_up_present(Pool pool, std::uint8_t which) const {
    return look_up(pool, which < kFirstText ? static_cast<std::uint8_t>(which - 1) : which);
  }

  const std::uint8_t* at_;
  const Decoding& decoding_;
};

/// A number that a record could not hold, to be spelled out behind it.
struct ExactNumber {
  Field field;
  std::int64_t value;
};

/// What a whole encoding gathers.
struct Encoding {
  std::vector<std::string> texts;  // in order of first use
  std::vector<std::string> node_names;
  std::vector<std::string> pod_names;  // "namespace/name"
  Units units;
  std::vector<ExactNumber> exact;          // of the record being written
  std::optional<Quantity> exact_quantity;  // the same
};

class RecordWriter {
 public:
  static constexpr bool kReads = false;
  template <class T>
  using Ref = const T&;

  RecordWriter(std::uint8_t* bytes, Encoding& encoding) : at_(bytes + 1), encoding_(encoding) {}

  void byte(std::uint8_t value) { *at_++ = value; }

  void text(Pool pool, std::string_view value) { byte(find(pool, value, 0)); }
  void optional_text(Pool pool, const std::optional<std::string>& value) {
    byte(value ? find(pool, *value, 1) : 0);
  }
  void items(Pool pool, std::span<const std::string> values, int most) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i) {
      byte(i < values.size() ? find(pool, values[i], 1) : 0);
    }
  }
  void node(std::string_view name) {
    if (name.empty()) return byte(0);
    const auto found = std::find(encoding_.node_names.begin(), encoding_.node_names.end(), name);
    if (found != encoding_.node_names.end()) {
      byte(static_cast<std::uint8_t>(found - encoding_.node_names.begin() + 1));
    } else {
      byte(name == "gone" ? 31 : intern(name));
    }
  }
  template <class T>
  void number(Field field, Numbers pool, T value) {
    byte(find(field, pool, static_cast<std::int64_t>(value), 0));
  }
  template <class T>
  void number(Field field, Numbers pool, const std::optional<T>& value) {
    byte(value ? find(field, pool, static_cast<std::int64_t>(*value), 1) : 0);
  }
  template <class T>
  void choice(const T& value, int) {
    byte(static_cast<std::uint8_t>(value));
  }
  template <class... Flags>
  void flags(Flags... flag) {
    int all = 0, bit = 0;
    ((all |= static_cast<int>(flag) << bit++), ...);
    byte(static_cast<std::uint8_t>(all));
  }
  void entry(const Labels& labels, std::string_view key, Pool pool) {
    const auto found = labels.find(key);
    byte(found == labels.end() ? 0 : find(pool, found->second, 1));
  }
  void amount(std::string_view resource, const ResourceList& resources) {
    const auto found = resources.find(resource);
    byte(found == resources.end() ? 0 : byte_of(encoding_.units, resource, found->second));
  }
  void pod_count(const ResourceList& resources) { amount("pods", resources); }
  void quantity(Numbers pool_milli, Quantity value);
  void pods(std::span<const std::string> names, int most);

 private:
  std::uint8_t find(Pool pool, std::string_view value, int shift) {
    const auto found = std::find(pool.begin(), pool.end(), value);
    return found == pool.end() ? intern(value) : static_cast<std::uint8_t>(found - pool.begin() + shift);
  }
  std::uint8_t find(Field field, Numbers pool, std::int64_t value, int shift);
  std::uint8_t intern(std::string_view text);

  std::uint8_t* at_;
  Encoding& encoding_;
};

}  // namespace reprieve::fuzz
