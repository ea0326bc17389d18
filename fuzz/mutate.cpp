// Mutations of the bytes of a case: fields through the case itself, records in place.
#include "reprieve/fuzz/mutate.h"

#include <algorithm>

#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/codec/record.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve::fuzz {
namespace {

using generators::Random;

/// The records of an object with its parts: [begin, end).
struct Group {
  std::size_t begin;
  std::size_t end;
};

bool is_object(std::uint8_t tag) {
  const Kind kind = kind_of(tag);
  return kind >= Kind::kHeader && kind <= Kind::kExtender;
}

std::vector<Group> groups_of(std::span<const std::uint8_t> bytes) {
  std::vector<Group> groups;
  for (std::size_t at = 0; at < bytes.size(); at += kRecordBytes) {
    if (groups.empty() || is_object(bytes[at])) groups.push_back({at, at});
    groups.back().end = std::min(bytes.size(), at + kRecordBytes);
  }
  return groups;
}

std::size_t any_below(std::size_t bound, Random& random) {
  return static_cast<std::size_t>(random.below(static_cast<int>(bound)));
}

void change_byte(Bytes& bytes, Random& random) {
  const std::size_t record =
      any_below((bytes.size() + kRecordBytes - 1) / kRecordBytes, random) * kRecordBytes;
  const std::size_t length = std::min(kRecordBytes, bytes.size() - record);
  std::uint8_t& byte = bytes[record + any_below(length, random)];
  switch (random.below(6)) {
    case 0: byte = 0; break;
    case 1: byte = static_cast<std::uint8_t>(byte + 1); break;
    case 2: byte = static_cast<std::uint8_t>(byte - 1); break;
    case 3: byte = static_cast<std::uint8_t>(random.below(8)); break;
    default: byte = static_cast<std::uint8_t>(random.below(256));
  }
}

/// The same field of another record.
void copy_byte(Bytes& bytes, Random& random) {
  const std::size_t records = bytes.size() / kRecordBytes;
  if (records < 2) return;
  const std::size_t field = 1 + any_below(kRecordBytes - 1, random);
  bytes[any_below(records, random) * kRecordBytes + field] =
      bytes[any_below(records, random) * kRecordBytes + field];
}

void change_groups(Bytes& bytes, Random& random) {
  const auto groups = groups_of(bytes);
  const Group one = groups[any_below(groups.size(), random)];
  const Bytes taken(bytes.begin() + static_cast<std::ptrdiff_t>(one.begin),
                    bytes.begin() + static_cast<std::ptrdiff_t>(one.end));
  const bool remove = random.coin();
  const bool insert = !remove || random.percent(40);
  if (remove) {
    bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(one.begin),
                bytes.begin() + static_cast<std::ptrdiff_t>(one.end));
  }
  if (!insert) return;
  const auto left = groups_of(bytes);
  const std::size_t at = left.empty() ? 0 : left[any_below(left.size(), random)].begin;
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), taken.begin(), taken.end());
}

/// A record of any sort, anywhere.
void insert_record(Bytes& bytes, Random& random) {
  std::array<std::uint8_t, kRecordBytes> record;
  for (std::uint8_t& byte : record)
    byte = static_cast<std::uint8_t>(random.percent(60) ? random.below(6) : random.below(256));
  record[0] = static_cast<std::uint8_t>(random.below(static_cast<int>(kKindCount)));
  const std::size_t at = any_below(bytes.size() / kRecordBytes + 1, random) * kRecordBytes;
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), record.begin(), record.end());
}

void change_records(Bytes& bytes, Random& random) {
  if (bytes.empty()) return insert_record(bytes, random);
  switch (random.below(8)) {
    case 0: return insert_record(bytes, random);
    case 1:
    case 2: return change_groups(bytes, random);
    case 3: return copy_byte(bytes, random);
    default: return change_byte(bytes, random);
  }
}

Bytes generated(Random& random) {
  generators::GeneratorSettings settings;
  settings.max_nodes = random.between(1, 3);
  settings.max_pods_per_node = random.between(1, 3);
  settings.policies = generators::Policies::kMixed;
  return encode_roughly(generators::generate(random.next(), settings));
}

Bytes mutated(std::span<const std::uint8_t> from, Random& random) {
  constexpr std::size_t kHardlyAnything = 4 * kRecordBytes;
  const int dice = random.below(100);
  if (dice < (from.size() < kHardlyAnything ? 30 : 2)) return generated(random);
  if (dice < 45) {
    Case question = decode(from);
    for (int changes = random.percent(60) ? 1 : random.between(2, 4); changes > 0; --changes) {
      change(question, random);
    }
    return encode_roughly(question);
  }
  Bytes bytes(from.begin(), from.end());
  for (int changes = random.percent(60) ? 1 : random.between(2, 4); changes > 0; --changes) {
    change_records(bytes, random);
  }
  return bytes;
}

}  // namespace

std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  Random random(seed);
  Bytes bytes = mutated({data, size}, random);
  if (bytes.size() > max_size) {
    bytes.assign(data, data + size);
    if (!bytes.empty()) change_byte(bytes, random);
  }
  std::ranges::copy(bytes, data);
  return bytes.size();
}

std::size_t cross_over(const std::uint8_t* left, std::size_t left_size, const std::uint8_t* right,
                       std::size_t right_size, std::uint8_t* out, std::size_t max_size, unsigned seed) {
  Random random(seed);
  Bytes bytes;
  // A node without those who ran on it, and a node more, have room for everybody: such a case asks nothing.
  const auto add_some = [&](std::span<const std::uint8_t> from, int percent, int nodes, int pods) {
    for (const Group& group : groups_of(from)) {
      const Kind kind = kind_of(from[group.begin]);
      const int of_kind = kind == Kind::kNode ? nodes : kind == Kind::kPod ? pods : percent;
      if (!random.percent(of_kind) || bytes.size() + (group.end - group.begin) > max_size) continue;
      bytes.insert(bytes.end(), from.begin() + static_cast<std::ptrdiff_t>(group.begin),
                   from.begin() + static_cast<std::ptrdiff_t>(group.end));
      bytes.resize((bytes.size() + kRecordBytes - 1) / kRecordBytes * kRecordBytes);
    }
  };
  add_some({left, left_size}, 85, 85, 95);
  const int percent = random.between(10, 60);
  add_some({right, right_size}, percent, percent / 3, percent);
  bytes.resize(std::min(bytes.size(), max_size));
  std::ranges::copy(bytes, out);
  return bytes.size();
}

}  // namespace reprieve::fuzz
