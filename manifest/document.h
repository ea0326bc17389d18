// A small ordered tree, built by the writers and printed as JSON or YAML. The order of keys is kept,
// because a manifest reads best in the order people write it.
//
// Why not a JSON library: printing here must never throw (invalid UTF-8 in a name must not take a
// protocol line down), YAML needs the same tree, and quantities are text in JSON but bare in YAML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reprieve::manifest {

class Document {
 public:
  enum class Kind : std::uint8_t {
    kText,    // a string; YAML quotes it when it could be read as something else
    kAmount,  // a string in JSON, bare in YAML: quantities ("2", "500m", "4Gi")
    kBare,    // a number, true, false or null
    kList,
    kMap,
  };

  static Document text(std::string_view value) { return Document(Kind::kText, value); }
  static Document amount(std::string_view value) { return Document(Kind::kAmount, value); }
  static Document number(std::int64_t value) { return Document(Kind::kBare, std::to_string(value)); }
  static Document boolean(bool value) { return Document(Kind::kBare, value ? "true" : "false"); }
  static Document null() { return Document(Kind::kBare, "null"); }
  static Document list() { return Document(Kind::kList, {}); }
  static Document map() { return Document(Kind::kMap, {}); }
  static Document texts(const std::vector<std::string>& values);

  /// Appends to a list. Returns itself.
  Document& add(Document value);
  /// Appends a key, which must be new, to a map. Returns itself.
  Document& set(std::string_view key, Document value);
  /// The same, unless the value is an empty list or map.
  Document& set_unless_empty(std::string_view key, Document value);

  Kind kind() const { return kind_; }
  const std::string& scalar() const { return scalar_; }
  const std::vector<Document>& items() const { return items_; }
  const std::vector<std::string>& keys() const { return keys_; }  // of a map, parallel to items()
  bool is_collection() const { return kind_ == Kind::kList || kind_ == Kind::kMap; }

 private:
  Document(Kind kind, std::string_view scalar) : kind_(kind), scalar_(scalar) {}

  Kind kind_;
  std::string scalar_;
  std::vector<Document> items_;
  std::vector<std::string> keys_;
};

/// Appends `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, so the
/// result is always valid JSON.
void append_json_string(std::string& out, std::string_view text);

/// Appends the document as JSON; `indent` < 0: on one line.
void append_json(std::string& out, const Document& document, int indent, int depth = 0);

/// Appends the document as block YAML, with what is small enough to be read at a glance in flow
/// style on one line. Ends in a newline. The document must be a map.
void append_yaml(std::string& out, const Document& document);

}  // namespace reprieve::manifest
