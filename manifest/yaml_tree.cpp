#include "reprieve/manifest/yaml_tree.h"

#include <fmt/core.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/node/node.h>  // parser.h only declares it, which clang-tidy takes for reprieve::Node
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <spanstream>
#include <unordered_map>
#include <unordered_set>

namespace reprieve::manifest {
namespace {

/// How much larger the documents of a text may grow through their aliases.
constexpr std::uint64_t kMaxGrowth = 10;
constexpr std::uint64_t kFreeGrowth_bytes = std::uint64_t{1} << 20;
/// Below simdjson's limit of 1024.
constexpr std::uint32_t kMaxHeight = 1000;
constexpr std::size_t kMaxMerged = 1'000'000;

/// What all documents of a text together may still cost.
struct Budget {
  std::uint64_t bytes = 0;          // written out, aliases included
  std::size_t merges = kMaxMerged;  // fields looked at because of <<
};

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, Budget& budget) : file_(file), budget_(budget) {}

  YamlDocument document;
  int begin = -1;  // offset of the document

  void OnDocumentStart(const YAML::Mark& mark) override {
    begin = mark.pos;
    begin_mark_ = mark;
  }
  /// yaml-cpp 0.7 takes a bracket or comma that opens nothing for an empty document, and stays there.
  void require_progress(int previous_begin) const {
    if (begin == previous_begin)
      fail(begin_mark_, "malformed YAML: a bracket or comma that belongs to nothing");
  }
  void OnDocumentEnd() override {
    if (!document.nodes.empty()) budget_.bytes -= document.nodes[document.root].size_bytes;
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(finish(make(YamlNode::Kind::kNull, mark, anchor)));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(mark, "an alias to an anchor that does not exist");
    if (std::ranges::any_of(open_, [&](const Open& open) { return open.node == found->second; })) {
      fail(mark, "an anchor that refers to itself");
    }
    add(found->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // "?" is a plain scalar, "!" a quoted one; a tag may say that it is text.
    const bool plain = tag != "!" && tag != "tag:yaml.org,2002:str";
    const std::uint32_t node = make(plain ? YamlNode::Kind::kPlain : YamlNode::Kind::kQuoted, mark, anchor);
    document.nodes[node].text = value;
    add(finish(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({.node = make(YamlNode::Kind::kList, mark, anchor)});
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({.node = make(YamlNode::Kind::kMap, mark, anchor)});
  }
  void OnMapEnd() override {
    resolve_keys();
    close();
  }

 private:
  struct Open {
    std::uint32_t node = 0;
    std::unordered_set<std::string> keys;  // of a map
  };

  [[noreturn]] void fail(std::size_t line, std::size_t column, std::string message) const {
    std::string field;
    std::vector<Step> path;
    for (const Open& open : open_) {
      const YamlNode& node = document.nodes[open.node];
      if (node.kind == YamlNode::Kind::kList) {
        path.push_back({.key = {}, .index = node.children.size()});
      } else if (!node.children.empty()) {
        // Between a key and its value the key is the last child, else the key before it.
        const std::size_t key = (node.children.size() - 1) / 2 * 2;
        path.push_back({.key = document.nodes[node.children[key]].text});
      }
      if (path.size() > 20) break;
    }
    append_path(field, path);
    throw DecodeError{
        Error{.where = {.file = file_, .line = line, .column = column, .field = std::move(field)},
              .message = std::move(message)}};
  }
  [[noreturn]] void fail(const YAML::Mark& mark, std::string message) const {
    fail(static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1,
         std::move(message));
  }

  std::uint32_t make(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    const auto index = static_cast<std::uint32_t>(document.nodes.size());
    YamlNode& node = document.nodes.emplace_back();
    node.kind = kind;
    node.line = static_cast<std::uint32_t>(mark.line) + 1;
    node.column = static_cast<std::uint32_t>(mark.column) + 1;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = index;
    return index;
  }

  /// Works out size and height once the children are there.
  std::uint32_t finish(std::uint32_t index) {
    YamlNode& node = document.nodes[index];
    node.size_bytes = node.text.size() + 4;
    for (const std::uint32_t child : node.children) {
      const YamlNode& its = document.nodes[child];
      node.size_bytes += its.size_bytes;
      node.height = std::max(node.height, its.height + 1);
    }
    if (node.size_bytes > budget_.bytes) {
      fail(node.line, node.column, fmt::format("grows beyond {} times the text through aliases", kMaxGrowth));
    }
    if (node.height > kMaxHeight)
      fail(node.line, node.column, fmt::format("nested deeper than {} levels", kMaxHeight));
    return index;
  }

  void add(std::uint32_t child) {
    if (open_.empty()) {
      document.root = child;
      return;
    }
    Open& open = open_.back();
    YamlNode& parent = document.nodes[open.node];
    parent.children.push_back(child);
    const bool is_key = parent.kind == YamlNode::Kind::kMap && parent.children.size() % 2 == 1;
    if (!is_key) return;
    const YamlNode& key = document.nodes[child];
    if (key.kind == YamlNode::Kind::kList || key.kind == YamlNode::Kind::kMap) {
      fail(key.line, key.column, "a key must be a word");
    }
    if (!open.keys.insert(key.text).second) fail(key.line, key.column, "the key occurs twice");
  }

  void close() {
    const std::uint32_t node = open_.back().node;
    open_.pop_back();
    add(finish(node));
  }

  /// `<<: *base` takes over the fields of another map that are not given.
  void resolve_keys() {
    Open& open = open_.back();
    // A copy: adding to the map moves its children.
    const std::vector<std::uint32_t> children = document.nodes[open.node].children;
    std::vector<std::uint32_t> resolved;
    bool merged = false;
    for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
      const YamlNode& key = document.nodes[children[i]];
      if (key.kind != YamlNode::Kind::kPlain || key.text != "<<") {
        resolved.push_back(children[i]);
        resolved.push_back(children[i + 1]);
        continue;
      }
      merged = true;
      // An error here is about this key, not the last one.
      document.nodes[open.node].children.resize(i + 1);
      const YamlNode& value = document.nodes[children[i + 1]];
      std::vector<std::uint32_t> bases = {children[i + 1]};
      if (value.kind == YamlNode::Kind::kList) bases = value.children;
      for (const std::uint32_t base : bases) merge(open, document.nodes[base], key, resolved);
    }
    if (merged) document.nodes[open.node].children = std::move(resolved);
  }

  void merge(Open& open, const YamlNode& base, const YamlNode& key, std::vector<std::uint32_t>& resolved) {
    spend_merge(key);
    if (base.kind != YamlNode::Kind::kMap) fail(key.line, key.column, "<< needs a map, or a list of maps");
    for (std::size_t i = 0; i + 1 < base.children.size(); i += 2) {
      spend_merge(key);
      if (!open.keys.insert(document.nodes[base.children[i]].text).second) continue;
      resolved.push_back(base.children[i]);
      resolved.push_back(base.children[i + 1]);
    }
  }

  /// Counts what is looked at, not what is taken over: a field that is there already takes time too.
  void spend_merge(const YamlNode& key) {
    if (budget_.merges == 0) fail(key.line, key.column, "too many fields are taken over through <<");
    --budget_.merges;
  }

  const std::string& file_;
  Budget& budget_;
  YAML::Mark begin_mark_ = YAML::Mark::null_mark();
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, std::uint32_t> anchors_;
};

}  // namespace

struct YamlReader::State {
  State(std::string_view text, std::string name)
      : file(std::move(name)),
        stream(std::span(text)),
        parser(stream),
        budget{.bytes = kMaxGrowth * text.size() + kFreeGrowth_bytes} {}

