// Reads what callgrind counts: instructions by function, and by the part of this project that they were
// spent in or for.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reprieve::bench {

/// One dump of callgrind, made with --compress-strings=no --compress-pos=no.
struct Profile {
  std::string name;        // of the client request that asked for the dump; empty for the one at the end
  std::int64_t total = 0;  // instructions
  /// By part: the file of this project without its ending, "engine/victims", whose code, or whose call into
  /// a library, took them; inlined code counts for the file it was written in. "other" has no such file.
  std::map<std::string, std::int64_t> by_part;
  /// By function of this project: with all that it calls, and how often it was called.
  struct Function {
    std::int64_t inclusive = 0;
    std::int64_t calls = 0;
  };
  std::map<std::string, Function> by_function;
};

/// The error says what is not understood.
std::expected<Profile, std::string> parse_callgrind(std::string_view text);

/// The dumps in a folder whose names begin with `prefix`, those without a name left out.
std::expected<std::vector<Profile>, std::string> read_callgrind(const std::string& folder,
                                                                const std::string& prefix);

/// "engine/victims" of "/home/me/reprieve/engine/victims.cpp" or of a path through an include folder; empty
/// for files of libraries.
std::string part_of(std::string_view file);

}  // namespace reprieve::bench
