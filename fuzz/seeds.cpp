#include "reprieve/fuzz/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/read.h"

namespace reprieve::fuzz {

namespace fs = std::filesystem;

std::expected<Case, std::string> read_case_file(const std::string& file) {
  const auto input = manifest::read_files({file});
  if (!input) return std::unexpected(manifest::to_string(input.error()));
  auto question = manifest::to_case(*input);
  if (!question) return std::unexpected(fmt::format("{}: {}", file, question.error().message));
  return *std::move(question);
}

std::expected<Bytes, std::string> read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::unexpected(file + ": cannot be read");
  const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  return Bytes(text.begin(), text.end());
}

std::expected<void, std::string> write_bytes(const std::string& file, const Bytes& bytes) {
  std::ofstream out(file, std::ios::binary);
  const std::vector<char> text(bytes.begin(), bytes.end());
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) return std::unexpected(file + ": cannot be written");
  return {};
}

std::expected<std::size_t, std::string> write_seeds(const std::string& folder, const std::string& out) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  if (files.empty()) return std::unexpected(folder + ": holds no case files");
  std::ranges::sort(files);
  const fs::path cases = fs::path(out) / "cases";
  const fs::path requests = fs::path(out) / "requests";
  for (const fs::path& kind : {cases, requests}) {
    fs::remove_all(kind, failed);
    fs::create_directories(kind, failed);
  }
  for (const fs::path& file : files) {
    const auto question = read_case_file(file.string());
    if (!question) return std::unexpected(question.error());
    const auto bytes = encode(*question);
    if (!bytes) {
      fmt::print(stderr, "warning: {}: {}; no seed is made of it\n", file.string(), bytes.error());
      continue;
    }
    const std::string line = manifest::write_request(*question);
    for (const auto& written :
         {write_bytes((cases / file.stem()).string(), *bytes),
          write_bytes((requests / file.stem()).string(), Bytes(line.begin(), line.end()))}) {
      if (!written) return std::unexpected(written.error());
    }
  }
  return files.size();
}

}  // namespace reprieve::fuzz
