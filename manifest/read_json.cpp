// A dump is one List of up to gigabytes. Its shell is walked by hand, and each item is handed to
// simdjson as a text of its own: memory stays at one item, every byte is validated, and simdjson's
// tree of one item stays in the cache, which makes it as fast as its On-Demand interface.
#include "reprieve/manifest/read_json.h"

#include <fmt/core.h>

#include <unordered_set>
#include <utility>

namespace reprieve::manifest {
namespace {

constexpr std::size_t kMaxObject_bytes = std::size_t{512} << 20;

class JsonReader {
 public:
  JsonReader(Window& window, const std::string& file, Loader& loader)
      : window_(window), file_(file), loader_(loader) {}

  void read() {
    while (true) {
      for (skip_spaces(); at_ >= window_.text().size(); skip_spaces()) {
        window_.drop(std::exchange(at_, 0));
        if (!window_.extend()) return;
      }
      window_.drop(std::exchange(at_, 0));
      if (peek() == '\0' && window_.text().empty()) return;
      if (peek() == '-' && skip_separator()) continue;
      if (peek() != '{') fail_here("malformed JSON: expected an object");
      read_top_level();
    }
  }

 private:
  /// An item that has no kind, in a List whose kind comes after its items.
  struct Deferred {
    std::string text;
    Position position;
    std::size_t index = 0;
  };

  char peek() {
    while (at_ >= window_.text().size()) {
      refuse_too_large();
      if (!window_.extend()) return '\0';
    }
    return window_.text()[at_];
  }

  void skip_spaces() {
    for (char c = peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = peek()) ++at_;
  }

  /// "---" between two objects, as in a stream of YAML documents that happen to be JSON.
  bool skip_separator() {
    while (window_.text().size() < at_ + 4 && window_.extend()) {
    }
    if (!window_.text().substr(at_).starts_with("---")) return false;
    at_ += 3;
    return true;
  }

  [[noreturn]] void fail_at_offset(std::size_t offset, std::string message, std::string field = {}) {
    const Position position = JsonSourceText(window_.text(), window_.position()).position_of_offset(offset);
    throw DecodeError{Error{
        .where = {.file = file_, .line = position.line, .column = position.column, .field = std::move(field)},
        .message = std::move(message)}};
  }

  [[noreturn]] void fail_here(std::string message, std::string field = {}) {
    if (peek() == '\0' && at_ >= window_.text().size()) message = "malformed JSON: unexpected end of input";
    const std::size_t invalid = find_invalid_utf8(window_.text().substr(at_, 4));
    if (invalid == 0) message = "invalid UTF-8";
    fail_at_offset(at_, std::move(message), std::move(field));
  }

  void refuse_too_large() {
    if (window_.text().size() <= kMaxObject_bytes) return;
    fail_at_offset(0, fmt::format("an object larger than {} MiB", kMaxObject_bytes >> 20));
  }

  /// The end of the value at at_, reading as far as it takes.
  std::size_t find_end() {
    while (true) {
      const std::size_t end = value_end(window_.text(), at_);
      if (end == kHopeless) fail_too_deep();
      if (end != kIncomplete) return end;
      refuse_too_large();
      if (!window_.extend()) return window_.text().size();
    }
  }

  /// Says where it became too deep, unless something else is wrong before that.
  [[noreturn]] void fail_too_deep() {
    // The text is cut behind a bracket, and not within a character.
    const std::string_view text = window_.text();
    fail_syntax(text.substr(0, text.find_last_of("{[") + 1), window_.position(), item_);
  }

  /// The same by the closing line of an indented object; kIncomplete when that does not help.
  std::size_t find_indented_end(const std::string& indentation) {
    constexpr std::size_t kFar_bytes = std::size_t{4} << 20;
    while (true) {
      const std::size_t end = indented_value_end(window_.text(), at_, indentation, '}');
      if (end == kHopeless) return kIncomplete;
      if (end != kIncomplete) return end;
      if (window_.text().size() - at_ > kFar_bytes || !window_.extend()) return kIncomplete;
    }
  }

