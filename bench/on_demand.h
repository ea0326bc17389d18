// The yardstick for reading manifests: a pass of simdjson's On-Demand interface over a kubectl dump that
// takes out the fields that manifest/ reads, and keeps nothing.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace reprieve::bench {

struct Extracted {
  std::int64_t items = 0;
  std::int64_t values = 0;      // strings and numbers taken out
  std::uint64_t check_sum = 0;  // of them, so that nothing is left undone
};

/// `path`: a List indented by 4 as kubectl prints it. The file is mapped, its items are found by their
/// indentation, and each is iterated over once. The error says what is no such List.
std::expected<Extracted, std::string> extract_on_demand(const std::string& path);

/// The same as it is usually written: one document, iterated over from its beginning to its end. Its index of
/// the whole text takes as much memory again; simdjson takes files of up to 4 GB so.
std::expected<Extracted, std::string> extract_on_demand_whole(const std::string& path);

}  // namespace reprieve::bench
