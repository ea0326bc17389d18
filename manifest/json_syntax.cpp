// Finds out why a text is not JSON. Slow and exact; runs once, after simdjson has refused the text.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reprieve/manifest/json_text.h"

namespace reprieve::manifest {
namespace {

/// Follows the parser to know where in the value it is, and stops it at what it would accept but
/// cannot be decoded: nesting too deep, and whole numbers beyond 64 bits.
class Tracker : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::optional<SyntaxError> found;
  bool located = false;  // found->offset is known

  std::vector<Step> path() const {
    std::vector<Step> steps;
    for (const Level& level : levels_) {
      if (level.is_list) {
        steps.push_back({.key = {}, .index = level.index});
      } else if (level.has_key) {
        steps.push_back({.key = level.key});
      }
    }
    return steps;
  }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t& text) override {
    enter_value();
    if (text.find_first_of(".eE") == std::string::npos) {
      found = SyntaxError{.offset = 0,
                          .field = {},
                          .message = fmt::format("number {} does not fit into 64 bits", text.substr(0, 40))};
      return false;
    }
    return true;
  }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().key = name;
    levels_.back().has_key = true;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string message = error.what();
    if (const std::size_t at = message.find("] "); at != std::string::npos) message.erase(0, at + 2);
    if (const std::size_t at = message.find(": "); at != std::string::npos) message.erase(0, at + 2);
    if (message.starts_with("number overflow")) message = "a number too large";  // 1e999
    // What it read last can be long or not even text.
    if (const std::size_t at = message.find("; last read"); at != std::string::npos) message.erase(at);
    found = SyntaxError{
        .offset = position > 0 ? position - 1 : 0, .field = {}, .message = "malformed JSON: " + message};
    located = true;
    return false;
  }

 private:
  struct Level {
    bool is_list = false;
    bool has_key = false;
    std::size_t index = 0;
    std::size_t count = 0;
    std::string key;
  };

  void enter_value() {
    if (!levels_.empty() && levels_.back().is_list) levels_.back().index = levels_.back().count++;
  }
  bool value() {
    enter_value();
    return true;
  }
  bool open(bool is_list) {
    enter_value();
    if (levels_.size() >= kMaxDepth) {
      found = SyntaxError{
          .offset = 0, .field = {}, .message = fmt::format("nested deeper than {} levels", kMaxDepth)};
      return false;
    }
    levels_.push_back({.is_list = is_list});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  std::vector<Level> levels_;
};

}  // namespace

std::optional<SyntaxError> find_syntax_error(std::string_view text) {
  if (const std::size_t at = find_invalid_utf8(text); at != std::string_view::npos) {
    return SyntaxError{.offset = at, .field = {}, .message = "invalid UTF-8"};
  }
  Tracker tracker;
  nlohmann::json::sax_parse(text.begin(), text.end(), &tracker);
  if (!tracker.found) return std::nullopt;
  SyntaxError error = *tracker.found;
  std::vector<Step> path = tracker.path();
  if (!tracker.located) error.offset = find_value(text, path);
  // Deep nesting would make a path that nobody can read.
  constexpr std::size_t kShownSteps = 20;
  if (path.size() > kShownSteps) path.resize(kShownSteps);
  append_path(error.field, path);
  error.offset = std::min(error.offset, text.size());
  return error;
}

}  // namespace reprieve::manifest
