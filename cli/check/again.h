// The words of a command that shows a finding again, wherever it is run: what names a file names it in full.
#pragma once

#include <string>

namespace reprieve::cli {

/// As one word of a shell.
std::string shell_quoted(const std::string& text);

/// A path from the root; itself when it cannot be told.
std::string absolute(const std::string& path);

/// The same, as one word of a shell.
std::string full_path(const std::string& path);

/// A command whose words are names of files that are here names them in full; one with quotes is left alone.
std::string full_command(const std::string& command);

}  // namespace reprieve::cli
