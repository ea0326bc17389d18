// JSON as text: where a value ends, where a path leads, and where and why a text is not JSON.
//
// Objects are decoded from simdjson's tree, which keeps no positions. Only an error needs one, so it
// is found by walking the text again, along the path of fields.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace reprieve::manifest {

/// One step into an object (`key`) or a list (`key.data()` is null; `index`).
struct Step {
  std::string_view key;
  std::size_t index = 0;
};

/// Appends ".spec.containers[0]"; a key that is not a plain word is put in brackets, as Kubernetes
/// does: "requests[example.com/gpu]".
void append_path(std::string& out, std::span<const Step> path);

inline constexpr std::size_t kIncomplete = std::string_view::npos;
/// The end will not be found, however much text follows.
inline constexpr std::size_t kHopeless = std::string_view::npos - 1;

/// simdjson's own limit on nesting is 1024.
inline constexpr std::size_t kMaxDepth = 1000;

/// The offset behind the value that begins at `begin`, kIncomplete when the text ends first, or
/// kHopeless when it is nested deeper than kMaxDepth. Looks at brackets and strings alone; what lies
/// between them is not judged.
std::size_t value_end(std::string_view text, std::size_t begin);

/// The same for an object or list printed with indentation, found by its closing line: much faster,
/// but only a guess, which holds when the text in between is JSON. kIncomplete: no such line yet;
/// kHopeless: a line in between is not indented further.
std::size_t indented_value_end(std::string_view text, std::size_t begin, std::string_view indentation,
                               char close);

/// The offset of the value that `path` leads to in the object or list that `text` is, or of the
/// deepest one on the way that exists.
std::size_t find_value(std::string_view text, std::span<const Step> path);

/// 1-based line and column (in bytes) of an offset.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};
Position position_of(std::string_view text, std::size_t offset);

/// The first byte that is not UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

struct SyntaxError {
  std::size_t offset = 0;
  std::string field;  // where in the value it happened; may be empty
  std::string message;
};

/// Why `text` is not one JSON value; nothing when it is one that can be decoded.
std::optional<SyntaxError> find_syntax_error(std::string_view text);

}  // namespace reprieve::manifest
