// Case files and bytes as files of each other.
#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "reprieve/fuzz/codec.h"

namespace reprieve::fuzz {

/// The case of a case file. The errors here are one line, with the file.
std::expected<Case, std::string> read_case_file(const std::string& file);

std::expected<Bytes, std::string> read_bytes(const std::string& file);
std::expected<void, std::string> write_bytes(const std::string& file, const Bytes& bytes);

/// What a campaign begins with: each *.yaml below `folder` that is a case, as a file of its bytes in
/// `out`/cases and as a request line in `out`/requests. Both are emptied first. Cases that are out of the
/// codec's bounds are passed over with a warning; the tests see to it that there are none. How many there
/// were.
std::expected<std::size_t, std::string> write_seeds(const std::string& folder, const std::string& out);

}  // namespace reprieve::fuzz
