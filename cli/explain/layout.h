// Paragraphs and tables that fit a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/cli/output/terminal.h"

namespace reprieve::cli::explain {

/// Columns of the terminal at standard output; COLUMNS when there is none or it does not say; else 80.
std::size_t output_width();

/// The text broken at blanks so that no line is longer than `width`; a word that is longer stands
/// alone. The first line is indented by `first`, the others by `rest`. Ends in a newline.
std::string wrapped(std::string_view text, std::size_t width, std::size_t first = 0, std::size_t rest = 0);

/// How a column gets narrower: texts go on in the next line, names lose their middle, because their
/// ends tell them apart.
enum class Give { kNothing, kWrap, kElide };

/// Upper-case heads, left-aligned columns two blanks apart. When rows do not fit the width, the
/// widest column that gives way does.
class FittedTable {
 public:
  struct Column {
    std::string head;
    Give give = Give::kNothing;
  };

  explicit FittedTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells, Colour colour = Colour::kPlain);
  bool empty() const { return rows_.empty(); }
  std::string to_string(std::size_t width, std::size_t indent) const;
  /// The width with every cell in full; with each column that gives way at its narrowest.
  std::size_t full_width(std::size_t indent) const;
  std::size_t least_width(std::size_t indent) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Colour colour;
  };
  std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// At most `width` columns of the text, with "..." in the middle where something is left out.
std::string elided(const std::string& text, std::size_t width);

}  // namespace reprieve::cli::explain
