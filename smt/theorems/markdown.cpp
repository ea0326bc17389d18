#include "reprieve/smt/theorems/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/smt/theorems/theorem.h"
#include "reprieve/smt/theorems/witness.h"

namespace reprieve::smt {
namespace {

std::string bounds_text(const Theorem& theorem) {
  if (theorem.kind == Kind::kUnbounded) return "every cluster";
  std::string text = fmt::format("up to {} in the tests", to_string(theorem.quick));
  if (theorem.usual != theorem.quick) text += fmt::format(", {} by default", to_string(theorem.usual));
  if (theorem.nightly != theorem.usual) text += fmt::format(", {} at night", to_string(theorem.nightly));
  return text;
}

std::string entry(const Theorem& theorem) {
  std::string text = fmt::format("### {}\n\n{}\n\n", theorem.name, theorem.sentence);
  text += fmt::format("- states: `{}`\n- about: {}{}\n", theorem.formal, theorem.about,
                      theorem.explored ? " (executed on every path)" : "");
  text += fmt::format("- holds for: {}\n", theorem.holds ? bounds_text(theorem) : "no; it is refuted");
  text += fmt::format("- {}: {}\n", theorem.holds ? "refuted when changed to" : "holds when changed to",
                      theorem.contrast);
  if (!theorem.holds && theorem.shows != Shows::kNothing)
    text += fmt::format("- smallest cluster: [{0}](../corpus/theorems/{0}.yaml)\n", case_name(theorem));
  text += fmt::format("- second solver, in the tests: {}\n\n",
                      theorem.explored ? "cvc5, on queries drawn from those of all paths" : "cvc5");
  return text;
}

}  // namespace

std::string theorems_markdown() {
  const auto count = [](auto&& wanted) { return std::ranges::count_if(theorems(), wanted); };
  const auto unbounded = [](const Theorem& theorem) {
    return theorem.holds && theorem.kind == Kind::kUnbounded;
  };
  const auto bounded = [](const Theorem& theorem) { return theorem.holds && theorem.kind == Kind::kBounded; };
  const auto refuted = [](const Theorem& theorem) { return !theorem.holds; };
  std::string text = fmt::format(
      "# Theorems\n\n"
      "Written by `reprieve prove --markdown` from the registry in smt/theorems/; a test holds this page and "
      "the\n"
      "registry together. `reprieve prove` decides them with Z3 and tells how long each took, "
      "`--second-opinion`\nasks cvc5 as well.\n\n"
      "Three kinds, never mixed: {} theorems about every cluster, {} about every cluster up to bounds, and "
      "{}\n"
      "statements that one would expect and that are false, each with the smallest cluster that shows it "
      "(engine,\n"
      "reference and, where it is built, the real kube-scheduler are asked about those files by the corpus "
      "tests).\n\n"
      "What is assumed throughout: quantities below 2^40 and int32 allowances, so that sums fit into int64 "
      "(each\n"
      "addition of the code that is executed carries that obligation); priorities are int32. Budgets allow 0 "
      "or "
      "more.\n\"Fewer pods never hurt\" means that filters are downward closed: where the preemptor fits, it "
      "fits with "
      "fewer\npods too. The kubernetes policies' walk around the shipped cores (who is a potential victim, "
      "which pods "
      "hold\nwhat) is not part of these statements; tests compare it.\n\n",
      count(unbounded), count(bounded), count(refuted));
  const auto section = [&](std::string_view title, auto&& wanted) {
    text += fmt::format("## {}\n\n", title);
    for (const Theorem& theorem : theorems()) {
      if (wanted(theorem)) text += entry(theorem);
    }
  };
  section("For every cluster", unbounded);
  section("For every cluster up to bounds", bounded);
  section("Refuted", refuted);
  text.pop_back();
  return text;
}

}  // namespace reprieve::smt
