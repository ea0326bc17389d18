#include "reprieve/cli/output/table.h"

#include <algorithm>

#include "reprieve/cli/output/message.h"

namespace reprieve::cli {

namespace {

constexpr std::size_t kGap = 3;

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 std::size_t indent) {
  std::string text(indent, ' ');
  for (std::size_t column = 0; column < cells.size(); ++column) {
    text += cells[column];
    if (column + 1 < cells.size()) text.append(widths[column] - display_width(cells[column]) + kGap, ' ');
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void Table::add(std::vector<std::string> cells, Colour colour) {
  cells.resize(heads_.size());
  // A name with a newline in it would forge a row, one with an escape sequence repaint the screen.
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back({std::move(cells), colour});
}

std::string Table::to_string(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (const std::string& head : heads_) widths.push_back(display_width(head));
  for (const Row& row : rows_) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      widths[column] = std::max(widths[column], display_width(row.cells[column]));
    }
  }
  std::string text = paint(Colour::kBold, line(heads_, widths, indent)) + "\n";
  for (const Row& row : rows_) text += paint(row.colour, line(row.cells, widths, indent)) + "\n";
  return text;
}

}  // namespace reprieve::cli
