// Aligned columns in kubectl's habit: upper-case heads, three blanks between columns, no lines.
#pragma once

#include <string>
#include <vector>

#include "reprieve/cli/output/terminal.h"

namespace reprieve::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> heads) : heads_(std::move(heads)) {}

  /// As many cells as heads; control characters in them are escaped. `colour` is for the whole row.
  void add(std::vector<std::string> cells, Colour colour = Colour::kPlain);

  bool empty() const { return rows_.empty(); }

  /// Each line begins with `indent` blanks and ends with a newline; no blanks at the end of a line.
  std::string to_string(std::size_t indent = 0) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Colour colour;
  };
  std::vector<std::string> heads_;
  std::vector<Row> rows_;
};

/// How many columns a UTF-8 text takes (code points, which is enough for names and reasons).
std::size_t display_width(std::string_view text);

}  // namespace reprieve::cli
