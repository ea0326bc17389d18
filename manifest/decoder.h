// What every decoder of a kind is written with: fields of an object, elements of a list, typed
// scalars, and errors that know their place. Internal to manifest/.
//
// JSON and YAML both arrive here as simdjson's tree: a YAML document is first converted to JSON, as
// kubectl does (sigs.k8s.io/yaml), so that each kind has one decoder. Inside manifest/ an error is
// thrown as DecodeError and caught at the public functions: the happy path then reads like the
// manifest that it reads.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "reprieve/manifest/error.h"
#include "reprieve/manifest/json_text.h"
#include "reprieve/model/labels.h"
#include "reprieve/model/node.h"
#include "reprieve/model/pod.h"

namespace reprieve::manifest {

using Element = simdjson::dom::element;

struct DecodeError {
  Error error;
};

/// The text an object was decoded from.
class SourceText {
 public:
  virtual ~SourceText() = default;
  /// Where in the file the value at the end of the path stands.
  virtual Position position(std::span<const Step> path) const = 0;
  /// The line of an object, cheap and good enough to point at the object.
  virtual std::size_t object_line(std::span<const Step> path) const = 0;
  /// The scalar there as it was written.
  virtual std::string written(std::span<const Step> path) const = 0;
};

/// JSON text that begins at a line and column of its file.
class JsonSourceText final : public SourceText {
 public:
  JsonSourceText(std::string_view text, Position begin) : text_(text), begin_(begin) {}
  Position position(std::span<const Step> path) const override;
  Position position_of_offset(std::size_t offset) const;
  std::size_t object_line(std::span<const Step>) const override { return begin_.line; }
  std::string written(std::span<const Step> path) const override;

 private:
  std::string_view text_;
  Position begin_;
};

/// RFC 3339, as Go reads it; what is finer than a microsecond is cut off.
std::optional<TimeUs> parse_time(std::string_view text);

/// Collects warnings: each message once, with a count and the first place.
class WarningList {
 public:
  /// `place` is asked for only the first time.
  template <class Place>
  void add(std::string_view message, const Place& place, std::size_t count = 1) {
    const auto found = warnings_.find(message);
    if (found != warnings_.end()) {
      found->second.count += count;
    } else {
      warnings_.emplace(message, Warning{.message = std::string(message), .count = count, .first = place()});
    }
  }
  /// Sorted by message.
  std::vector<Warning> take();

 private:
  std::map<std::string, Warning, std::less<>> warnings_;
};

/// Whether a key occurs twice in an object. Most objects have few keys, and there are many objects: making
/// one of these sets nothing but two numbers and a pointer.
class KeySet {
 public:
  KeySet() {}  // not defaulted: few_ stays as it is
  /// False when it was there already.
  bool insert(std::string_view key);

 private:
  struct Key {
    const char* data;
    std::size_t size;
    bool operator==(std::string_view other) const { return std::string_view(data, size) == other; }
  };
  std::array<Key, 24> few_;  // the first count_
  std::size_t count_ = 0;
  std::uint64_t seen_ = 0;  // a bit for the length and the ends of each
  std::unique_ptr<std::unordered_set<std::string_view>> many_;
};

class Decoder {
 public:
  /// `warnings` may be null: nobody will read them.
  explicit Decoder(WarningList* warnings) : warnings_(warnings) {}

  /// From here on, values are of this text. `prefix` is the path of its root: "items[3]" or empty.
  void begin(std::string_view file, const SourceText& text, std::string_view prefix);

  /// Where the value that is being decoded stands.
  Location here() const;
  /// Where a field of it stands, "metadata.name"; if there is none, the part of the way that exists.
  Location at(std::string_view field) const;
  Location at(std::span<const Step> field) const;
  std::string path() const;
  std::size_t object_line() const { return text_->object_line(path_); }
  const std::string& file() const { return file_; }

  [[noreturn]] void fail(std::string message) const;
  [[noreturn]] void fail_at(std::string_view field, std::string message) const;
  [[noreturn]] void fail_at(std::span<const Step> field, std::string message) const;
  [[noreturn]] void fail_unknown_field() const;
  void warn(std::string_view message);
  bool wants_warnings() const { return warnings_ != nullptr; }
  WarningList* warnings() { return warnings_; }

