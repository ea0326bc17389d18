#include "reprieve/cli/check/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "reprieve/cli/check/gzip_lines.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/manifest/protocol.h"

namespace reprieve::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Appends the line's vectors; the error text is without the place.
std::optional<std::string> read_line(const std::string& line, manifest::ProtocolReader& reader,
                                     std::vector<Vector>& vectors) {
  Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("request") || !json.contains("expect") ||
      !json["request"].is_object()) {
    return "not an object with request and expect";
  }
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    const std::string version(to_string(release));
    if (!json["expect"].contains(version)) continue;
    // A policy that samples stays, but follows the release.
    const bool sampled = json["request"].contains("policy") && json["request"]["policy"].is_object();
    if (!sampled) json["request"]["policy"] = "kubernetes-" + version;
    auto question = reader.read_request(json["request"].dump());
    if (!question) return "request: " + question.error().message;
    if (sampled) question->policy = as_release(question->policy, release);
    auto response = reader.read_response(json["expect"][version].dump());
    if (!response) return fmt::format("expect.{}: {}", version, response.error());
    vectors.push_back(
        {std::move(*question), std::move(response->decision), json["expect"][version].contains("cleared")});
  }
  return std::nullopt;
}

}  // namespace

std::string vectors_of_corpus(const std::string& corpus) {
  std::error_code failed;
  const fs::path folder = fs::path(corpus) / "vectors";
  return fs::is_directory(folder, failed) ? folder.string() : std::string();
}

std::vector<std::string> vector_files(const std::string& path) {
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return {path};
  std::vector<std::string> files;
  for (auto at = fs::directory_iterator(path, failed); !failed && at != fs::end(at); at.increment(failed)) {
    if (at->path().filename().string().starts_with('.')) continue;
    const std::string name = at->path().string();
    if (name.ends_with(".jsonl.gz") || name.ends_with(".jsonl")) files.push_back(name);
  }
  std::ranges::sort(files);
  return files;
}

std::expected<std::vector<Vector>, std::string> read_vectors(const std::string& file) {
  const auto lines = read_gzip_lines(file);
  if (!lines) return std::unexpected(lines.error());
  manifest::ProtocolReader reader;
  std::vector<Vector> vectors;
  for (std::size_t i = 0; i < lines->size(); ++i) {
    if ((*lines)[i].empty()) continue;
    if (const auto wrong = read_line((*lines)[i], reader, vectors)) {
      return std::unexpected(fmt::format("{}:{}: {}", file, i + 1, *wrong));
    }
  }
  return vectors;
}

}  // namespace reprieve::cli
