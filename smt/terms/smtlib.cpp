#include "reprieve/smt/terms/smtlib.h"

#include <fmt/format.h>

#include <algorithm>

namespace reprieve::smt {
namespace {

std::string number_text(std::int64_t value) {
  if (value >= 0) return std::to_string(value);
  // SMT-LIB has no negative literals. Through unsigned, because the least value has no opposite.
  return fmt::format("(- {})", 0 - static_cast<std::uint64_t>(value));
}

// The terms below the assertions, children before parents, and how often each is used.
struct Reached {
  std::vector<Term> order;
  std::vector<std::uint32_t> uses;
};

Reached reach(const Terms& terms, std::span<const Term> assertions) {
  Reached reached{.order = {}, .uses = std::vector<std::uint32_t>(terms.size(), 0)};
  std::vector<std::pair<Term, bool>> stack;
  for (const Term assertion : assertions) {
    stack.emplace_back(assertion, false);
    while (!stack.empty()) {
      const auto [term, done] = stack.back();
      stack.pop_back();
      if (done) {
        reached.order.push_back(term);
        continue;
      }
      if (reached.uses[term.id]++ > 0) continue;
      stack.emplace_back(term, true);
      for (const Term child : terms.children(term)) stack.emplace_back(child, false);
    }
  }
  return reached;
}

class Writer {
 public:
  Writer(const Terms& terms, std::vector<std::string>& names) : terms_(terms), names_(names) {}

  std::string write(Term term) const {
    const std::string& name = names_[term.id];
    return name.empty() ? body(term) : name;
  }

  std::string body(Term term) const {
    const Terms::Node& at = terms_.node(term);
    switch (at.op) {
      case Op::kTrue: return "true";
      case Op::kFalse: return "false";
      case Op::kConstant: return number_text(at.value);
      case Op::kBoolVariable:
      case Op::kIntVariable: return terms_.variables()[static_cast<std::size_t>(at.value)].name;
      case Op::kNot: return call("not", term);
      case Op::kAnd: return call("and", term);
      case Op::kOr: return call("or", term);
      case Op::kBoolIte:
      case Op::kIntIte: return call("ite", term);
      case Op::kBoolEqual:
      case Op::kIntEqual: return call("=", term);
      case Op::kLessEqual: return call("<=", term);
      case Op::kSum: return call("+", term);
      case Op::kScaled:
        return fmt::format("(* {} {})", number_text(at.value), write(terms_.children(term)[0]));
    }
    return "";
  }

 private:
  std::string call(std::string_view function, Term term) const {
    std::string text = fmt::format("({}", function);
    for (const Term child : terms_.children(term)) text += " " + write(child);
    return text + ")";
  }

  const Terms& terms_;
  std::vector<std::string>& names_;
};

}  // namespace

std::vector<std::size_t> variables_of(const Terms& terms, std::span<const Term> assertions) {
  std::vector<std::size_t> numbers;
  for (const Term term : reach(terms, assertions).order) {
    const Terms::Node& at = terms.node(term);
    if (at.op == Op::kBoolVariable || at.op == Op::kIntVariable)
      numbers.push_back(static_cast<std::size_t>(at.value));
  }
  std::ranges::sort(numbers);
  return numbers;
}

namespace {

std::string commented(std::string_view comment) {
  std::string text;
  for (std::size_t at = 0; at < comment.size();) {
    const std::size_t end = std::min(comment.find('\n', at), comment.size());
    text += fmt::format("; {}\n", comment.substr(at, end - at));
    at = end + 1;
  }
  return text;
}

// The logic, the variables with their ranges, and a name for each term that is used more than once, so
// that the text is no longer than the terms are many.
std::string declarations(const Terms& terms, std::span<const Term> assertions,
                         std::vector<std::string>& names) {
  const Reached reached = reach(terms, assertions);
  const bool integers =
      std::ranges::any_of(reached.order, [&](Term term) { return !is_boolean(terms.node(term).op); });
  std::string text = fmt::format("(set-logic {})\n", integers ? "QF_LIA" : "QF_UF");
  for (const std::size_t number : variables_of(terms, assertions)) {
    const Variable& variable = terms.variables()[number];
    text += fmt::format("(declare-const {} {})\n", variable.name, variable.boolean ? "Bool" : "Int");
    if (variable.range.least)
      text += fmt::format("(assert (<= {} {}))\n", number_text(*variable.range.least), variable.name);
    if (variable.range.greatest)
      text += fmt::format("(assert (<= {} {}))\n", variable.name, number_text(*variable.range.greatest));
  }
  names.assign(terms.size(), "");
  const Writer writer(terms, names);
  std::size_t count = 0;
  for (const Term term : reached.order) {
    if (reached.uses[term.id] < 2 || terms.children(term).empty()) continue;
    const std::string body = writer.body(term);
    names[term.id] = fmt::format("$t{}", ++count);
    text += fmt::format("(define-fun {} () {} {})\n", names[term.id],
                        is_boolean(terms.node(term).op) ? "Bool" : "Int", body);
  }
  return text;
}

}  // namespace

std::string to_smtlib(const Terms& terms, std::span<const Term> assertions, std::string_view comment) {
  std::vector<std::string> names;
  std::string text = commented(comment) + declarations(terms, assertions, names);
  const Writer writer(terms, names);
  for (const Term assertion : assertions) text += fmt::format("(assert {})\n", writer.write(assertion));
  return text + "(check-sat)\n";
}

std::string to_smtlib_script(const Terms& terms, std::span<const std::vector<Term>> queries,
                             std::string_view comment) {
  std::vector<Term> all;
  for (const std::vector<Term>& query : queries) all.insert(all.end(), query.begin(), query.end());
  std::vector<std::string> names;
  std::string text =
      commented(comment) + "(set-option :incremental true)\n" + declarations(terms, all, names);
  const Writer writer(terms, names);
  for (const std::vector<Term>& query : queries) {
    text += "(push 1)\n";
    for (const Term assertion : query) text += fmt::format("(assert {})\n", writer.write(assertion));
    text += "(check-sat)\n(pop 1)\n";
  }
  return text;
}

}  // namespace reprieve::smt