  /// Reads the object at at_, a List or a single one. The window begins with it.
  void read_top_level() {
    std::string list_kind;
    keys_.clear();
    ++at_;
    skip_spaces();
    if (peek() != '}') {
      while (true) {
        const std::string key = read_key();
        if (key == "items" && peek() == '[') {
          read_items(list_kind);
          return;
        }
        const std::size_t end = find_end();
        read_list_kind(key, end, list_kind);
        at_ = end;
        skip_spaces();
        // What is wrong with anything else is found out when the object is parsed.
        if (peek() != ',') break;
        ++at_;
        skip_spaces();
      }
    }
    if (peek() == '}') ++at_;
    add_object(0, at_, {}, {});
    window_.drop(std::exchange(at_, 0));
  }

  /// A key and its colon; leaves at_ at the value.
  std::string read_key() {
    if (peek() != '"') fail_syntax_from_start("malformed JSON: expected a key in quotes");
    const std::size_t end = find_end();
    std::string key(window_.text().substr(at_ + 1, end - at_ - 2));
    at_ = end;
    skip_spaces();
    if (peek() != ':') fail_syntax_from_start("malformed JSON: expected a colon behind the key");
    ++at_;
    skip_spaces();
    // Of a single object the decoder finds the others.
    constexpr std::size_t kMaxKeys = 1000;
    if (keys_.size() < kMaxKeys && !keys_.insert(key).second) fail_here("the key occurs twice", key);
    return key;
  }

  /// For an error in the shell: what a parser would say of the text so far, else `message`.
  [[noreturn]] void fail_syntax_from_start(std::string message) { fail_here(std::move(message)); }

  static std::string kind_of_items(std::string_view quoted) {
    const std::string_view kind = quoted.substr(1, quoted.size() - 2);
    return kind.ends_with("List") ? std::string(kind.substr(0, kind.size() - 4)) : std::string{};
  }

  /// What a field of a List, whose value is from at_ to `end`, says about the kind of the items.
  void read_list_kind(const std::string& key, std::size_t end, std::string& list_kind) {
    if (key != "kind" && key != "apiVersion") return;
    const char first = peek();
    if (first != '"' && first != 'n') {
      validate_value(at_, end);
      fail_here("expected a string", key);
    }
    if (key == "kind" && first == '"') list_kind = kind_of_items(window_.text().substr(at_, end - at_));
  }

  /// The items of a List, at '[', and the rest of the List behind them.
  void read_items(std::string list_kind) {
    validate_shell(0, at_);
    loader_.saw_objects = true;
    ++at_;
    skip_spaces();
    if (peek() == ']') {
      ++at_;
    } else {
      for (std::size_t index = 0;; ++index) {
        loader_.expect(window_.offset() + at_, window_.size());
        read_item(list_kind, index);
        skip_spaces();
        const char next = peek();
        if (next != ',' && next != ']') {
          fail_here("malformed JSON: expected a comma or the end of the list",
                    fmt::format("items[{}]", index));
        }
        ++at_;
        if (next == ']') break;
        skip_spaces();
      }
    }
    window_.drop(std::exchange(at_, 0));
    read_list_tail(list_kind);
    for (Deferred& item : std::exchange(deferred_, {})) {
      item.text.reserve(item.text.size() + Window::kPadding);
      decode(item.text, item.position, fmt::format("items[{}]", item.index), list_kind);
    }
  }

  void read_item(const std::string& list_kind, std::size_t index) {
    const std::string field = fmt::format("items[{}]", index);
    if (peek() != '{') fail_here("malformed JSON: expected an object", field);
    // The blanks between the beginning of the line and the item.
    const std::string_view before = window_.text().substr(0, at_);
    const std::size_t line = before.rfind('\n');
    std::string indentation;
    bool indented = line != std::string_view::npos;
    if (indented) {
      indentation = before.substr(line + 1);
      indented = indentation.find_first_not_of(" \t") == std::string::npos;
    }
    window_.drop(std::exchange(at_, 0));
    item_ = field;
    at_ = indented ? find_indented_end(indentation) : kIncomplete;
    if (at_ != kIncomplete && try_add_object(at_, field, list_kind, index)) {
      // The guess was right.
    } else {
      at_ = 0;
      at_ = find_end();
      add_object(index, at_, field, list_kind);
    }
    item_.clear();
    window_.drop(std::exchange(at_, 0));
  }

  /// The fields of a List behind its items.
  void read_list_tail(std::string& list_kind) {
    while (true) {
      skip_spaces();
      if (peek() == '}') {
        ++at_;
        window_.drop(std::exchange(at_, 0));
        return;
      }
      if (peek() != ',') fail_here("malformed JSON: expected a comma or the end of the object");
      ++at_;
      skip_spaces();
      const std::string key = read_key();
      const std::size_t end = find_end();
      validate_value(at_, end);
      read_list_kind(key, end, list_kind);
      at_ = end;
    }
  }

