// What the terminal can do: colour, width, whether somebody is looking.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reprieve::cli {

enum class Colour { kPlain, kBold, kDim, kRed, kGreen, kYellow };

/// True when `fd` is a terminal.
bool is_terminal(int fd);

/// Columns of the terminal at `fd`; 100 when it is none.
std::size_t terminal_width(int fd);

/// Text in colour, when standard output is a terminal, NO_COLOR is unset or empty (no-color.org)
/// and TERM is not "dumb".
std::string paint(Colour colour, std::string_view text);

}  // namespace reprieve::cli
