// Files, folders and texts: which are JSON, which are YAML, and what they ask together.
#include "reprieve/manifest/read.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "reprieve/manifest/loader.h"
#include "reprieve/manifest/read_json.h"
#include "reprieve/manifest/window.h"
#include "reprieve/manifest/yaml_tree.h"

namespace reprieve::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxYaml_bytes = std::size_t{32} << 20;

[[noreturn]] void fail(const std::string& file, std::string message, Position position = {0, 0}) {
  throw DecodeError{
      Error{.where = {.file = file, .line = position.line, .column = position.column, .field = {}},
            .message = std::move(message)}};
}

/// The first byte that cannot stand in YAML, or npos: text ends in the middle of a character only when
/// it is cut.
std::size_t find_binary(std::string_view text) {
  const std::size_t nul = text.find('\0');
  const std::size_t invalid =
      simdjson::validate_utf8(text) ? std::string_view::npos : find_invalid_utf8(text);
  return std::min(nul, invalid);
}

void refuse_binary(std::string_view text, const std::string& file, bool whole) {
  const std::size_t at = find_binary(text);
  if (at == std::string_view::npos) return;
  if (!whole && text.size() - at < 4) return;  // the rest of the character may follow
  fail(file, text[at] == '\0' ? "a NUL byte: this is neither YAML nor JSON" : "invalid UTF-8",
       position_of(text, at));
}

void read_yaml(Window& window, const std::string& file, Loader& loader) {
  refuse_binary(window.text(), file, false);
  while (window.text().size() <= kMaxYaml_bytes && window.extend()) {
  }
  const std::string_view text = window.text();
  if (text.size() > kMaxYaml_bytes) {
    fail(file, fmt::format("YAML above {} MiB is not read: it takes too long; use kubectl's -o json",
                           kMaxYaml_bytes >> 20));
  }
  refuse_binary(text, file, true);
  YamlReader reader(text, file);
  simdjson::dom::parser parser;
  YamlDocument document;
  while (reader.next(document)) {
    if (document.nodes.empty()) continue;
    const YamlNode& root = document.nodes[document.root];
    if (root.kind == YamlNode::Kind::kNull) continue;  // nothing between two "---"
    std::string json = to_json(document);
    json.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    Element element;
    const auto code = parser.parse(json.data(), json.size(), false).get(element);
    if (code != simdjson::SUCCESS) {
      fail(file, fmt::format("malformed YAML: {}", simdjson::error_message(code)), {root.line, root.column});
    }
    const YamlSourceText source(document, json);
    loader.decoder().begin(file, source, {});
    loader.add(element, {});
  }
}

/// JSON or YAML, told by the first bytes.
void read_source(ByteSource& source, const std::string& file, Loader& loader) {
  Window window(source);
  window.extend();
  if (window.text().starts_with("\xef\xbb\xbf")) window.drop(3);  // byte order mark
  const auto first_of = [&](std::size_t from) {
    constexpr std::string_view kBlanks = " \t\r\n";
    while (true) {
      const std::size_t at = window.text().find_first_not_of(kBlanks, from);
      if (at != std::string_view::npos) return at;
      if (from == 0) window.drop(window.text().size());  // any number of blanks takes no memory
      if (!window.extend()) return at;
    }
  };
  const std::size_t first = first_of(0);
  if (first == std::string_view::npos) fail(file, "the input is empty");
  bool is_json = false;
  if (window.text()[first] == '{') {
    // A YAML flow map may begin so too, but seldom with a quoted key.
    const std::size_t second = first_of(first + 1);
    is_json =
        second == std::string_view::npos || window.text()[second] == '"' || window.text()[second] == '}';
  } else if (window.text()[first] == '[') {
    fail(file, "expected an object or a List of objects, got a bare list", position_of(window.text(), first));
  }
  if (is_json) {
    read_json(window, file, loader);
  } else {
    read_yaml(window, file, loader);
  }
}

bool is_manifest(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

/// The files of a folder and of the folders in it, sorted by name.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (is_manifest(at->path()) && at->is_regular_file(ignored)) files.push_back(at->path().string());
  }
  if (error) fail(folder, fmt::format("cannot be read: {}", error.message()));
  if (files.empty()) fail(folder, "no *.yaml, *.yml or *.json file in this folder");
  std::ranges::sort(files);
  return files;
}

/// Runs what reads, and turns what it throws into an error.
template <class Read>
std::expected<Input, Error> load(const std::string& file, const Read& read) {
  WarningList warnings;
  Loader loader(&warnings);
  try {
    read(loader);
    if (!loader.saw_objects) fail(file, "no object in the input");
    loader.finish();
  } catch (const DecodeError& failure) {
    return std::unexpected(failure.error);
  } catch (const std::exception& failure) {
    return std::unexpected(
        Error{.where = {.file = file, .line = 0, .column = 0, .field = {}}, .message = failure.what()});
  }
  return Input{.cluster = std::move(loader.cluster),
               .case_spec = std::move(loader.case_spec),
               .policy = std::move(loader.policy),
               .warnings = warnings.take(),
               .preemptor_place = std::move(loader.preemptor_place),
               .finished_pods = std::move(loader.finished_pods)};
}

}  // namespace

std::expected<Input, Error> read_files(const std::vector<std::string>& paths) {
  return load(paths.size() == 1 ? paths.front() : std::string{}, [&](Loader& loader) {
    for (const std::string& path : paths) {
      std::error_code ignored;
      const bool is_folder = path != "-" && fs::is_directory(path, ignored);
      for (const std::string& file : is_folder ? files_of(path) : std::vector<std::string>{path}) {
        const std::unique_ptr<ByteSource> source = open_source(file);
        read_source(*source, file, loader);
      }
    }
  });
}

std::expected<Input, Error> read_text(std::string_view text, const std::string& file) {
  return load(file, [&](Loader& loader) {
    const std::unique_ptr<ByteSource> source = text_source(text);
    read_source(*source, file, loader);
  });
}

std::expected<std::size_t, Error> find_preemptor(const Input& input) {
  if (!input.case_spec)
    return std::unexpected(Error{.where = {}, .message = "no PreemptionCase document in the input"});
  const std::string& name = input.case_spec->preemptor;
  const auto wrong = [&](std::string message) {
    return std::unexpected(Error{.where = input.preemptor_place, .message = std::move(message)});
  };
  const auto& pods = input.cluster.pods;
  const auto found = std::ranges::find_if(pods, [&](const Pod& pod) { return full_name(pod) == name; });
  if (found == pods.end()) {
    if (std::ranges::find(input.finished_pods, name) != input.finished_pods.end())
      return wrong(fmt::format("pod {} has finished", name));
    return wrong(fmt::format("no pod {} in the input", name));
  }
  if (!found->node_name.empty())
    return wrong(fmt::format("pod {} already runs on node {}", name, found->node_name));
  return static_cast<std::size_t>(found - pods.begin());
}

std::expected<Case, Error> to_case(const Input& input) {
  if (auto preemptor = find_preemptor(input); !preemptor)
    return std::unexpected(std::move(preemptor.error()));
  const CaseSpec& spec = *input.case_spec;
  return Case{.name = spec.name,
              .cluster = input.cluster,
              .preemptor = spec.preemptor,
              .policy = spec.policy,
              .extenders = spec.extenders};
}

}  // namespace reprieve::manifest
