// YAML documents as a tree that knows its positions, and as JSON. Internal to manifest/.
//
// Why not YAML::Node: it keeps neither duplicate keys nor the difference between an alias and a copy,
// so a bomb of aliases and an anchor inside itself could only be found by falling for them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/manifest/decoder.h"

namespace reprieve::manifest {

struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kPlain, kQuoted, kList, kMap };
  Kind kind = Kind::kNull;
  std::string text;                     // of a scalar
  std::vector<std::uint32_t> children;  // of a map: key, value, key, value, ...; shared with aliases
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t height = 1;      // levels of nesting
  std::uint64_t size_bytes = 0;  // written out, aliases included
};

struct YamlDocument {
  std::vector<YamlNode> nodes;
  std::uint32_t root = 0;
};

/// Reads one document after the other. Throws DecodeError.
class YamlReader {
 public:
  YamlReader(std::string_view text, std::string file);
  ~YamlReader();
  /// False at the end.
  bool next(YamlDocument& document);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The document as JSON, the scalars resolved as sigs.k8s.io/yaml does.
std::string to_json(const YamlDocument& document);

/// For errors: positions from the tree, words from the JSON.
class YamlSourceText final : public SourceText {
 public:
  YamlSourceText(const YamlDocument& document, std::string_view json) : document_(document), json_(json) {}
  Position position(std::span<const Step> path) const override;
  std::size_t object_line(std::span<const Step> path) const override { return position(path).line; }
  std::string written(std::span<const Step> path) const override {
    return JsonSourceText(json_, {}).written(path);
  }

 private:
  const YamlDocument& document_;
  std::string_view json_;
};

}  // namespace reprieve::manifest
