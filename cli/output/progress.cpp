#include "reprieve/cli/output/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/terminal.h"

namespace reprieve::cli {

namespace {

constexpr double kSilentSeconds = 2;

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t width) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
  const std::string figures =
      fmt::format("  {}/{}  {}/s  {}", with_commas(done), with_commas(total),
                  with_commas(static_cast<std::uint64_t>(rate)),
                  rate > 0 ? duration(static_cast<double>(total - done) / rate) + " left" : "");
  const std::size_t taken = what.size() + figures.size() + 6;
  const std::size_t bar = width > taken + 10 ? std::min<std::size_t>(width - taken, 40) : 10;
  const std::size_t full = std::min(bar, static_cast<std::size_t>(share * static_cast<double>(bar)));
  return fmt::format("{}  [{}{}]{}", what, std::string(full, '#'), std::string(bar - full, '.'), figures);
}

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)), total_(total), terminal_(is_terminal(STDERR_FILENO)) {}

void Progress::draw() {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (!terminal_ || seconds < kSilentSeconds) return;
  const std::string line = progress_line(what_, done(), total_, seconds, terminal_width(STDERR_FILENO));
  to_stderr("\r\x1b[2K" + line);
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) to_stderr("\r\x1b[2K");
  drawn_ = false;
}

}  // namespace reprieve::cli
