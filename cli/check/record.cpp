#include "reprieve/cli/check/record.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "reprieve/cli/check/gzip_lines.h"
#include "reprieve/manifest/protocol.h"

namespace reprieve::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Lines in the order of their first mention, each found by its request.
class Lines {
 public:
  std::expected<void, std::string> read(const std::string& path) {
    const auto lines = read_gzip_lines(path);
    if (!lines) return std::unexpected(lines.error());
    for (const std::string& line : *lines) {
      const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!json.is_object() || !json.contains("request") || !json.contains("expect")) {
        return std::unexpected(fmt::format("{} holds a line that is no recorded decision", path));
      }
      expectations(json["request"].dump()) = json["expect"];
    }
    return {};
  }

  Json& expectations(const std::string& request) {
    const auto [found, added] = places_.try_emplace(request, lines_.size());
    if (added) lines_.emplace_back(request, Json::object());
    return lines_[found->second].second;
  }

  /// Beside the file first, so that a full disk leaves the old one.
  std::expected<void, std::string> write(const std::string& path) const {
    const std::string beside = path + ".new";
    const gzFile file = gzopen(beside.c_str(), "wb9");
    if (file == nullptr) return std::unexpected(fmt::format("{}: cannot be written", path));
    bool written = true;
    for (const auto& [request, expect] : lines_) {
      const std::string line = fmt::format("{{\"request\":{},\"expect\":{}}}\n", request, expect.dump());
      written = written && gzwrite(file, line.data(), static_cast<unsigned>(line.size())) > 0;
    }
    written = gzclose(file) == Z_OK && written;
    std::error_code failed;
    if (written) fs::rename(beside, path, failed);
    if (!written || failed) return std::unexpected(fmt::format("{}: cannot be written", path));
    return {};
  }

 private:
  std::vector<std::pair<std::string, Json>> lines_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

void Recording::add(std::uint64_t seed, const Case& question, const Decision& decision) {
  if (decision.outcome == Outcome::kError) return;
  Json request = Json::parse(manifest::write_request(question), nullptr, /*allow_exceptions=*/false);
  // The release is told by the answer's key, so that a request stands once for all releases.
  if (!question.policy.sampling) {
    request.erase("policy");
  } else if (request["policy"].is_object()) {
    request["policy"]["spec"] = {{"sampling", request["policy"]["spec"]["sampling"]}};
  }
  entries_[seed] = {request.dump(), std::string(to_string(question.policy.release)),
                    manifest::write_response(question.name, decision)};
}

void Recording::merge(Recording&& other) { entries_.merge(other.entries_); }

std::expected<std::size_t, std::string> Recording::write(const std::string& path) const {
  Lines lines;
  std::error_code failed;
  if (fs::exists(path, failed)) {
    if (const auto read = lines.read(path); !read) return std::unexpected(read.error());
  }
  for (const auto& [seed, entry] : entries_) {
    lines.expectations(entry.request)[entry.release] =
        Json::parse(entry.response, nullptr, /*allow_exceptions=*/false);
  }
  if (const auto written = lines.write(path); !written) return std::unexpected(written.error());
  return entries_.size();
}

}  // namespace reprieve::cli