  /// The fields of a List before its items: each value must be JSON.
  void validate_shell(std::size_t begin, std::size_t end) {
    std::string shell(window_.text().substr(begin, end - begin));
    shell += "[]}";
    if (const auto error = find_syntax_error(shell))
      fail_at_offset(error->offset, error->message, error->field);
  }

  void validate_value(std::size_t begin, std::size_t end) {
    const std::string_view value = window_.text().substr(begin, end - begin);
    if (const auto error = find_syntax_error(value)) fail_at_offset(begin + error->offset, error->message);
  }

  /// Decodes the first `size` bytes of the window if they are JSON.
  bool try_add_object(std::size_t size, const std::string& field, const std::string& list_kind,
                      std::size_t index) {
    Element root;
    const std::string_view text = window_.text().substr(0, size);
    if (parser_.parse(text.data(), text.size(), false).get(root) != simdjson::SUCCESS) return false;
    add(root, text, field, list_kind, index);
    return true;
  }

  void add_object(std::size_t index, std::size_t size, const std::string& field,
                  const std::string& list_kind) {
    if (try_add_object(size, field, list_kind, index)) return;
    const std::string_view text = window_.text().substr(0, size);
    fail_syntax(text, window_.position(), field);
  }

  [[noreturn]] void fail_syntax(std::string_view text, Position begin, std::string field) {
    SyntaxError error{.offset = 0, .field = {}, .message = "malformed JSON"};
    if (auto found = find_syntax_error(text)) error = *std::move(found);
    const Position position = JsonSourceText(text, begin).position_of_offset(error.offset);
    if (!error.field.empty()) {
      if (!field.empty() && error.field.front() != '[') field += '.';
      field += error.field;
    }
    throw DecodeError{Error{
        .where = {.file = file_, .line = position.line, .column = position.column, .field = std::move(field)},
        .message = std::move(error.message)}};
  }

  void add(Element root, std::string_view text, const std::string& field, const std::string& list_kind,
           std::size_t index) {
    Element kind;
    const bool has_kind = !root.is_object() || root.at_key("kind").get(kind) == simdjson::SUCCESS;
    if (!has_kind && list_kind.empty() && !field.empty()) {
      defer(root, text, field, index);
      return;
    }
    const JsonSourceText source(text, window_.position());
    loader_.decoder().begin(file_, source, field);
    loader_.add(root, list_kind);
  }

  /// Keeps an item until the kind of its List is known. An object without a name will never be one.
  void defer(Element root, std::string_view text, const std::string& field, std::size_t index) {
    const JsonSourceText source(text, window_.position());
    loader_.decoder().begin(file_, source, field);
    std::string_view name;
    if (root["metadata"]["name"].get(name) != simdjson::SUCCESS)
      loader_.decoder().fail_at("kind", "is required");
    deferred_bytes_ += text.size() + sizeof(Deferred);
    if (deferred_bytes_ > kMaxObject_bytes) {
      loader_.decoder().fail_at("kind", fmt::format("is required: the List does not say its kind before its "
                                                    "items, and they are more than {} MiB",
                                                    kMaxObject_bytes >> 20));
    }
    deferred_.push_back({.text = std::string(text), .position = window_.position(), .index = index});
  }

  void decode(std::string_view text, Position position, const std::string& field,
              const std::string& list_kind) {
    Element root;
    if (parser_.parse(text.data(), text.size(), false).get(root) != simdjson::SUCCESS) {
      fail_syntax(text, position, field);
    }
    const JsonSourceText source(text, position);
    loader_.decoder().begin(file_, source, field);
    loader_.add(root, list_kind);
  }

  Window& window_;
  const std::string& file_;
  Loader& loader_;
  simdjson::dom::parser parser_;
  std::size_t at_ = 0;                    // within window_.text()
  std::unordered_set<std::string> keys_;  // of the List or single object
  std::string item_;                      // the field of the item that is being read
  std::vector<Deferred> deferred_;
  std::size_t deferred_bytes_ = 0;
};

}  // namespace

void read_json(Window& window, const std::string& file, Loader& loader) {
  JsonReader(window, file, loader).read();
}

}  // namespace reprieve::manifest
