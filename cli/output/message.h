// What is said on standard error, and how text from the input is made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace reprieve::cli {

/// Writes `text` to standard error as it is. Never fails: where nobody can read it (a full disk, a
/// closed descriptor), the exit code alone speaks.
void to_stderr(std::string_view text);

/// Writes one line, "KIND: TEXT", with what would forge another line or reach the terminal escaped.
void say(std::string_view kind, std::string_view text);

/// Opens /dev/null as standard error when that is closed, lest the next file that is opened take its
/// place and be written into.
void keep_stderr_taken();

/// Control characters (C0, DEL and the C1 of UTF-8) as \n, \t, \x1b, \u009b; the rest as it is.
std::string printable(std::string_view text);

}  // namespace reprieve::cli
