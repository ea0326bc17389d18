#include "reprieve/cli/output/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace reprieve::cli {

namespace {

bool wants_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term != nullptr && std::string_view(term) == "dumb") return false;
  return is_terminal(STDOUT_FILENO);
}

std::string_view escape(Colour colour) {
  switch (colour) {
    case Colour::kPlain: return "";
    case Colour::kBold: return "\x1b[1m";
    case Colour::kDim: return "\x1b[2m";
    case Colour::kRed: return "\x1b[31m";
    case Colour::kGreen: return "\x1b[32m";
    case Colour::kYellow: return "\x1b[33m";
  }
  return "";
}

}  // namespace

bool is_terminal(int fd) { return isatty(fd) == 1; }

std::size_t terminal_width(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

std::string paint(Colour colour, std::string_view text) {
  static const bool coloured = wants_colour();
  if (!coloured || colour == Colour::kPlain) return std::string(text);
  return std::string(escape(colour)).append(text).append("\x1b[0m");
}

}  // namespace reprieve::cli
