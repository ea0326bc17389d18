// Lines of a gzip file (or of a plain one: zlib tells them apart), of any length.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace reprieve::cli {

/// All lines without their newlines. The error is one sentence.
std::expected<std::vector<std::string>, std::string> read_gzip_lines(const std::string& path);

}  // namespace reprieve::cli
