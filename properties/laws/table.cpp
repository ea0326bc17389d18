#include "reprieve/properties/laws/table.h"

#include <fmt/format.h>

#include <string_view>

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {
namespace {

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

// The sentence without the stop that ends it, so that a note may follow.
std::string sentence_of(const Law& law) {
  return cell(law.sentence) + (law.needs_story ? " *(needs the story)*" : "");
}

std::string rows_of(std::span<const Law* const> laws) {
  std::string text =
      "| law | what it says | proved by | claimed for |\n"
      "|---|---|---|---|\n";
  for (const Law* law : laws) {
    text += fmt::format("| **{}** | {} <br> `{}` | {} | {} |\n", law->name, sentence_of(*law),
                        cell(law->statement), cell(law->theorem), cell(law->claimed_for_text));
  }
  return text;
}

}  // namespace

std::string markdown_tables() {
  std::string text = "### Of one decision\n\n" + rows_of(one_decision_laws());
  if (!two_decisions_laws().empty()) text += "\n### Of two decisions\n\n" + rows_of(two_decisions_laws());
  text +=
      "\n### Where they are not claimed\n\n"
      "| law | exception | when | smallest case |\n"
      "|---|---|---|---|\n";
  for (const Law* law : all_laws()) {
    for (const Exception& exception : law->exceptions) {
      text += fmt::format("| {} | {} | {} | [{}](../../corpus/{}) |\n", law->name, exception.name,
                          cell(exception.when), exception.smallest, exception.smallest);
    }
  }
  return text;
}

}  // namespace reprieve::laws