  std::string file;
  std::ispanstream stream;
  YAML::Parser parser;
  Budget budget;
  int begin = -1;  // offset of the last document
};

YamlReader::YamlReader(std::string_view text, std::string file)
    : state_(std::make_unique<State>(text, std::move(file))) {}
YamlReader::~YamlReader() = default;

bool YamlReader::next(YamlDocument& document) {
  TreeBuilder builder(state_->file, state_->budget);
  try {
    if (!state_->parser.HandleNextDocument(builder)) return false;
    builder.require_progress(std::exchange(state_->begin, builder.begin));
  } catch (const YAML::DeepRecursion& error) {
    const YAML::Mark& mark = error.mark;
    throw DecodeError{Error{.where = {.file = state_->file,
                                      .line = static_cast<std::size_t>(mark.line) + 1,
                                      .column = static_cast<std::size_t>(mark.column) + 1,
                                      .field = {}},
                            .message = fmt::format("nested deeper than {} levels", error.depth())}};
  } catch (const YAML::Exception& error) {
    Location where{.file = state_->file, .line = 0, .column = 0, .field = {}};
    if (!error.mark.is_null()) {
      where.line = static_cast<std::size_t>(error.mark.line) + 1;
      where.column = static_cast<std::size_t>(error.mark.column) + 1;
    }
    throw DecodeError{Error{.where = std::move(where), .message = "malformed YAML: " + error.msg}};
  }
  document = std::move(builder.document);
  return true;
}

Position YamlSourceText::position(std::span<const Step> path) const {
  const auto& nodes = document_.nodes;
  std::uint32_t here = document_.root;
  for (const Step& step : path) {
    const YamlNode& node = nodes[here];
    if (step.key.data() == nullptr) {
      if (node.kind != YamlNode::Kind::kList || step.index >= node.children.size()) break;
      here = node.children[step.index];
      continue;
    }
    if (node.kind != YamlNode::Kind::kMap) break;
    std::size_t i = 0;
    while (i + 1 < node.children.size() && nodes[node.children[i]].text != step.key) i += 2;
    if (i + 1 >= node.children.size()) break;
    here = node.children[i + 1];
  }
  return {.line = nodes[here].line, .column = nodes[here].column};
}

}  // namespace reprieve::manifest
