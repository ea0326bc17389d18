// The two loops that look at every byte of a dump, as many bytes at a time as the processor can. Internal to
// manifest/.
#pragma once

#include <cstddef>
#include <string_view>

namespace reprieve::manifest::scan {

std::size_t count_newlines(std::string_view text);

/// The first newline at or behind `at` that is not followed, `width` bytes and one on, by `blank`: where a
/// line ends the value, if it is indented by blanks. Near the end of the text, where it cannot be seen what
/// follows, every newline is found; npos when there is none. Made for text in which most lines are passed
/// over.
std::size_t skip_indented_lines(std::string_view text, std::size_t at, std::size_t width, char blank);

/// The same for every processor, 32 bytes at a time.
namespace portable {
std::size_t count_newlines(std::string_view text);
std::size_t skip_indented_lines(std::string_view text, std::size_t at, std::size_t width, char blank);
}  // namespace portable

}  // namespace reprieve::manifest::scan
