// Bytes to cases and back: what a fuzzer mutates is bytes, what is decided is a case.
//
// Any bytes are a valid case (properties/generators/valid.h). They are read as records of 16 bytes: the
// first is a header (policy, sampling, units of cpu and of bytes), each other begins with a tag that says
// what it is. A record is a whole object in its usual form (a node, a pod, a budget, a claim, ...) or a
// part that is added to the object before it (a container, a toleration, a selector's expression, an exact
// amount, ...). Every byte has a meaning of its own and looks a value up in a small pool, so that a changed
// byte is a changed field, values tie and match often, and a removed, repeated or moved record is a
// removed, repeated or moved object. What no pool holds is spelled out: a text in records that define it,
// a number or an amount in a record that follows the object. Missing bytes are zeros, zeros are defaults,
// and no bytes at all are one node, one pod and a preemptor that needs its room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "reprieve/model/case.h"

namespace reprieve::fuzz {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::size_t kRecordBytes = 16;

/// How many of each kind a case may have; records beyond are passed over. Small, because whole clusters
/// are decided 20,000 times a second, and because a mistake that needs more is rare.
inline constexpr std::size_t kMaxNodes = 16;
inline constexpr std::size_t kMaxPods = 40;
inline constexpr std::size_t kMaxBudgets = 16;
inline constexpr std::size_t kMaxStorageObjects = 32;  // claims, volumes, classes, ... of each kind
inline constexpr std::size_t kMaxNamespaces = 8;
inline constexpr std::size_t kMaxExtenders = 4;
/// Of the parts of one object: its containers, terms, tolerations, values of an expression, ...
inline constexpr std::size_t kMaxParts = 24;
inline constexpr std::size_t kMaxPriorityClasses = 8;
/// Different texts of a case that are in no pool, and the length of each.
inline constexpr std::size_t kMaxTexts = 64;
inline constexpr std::size_t kMaxTextBytes = 120;
/// No amount is greater, so that no sum over a case overflows int64 (in millicores for cpu).
inline constexpr std::int64_t kMaxCores = std::int64_t{1} << 40;
inline constexpr std::int64_t kMaxUnits = std::int64_t{1} << 50;

/// The case that the bytes mean; its name is "fuzzed". Never fails, never throws but for want of memory.
Case decode(std::span<const std::uint8_t> bytes);

/// Bytes that decode to this case, its name apart. The error says which of the bounds the case exceeds:
/// those above; texts of printable ASCII; extenders that are scripted; a valid case; and what the API
/// server's defaulting would leave as it is.
///
///   decode(*encode(case)) == case               for every case within the bounds
///   decode(*encode(decode(bytes))) == decode(bytes)   for all bytes
std::expected<Bytes, std::string> encode(const Case& question);

/// The same without the proof by decoding: for a caller that decodes anyway. What is out of bounds is
/// left out or replaced.
Bytes encode_roughly(const Case& question);

}  // namespace reprieve::fuzz