  /// For a field that a decoder does not read: warns unless it is known not to matter.
  void ignore(std::string_view key, std::span<const std::string_view> cannot_matter,
              std::string_view warning);

  /// Calls f(key, value) for each field that is not null: to the API null is the same as absent.
  template <class F>
  void fields(Element value, F&& f) {
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) fail_type("an object", value);
    KeySet seen;
    for (auto at = object.begin(); at != object.end(); ++at) {
      const std::string_view key = at.key();
      step_into(key, 0);
      if (!seen.insert(key)) fail("the key occurs twice");
      const Element field = at.value();
      if (!field.is_null()) f(key, field);
      path_.pop_back();
    }
  }

  /// Calls f(value) for each element.
  template <class F>
  void elements(Element value, F&& f) {
    simdjson::dom::array array;
    if (value.get(array) != simdjson::SUCCESS) fail_type("a list", value);
    std::size_t index = 0;
    for (const Element element : array) {
      step_into({}, index++);
      f(element);
      path_.pop_back();
    }
  }

  /// Calls f(key, value) for each entry of a map, null ones included.
  template <class F>
  void entries(Element value, F&& f) {
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) fail_type("an object", value);
    for (auto at = object.begin(); at != object.end(); ++at) {
      step_into(at.key(), 0);
      f(at.key(), at.value());
      path_.pop_back();
    }
  }

  std::string_view text(Element value) const;
  bool boolean(Element value) const;
  std::int64_t integer(Element value, std::int64_t low, std::int64_t high) const;
  std::int32_t int32(Element value) const;
  TimeUs time(Element value) const;  // RFC 3339
  Quantity quantity(Element value, bool cpu) const;

  /// One of the allowed words.
  template <class Value, std::size_t N>
  Value choice(Element value, const std::pair<std::string_view, Value> (&allowed)[N]) const {
    std::string_view word;
    const bool is_text = value.get(word) == simdjson::SUCCESS;
    for (const auto& [name, meaning] : allowed) {
      if (is_text && word == name) return meaning;
    }
    std::string names;
    for (const auto& [name, meaning] : allowed) {
      if (name.empty()) continue;
      if (!names.empty()) names += ", ";
      names += name;
    }
    if (!is_text) fail_type("one of " + names, value);
    fail_unknown_word(word, names);
  }

  std::vector<std::string> texts(Element value);
  void labels(Element value, Labels& out);
  ResourceList resources(Element value);

  [[noreturn]] void fail_type(std::string_view expected, Element value) const;
  [[noreturn]] void fail_unknown_word(std::string_view word, std::string_view allowed) const;

 private:
  /// Written in its place: a step that is made elsewhere in parts and then copied whole is waited for.
  void step_into(std::string_view key, std::size_t index) {
    Step& step = path_.emplace_back();
    step.key = key;
    step.index = index;
  }

  WarningList* warnings_;
  std::string file_;
  std::string prefix_;
  const SourceText* text_ = nullptr;
  std::vector<Step> path_;
};

// Parts that several kinds share.

struct Metadata {
  std::string namespace_ = "default";
  std::string name;
  std::string uid;
  Labels labels;
  std::optional<TimeUs> creation_time_us;
  std::optional<TimeUs> deletion_time_us;
  std::string owner_pod_uid;  // of the controller, when it is a Pod
  Labels annotations;         // when asked for
};

enum class Annotations { kSkip, kRead };
enum class Scope { kNamespaced, kCluster };

/// metadata of an object; an error when the name is missing.
void decode_metadata(Decoder& decoder, Element value, Annotations annotations, Metadata& metadata);
/// To be called when an object has been read: a name is required.
void require_name(const Decoder& decoder, const std::string& name);

LabelSelector decode_label_selector(Decoder& decoder, Element value);
NodeSelector decode_node_selector(Decoder& decoder, Element value);
NodeSelectorTerm decode_node_selector_term(Decoder& decoder, Element value);

}  // namespace reprieve::manifest
