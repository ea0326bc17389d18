#include "reprieve/cli/check/gzip_lines.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

namespace reprieve::cli {

std::expected<std::vector<std::string>, std::string> read_gzip_lines(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return std::unexpected(fmt::format("{}: cannot be opened", path));
  std::vector<std::string> lines;
  std::string line;
  std::array<char, 1 << 16> buffer{};
  int count = 0;
  while ((count = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    for (int i = 0; i < count; ++i) {
      if (buffer[static_cast<std::size_t>(i)] != '\n') {
        line += buffer[static_cast<std::size_t>(i)];
      } else {
        lines.push_back(std::move(line));
        line.clear();
      }
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  int code = Z_OK;
  const std::string message = gzerror(file, &code);
  gzclose(file);
  if (code != Z_OK && code != Z_STREAM_END) return std::unexpected(fmt::format("{}: {}", path, message));
  return lines;
}

}  // namespace reprieve::cli
