#include "reprieve/cli/output/message.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

namespace reprieve::cli {

void to_stderr(std::string_view text) {
  // fmt::print would throw where it cannot write, and so would end what was about to end well. The
  // results are left alone for the same reason.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void say(std::string_view kind, std::string_view text) {
  to_stderr(fmt::format("{}: {}\n", kind, printable(text)));
}

void keep_stderr_taken() {
  if (fcntl(STDERR_FILENO, F_GETFD) != -1) return;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null == -1 || null == STDERR_FILENO) return;
  dup2(null, STDERR_FILENO);
  close(null);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F: U+009B begins a CSI
      out += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace reprieve::cli
