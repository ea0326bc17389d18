// Errors and warnings about input, as values: which file, where in it, which field, what is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reprieve::manifest {

struct Location {
  std::string file;        // path, or "-" for standard input; empty for a protocol line
  std::size_t line = 0;    // 1-based; 0: unknown
  std::size_t column = 0;  // 1-based; 0: unknown
  std::string field;       // "items[3].spec.containers[0].resources.requests.cpu"; may be empty

  bool operator==(const Location&) const = default;
};

struct Error {
  Location where;
  std::string message;  // one sentence, without the location
};

/// What comes from the input, as it may be shown: control characters, and what reverses the direction
/// of text, are written as escapes ("\n", "\x1b", "\u202e"), so that no input can move the cursor or
/// forge a line. What is longer than `max_bytes` is cut.
std::string printable(std::string_view text, std::size_t max_bytes = std::string_view::npos);

/// "dump.json:12:7: spec.containers[0].resources.requests.cpu: message", printable.
std::string to_string(const Error& error);

/// One kind of thing that was ignored or doubted, once, with how often and where first.
struct Warning {
  std::string message;
  std::size_t count = 1;
  Location first;
};

std::string to_string(const Warning& warning);

}  // namespace reprieve::manifest
