// A command line as a person types it, into words.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace reprieve::subjects {

/// Splits at blanks; '...' and "..." quote, a backslash quotes the next character. A line that
/// asks for more of a shell than that (pipes, variables, wild cards, ...) becomes
/// {"/bin/sh", "-c", line}. The error (an open quote, no word) is one sentence.
std::expected<std::vector<std::string>, std::string> split_command(std::string_view line);

}  // namespace reprieve::subjects
