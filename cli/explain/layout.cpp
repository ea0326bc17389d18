#include "reprieve/cli/explain/layout.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "reprieve/cli/output/table.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidest = 160;  // longer lines are hard to read
constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastText = 10;  // of a column that wraps
constexpr std::size_t kLeastName = 18;  // of one that is elided

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The first `count` code points, as bytes.
std::size_t bytes_of(std::string_view text, std::size_t points) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (!continues(text[at]) && points-- == 0) break;
  }
  return at;
}

std::size_t narrowest(const FittedTable::Column& column) {
  return column.give == Give::kElide ? kLeastName : std::max(kLeastText, display_width(column.head));
}

// The lines of a cell; a word longer than the width is elided.
std::vector<std::string> split(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  const std::string broken = wrapped(text, width);
  for (std::size_t at = 0; at < broken.size();) {
    const std::size_t end = broken.find('\n', at);
    lines.push_back(elided(broken.substr(at, end - at), width));
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::size_t output_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
  }
  if (const char* columns = std::getenv("COLUMNS")) {
    const long width = std::strtol(columns, nullptr, 10);
    if (width > 0 && width < 10'000) return std::clamp(static_cast<std::size_t>(width), kNarrowest, kWidest);
  }
  return 80;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t first, std::size_t rest) {
  std::string out(first, ' ');
  std::size_t column = first;
  bool begin = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const std::size_t length = display_width(word);
    if (!begin && column + 1 + length > width) {
      out += '\n';
      out.append(rest, ' ');
      column = rest;
      begin = true;
    }
    if (!begin) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    begin = false;
  }
  return out + '\n';
}

std::string elided(const std::string& text, std::size_t width) {
  const std::size_t length = display_width(text);
  if (length <= width) return text;
  if (width <= 3) return text.substr(0, bytes_of(text, width));
  const std::size_t tail = (width - 3) / 2;
  const std::size_t head = width - 3 - tail;
  return text.substr(0, bytes_of(text, head)) + "..." + text.substr(bytes_of(text, length - tail));
}

void FittedTable::add(std::vector<std::string> cells, Colour colour) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), colour});
}

std::vector<std::size_t> FittedTable::widths() const {
  std::vector<std::size_t> all;
  for (const Column& column : columns_) all.push_back(display_width(column.head));
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], display_width(row.cells[i]));
  }
  return all;
}

std::size_t FittedTable::full_width(std::size_t indent) const {
  std::size_t total = indent + kGap * (columns_.empty() ? 0 : columns_.size() - 1);
  for (const std::size_t column : widths()) total += column;
  return total;
}

std::size_t FittedTable::least_width(std::size_t indent) const {
  const std::vector<std::size_t> full = widths();
  std::size_t total = indent + kGap * (full.empty() ? 0 : full.size() - 1);
  for (std::size_t i = 0; i < full.size(); ++i)
    total += columns_[i].give == Give::kNothing ? full[i] : std::min(full[i], narrowest(columns_[i]));
  return total;
}

std::string FittedTable::to_string(std::size_t width, std::size_t indent) const {
  std::vector<std::size_t> widths = this->widths();
  std::size_t total = indent + kGap * (widths.empty() ? 0 : widths.size() - 1);
  for (const std::size_t w : widths) total += w;
  while (total > width) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (columns_[i].give == Give::kNothing || widths[i] <= narrowest(columns_[i])) continue;
      if (widest == nullptr || widths[i] > *widest) widest = &widths[i];
    }
    if (widest == nullptr) break;
    --*widest;
    --total;
  }
  // One row, as many lines as its tallest cell.
  const auto lines = [&](const std::vector<std::string>& cells, Colour colour) {
    std::vector<std::vector<std::string>> columns;
    std::size_t height = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      columns.push_back(columns_[i].give == Give::kWrap ? split(cells[i], widths[i])
                                                        : std::vector{elided(cells[i], widths[i])});
      height = std::max(height, columns.back().size());
    }
    std::string text;
    for (std::size_t row = 0; row < height; ++row) {
      std::string line(indent, ' ');
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string cell = row < columns[i].size() ? columns[i][row] : std::string();
        line += cell;
        line.append(widths[i] - std::min(widths[i], display_width(cell)) + kGap, ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += paint(colour, line) + '\n';
    }
    return text;
  };
  std::vector<std::string> heads;
  for (const Column& column : columns_) heads.push_back(column.head);
  std::string text = lines(heads, Colour::kBold);
  for (const Row& row : rows_) text += lines(row.cells, row.colour);
  return text;
}

}  // namespace reprieve::cli::explain
